import {
	deletionLosses,
	isRevertible,
	listsToRevert,
	planReversal,
	readLaterEntries,
	type KnownRecords,
	type PlannedReversal,
} from '../../../changes/revert.ts';
import {reasonOf} from '../../../interface/errors.ts';
import {entryName, type HistoryEntry} from '../../../interface/history.ts';
import {doneText} from '../../../changes/change.ts';
import {resourceOf} from '../../../changes/fields.ts';
import {useUiServices} from '../../app-context.ts';
import {saveChecked} from '../../hooks/saves.ts';
import {readWhole} from '../../../state/whole-entry.ts';
import {useServiceSession, type MemoryKey, type ServiceSession} from '../../hooks/service-session.ts';
import {useToggle} from '../../hooks/use-resource.ts';
import {keyName, type Keymap} from '../../../words/keymap.ts';
import {clock} from '../../../words/age.ts';
import type {TimeZone} from '../../../words/time-zone.ts';
import {askQuestion} from '../confirm.tsx';
import {refuseChange} from '../refuse-change.ts';

/** More would push the question off the screen. */
const maximumLater = 3;

/** Changes are read one at a time. */
const reverting: MemoryKey<{isReading: boolean}> = {create: () => ({isReading: false})};

/**
Returns a function that reverts a change after a question, or says why it cannot be reverted; undo takes that back like any other change.
*/
export function useRevert(): (entry: HistoryEntry | undefined) => void {
	const ui = useUiServices();
	const session = useServiceSession();
	const toggle = useToggle();
	const {store, say, keymap} = ui;

	const carryOut = async ({reversal}: PlannedReversal): Promise<void> => {
		try {
			const {kind, seen, field, to} = reversal!;
			if (field === 'enabled') {
				// It reports its outcome.
				toggle.setMany([seen.id], to as boolean);
				return;
			}

			await saveChecked(session, {resource: resourceOf[kind], seen, values: {[field]: to}});
			say('info', `Reverted the change of ${seen.name}. ${keyName(keymap, 'undo')} undoes that.`);
		} catch (error) {
			say('error', `Not reverted: ${reasonOf(error)}`);
		}
	};

	const askAbout = async (shortEntry: HistoryEntry): Promise<void> => {
		const top = store.getState().overlays.at(-1);
		say('info', 'Reading the present state…');
		try {
			const [entry] = await Promise.all([
				readWhole(session.changes.history, shortEntry),
				...listsToRevert(shortEntry).map(async resource => session.records.readAgain(resource)),
			]);
			const plan = planReversal(entry, knownRecords(session));
			const {now} = store.getState();
			const name = entryName(entry);
			if (plan.reversal === undefined) {
				say('info', `${name} is already as it was before this change.`);
				return;
			}

			const later = plan.isOvertaken ? await readLater(session, entry, now) : [];
			// The person may have left meanwhile.
			if (store.getState().overlays.at(-1) !== top) {
				return;
			}

			askQuestion(ui, {
				question: `Revert the change of ${name}?`,
				details: [
					doneText({...entry, from: plan.present, to: entry.from}, session.account.timeZone),
					...later,
					...plan.gone.map(ability => `The ability ${ability} is gone: ${name} does not get it back.`),
				],
				yes: 'revert',
				onYes() {
					void carryOut(plan);
				},
			});
		} catch (error) {
			say('error', `Not reverted: ${reasonOf(error)}`, undefined);
		}
	};

	return entry => {
		const state = session.memory.get(reverting);
		if (entry === undefined || state.isReading || refuseChange(ui, entry.field === 'enabled' ? undefined : 'edit-name')) {
			return;
		}

		if (!isRevertible(entry)) {
			say('info', [`${entryName(entry)}: this change cannot be reverted.`, remedyOf(entry, keymap)].filter(text => text !== '').join(' '));
			return;
		}

		state.isReading = true;
		void (async () => {
			await askAbout(entry);
			state.isReading = false;
		})();
	};
}

/** Returns the newest records of all lists. */
export function knownRecords({records: {seen}}: ServiceSession): KnownRecords {
	return {installed: seen('installed') ?? [], agents: seen('agents') ?? [], abilities: seen('abilities') ?? []};
}

/** Returns the later changes of the field, one a line. */
async function readLater(
	{changes: {history}, account: {timeZone}}: ServiceSession,
	entry: HistoryEntry,
	now: number,
): Promise<readonly string[]> {
	const later = (await readLaterEntries(history, entry)).slice(0, maximumLater);
	return later.length === 0
		? ['It was changed again since; the history does not say by whom.']
		: later.map(each => laterLine(each, now, timeZone));
}

const laterLine = (entry: HistoryEntry, now: number, timeZone: TimeZone): string =>
	`After that: ${doneText(entry, timeZone)}, by ${entry.by}, ${clock(Date.parse(entry.at), now, timeZone.zone)}.`;

/** Returns the next step for a change that cannot be reverted. */
function remedyOf({kind, field, to}: HistoryEntry, keymap: Keymap): string {
	const isThere = to === true;
	switch (`${kind} ${field}`) {
		case 'installed installed': {
			return isThere
				? `${keyName(keymap, 'uninstall')} on the Installed screen uninstalls it.`
				: `${keyName(keymap, 'install')} on the Abilities screen installs it.`;
		}

		case 'ability exists': {
			return isThere
				? `${keyName(keymap, 'delete')} on the Abilities screen deletes it.`
				: `${deletionLosses} ${keyName(keymap, 'upload')} on the Abilities screen uploads it again.`;
		}

		case 'ability version':
		case 'ability source': {
			return 'To bring back a version, use: switchboard abilities restore';
		}

		case 'key exists': {
			return 'To manage keys, use: switchboard keys';
		}

		default: {
			return '';
		}
	}
}
