import {toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {isAsChanged} from '../../hooks/agent-changes.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {closeOverlay, isOnTop} from './close-overlay.ts';
import {failureText} from './failure-text.ts';
import {forgetTieChoices, type TieChoices} from './tie-choices.ts';

export type SaveTies = {
	/** Saves these as all that is tied to the agent; asks first where that would replace what nobody sees. */
	save(abilityIds: readonly number[], names: readonly string[]): void;
	/** Leaves what is tied as it is, and says so where something else was chosen. */
	abandon(): void;
};

const countText = (count: number): string => count === 0 ? 'no ability is' : (count === 1 ? '1 ability is' : `${count} abilities are`);

/** What becomes of the choices for an agent. */
export const useSaveTies = (agent: Agent, choices: TieChoices): SaveTies => {
	const ui = useUiServices();
	const session = useServiceSession();
	const {edit, isPending} = useEditAgent();

	const leave = (): void => {
		closeOverlay(ui, 'agent-ties', agent.id);
		forgetTieChoices(session, agent.id);
	};

	const send = async (abilityIds: readonly number[]): Promise<void> => {
		choices.seen ??= agent;
		try {
			const {abilityIds: before} = choices.seen;
			await edit(choices.seen, {abilityIds});
			leave();
			const wayBack = before === undefined ? '' : ` ${keyName(ui.keymap, 'undo')} takes that back.`;
			ui.say('info', `Saved: ${countText(abilityIds.length)} tied to ${agent.name}.${wayBack}`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isConflict = error.kind === 'conflict' && error.status === undefined;
			if (isConflict) {
				choices.seen = undefined;
			}

			const nextStep = isOnTop(ui, 'agent-ties', agent.id)
				? (isConflict ? 'Enter replaces it all the same.' : 'Enter tries again.')
				: `${keyName(ui.keymap, 'edit-ties')} chooses again.`;
			ui.say('error', failureText(`what is tied to ${agent.name}`, error, nextStep), error);
		}
	};

	return {
		abandon() {
			const {abilityIds: before = []} = choices.seen ?? agent;
			const isChanged = new Set(before).symmetricDifference(choices.store.getState().marks).size > 0;
			// What is being saved is told of by its answer.
			const isDropped = isChanged && !isPending(agent.id);
			leave();
			if (isDropped) {
				ui.say('info', `Not saved: what is tied to ${agent.name} stays as it is.`);
			}
		},
		save(abilityIds, names) {
			const {abilityIds: before} = choices.seen ?? agent;
			if (isPending(agent.id)) {
				ui.say('info', `${agent.name} is still being saved.`);
			} else if (before === undefined) {
				ui.store.dispatch({
					type: 'open',
					overlay: {
						kind: 'confirm',
						question: `Replace all that is tied to ${agent.name}? This service does not show what it is.`,
						details: names.length === 0 ? ['Nothing would be tied to it.'] : ['Only these would be tied to it:', ...names],
						yes: 'replace',
						onYes() {
							void send(abilityIds);
						},
					},
				});
			} else if (isAsChanged(choices.seen ?? agent, {abilityIds})) {
				leave();
				ui.say('info', `Nothing was changed: ${agent.name} keeps its abilities.`);
			} else {
				void send(abilityIds);
			}
		},
	};
};
