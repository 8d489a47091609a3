import {toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {abilityCountText, isAsChanged} from '../../hooks/agent-changes.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {ask} from '../ask.ts';
import {closeOverlay, isOnTop} from './close-overlay.ts';
import {failureText} from './failure-text.ts';
import {forgetTieChoices, type TieChoices} from './tie-choices.ts';

type SaveTies = {
	/** Saves these as the agent's abilities; asks first if the service does not show the current ones. */
	save(abilityIds: readonly number[], names: readonly string[]): void;
	/** Drops the choices, and says so if they differ from the agent's abilities. */
	cancel(): void;
};

/** Saves or cancels the choices for an agent. */
export const useSaveTies = (agent: Agent, isGone: boolean, choices: TieChoices): SaveTies => {
	const ui = useUiServices();
	const session = useServiceSession();
	const {edit, isPending} = useEditAgent();

	const leave = (): void => {
		closeOverlay(ui, 'agent-ties', agent.id);
		forgetTieChoices(session, agent.id);
	};

	const send = async (abilityIds: readonly number[]): Promise<void> => {
		try {
			const {abilityIds: before} = choices.seen;
			await edit(choices.seen, {abilityIds});
			leave();
			const undoHint = before === undefined ? '' : ` ${keyName(ui.keymap, 'undo')} undoes this.`;
			ui.say('info', `Saved: ${agent.name} has ${abilityCountText(abilityIds.length)}.${undoHint}`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isConflict = isEditConflict(error);
			if (isConflict) {
				choices.seen = seenRecords(session, 'agents')?.find(({id}) => id === agent.id) ?? agent;
			}

			const nextStep = isOnTop(ui, 'agent-ties', agent.id)
				? (isConflict ? 'Press Enter to overwrite them.' : 'Enter tries again.')
				: `${keyName(ui.keymap, 'edit-ties')} edits them again.`;
			ui.say('error', failureText(`the abilities of ${agent.name}`, error, nextStep), error);
		}
	};

	return {
		cancel() {
			const {abilityIds: before = []} = choices.seen;
			const isChanged = new Set(before).symmetricDifference(choices.store.getState().marks).size > 0;
			// A save under way reports its own outcome.
			const isDropped = isChanged && !isGone && !isPending(agent.id);
			leave();
			if (isDropped) {
				ui.say('info', `Cancelled: ${agent.name} keeps its abilities.`);
			}
		},
		save(abilityIds, names) {
			const {abilityIds: before} = choices.seen;
			if (isPending(agent.id)) {
				ui.say('info', `Still saving ${agent.name}.`);
			} else if (before === undefined) {
				ask(ui, {
					question: `Replace all abilities of ${agent.name}? This service doesn't show which it has.`,
					details: names.length === 0 ? ['It would have none.'] : ['It would have only:', ...names],
					yes: 'replace',
					onYes() {
						void send(abilityIds);
					},
				});
			} else if (isAsChanged(choices.seen, {abilityIds})) {
				leave();
				ui.say('info', `No changes: ${agent.name} keeps its abilities.`);
			} else {
				void send(abilityIds);
			}
		},
	};
};
