import {resourceOf, type Values} from '../../changes/fields.ts';
import {skipKey} from '../../changes/log-lines.ts';
import {lossLines} from '../../changes/removals.ts';
import type {PlannedUndo, StandingGroup} from '../../changes/undo.ts';
import {reasonOf} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {decodeTimer} from '../../interface/timers.ts';
import {clock} from '../../words/age.ts';
import {bringBackStep} from './bring-back.ts';
import {askToPutBack, notesOf, planGroup, undoesSwitch} from './overtaken.ts';
import {stepOf} from './saves.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';

/* Undoing the changes of ended sessions and commands, from the log: nothing is restored before a Yes. */

const asking: MemoryKey<{isAsking: boolean}> = {create: () => ({isAsking: false})};

/** Asks about the newest group of changes by an ended session or a command, and undoes it. Returns false if there is none. */
export function undoEarlier(session: ServiceSession): boolean {
	const state = session.memory.get(asking);
	const group = state.isAsking ? undefined : session.changes.log.earlierGroups()[0];
	if (group !== undefined) {
		state.isAsking = true;
		void (async () => {
			await askAbout(session, group);
			state.isAsking = false;
		})();
	}

	return state.isAsking;
}

async function askAbout(session: ServiceSession, group: StandingGroup): Promise<void> {
	const {changes} = session;
	const {say} = changes.undoHistory;
	const [{at, via}] = group.entries as readonly [StandingGroup['entries'][0]];
	say('info', 'Reading the changes before this session…');
	try {
		const undos = await planGroup(session, group.entries);
		const back = undos.filter(undo => undo.planned?.reversal !== undefined || undo.back !== undefined);
		const {timeZone} = session.account;
		const losses = lossLines(removedIn(back).map(({former}) => former));
		const keysOf = (some: readonly PlannedUndo[]): readonly string[] => some.flatMap(({all}) => all.map(entry => skipKey(entry)));

		if (back.length === 0) {
			changes.log.skip(keysOf(undos));
			say('info', ['Nothing is left to put back of an earlier change.', ...notesOf(undos, timeZone)].join(' '));
			return;
		}

		const how = via === 'screen' ? 'in your last session' : `with “${via}”`;
		const done = `You ${doneWords(back)} at ${clock(Date.parse(at), Date.now(), timeZone.zone)}, ${how}.`;
		if (await askToPutBack(changes, timeZone, {undos, back, details: [done, ...losses]})) {
			changes.log.skip(keysOf(undos.filter(undo => !back.includes(undo))));
			changes.log.take(keysOf(back));
			takeBack(session, back);
		} else {
			say('info', 'Nothing was put back.');
		}
	} catch (error) {
		say('error', `Not undone: ${reasonOf(error)}`);
	}
}

/** Returns the abilities to restore, each with the key of its removal. */
const removedIn = (undos: readonly PlannedUndo[]) =>
	undos.flatMap(({back, entry}) => (back === undefined ? [] : [{...back, former: {...back.former, key: skipKey(entry)}}]));

/** Returns the earlier changes in words that follow “You”, such as “switched it on”. */
function doneWords(undos: readonly PlannedUndo[]): string {
	const formers = undos.flatMap(({back}) => back?.former ?? []);
	const it = undos.length === 1 ? 'it' : 'them';
	const [first] = undos as readonly [PlannedUndo];
	if (undos.every(undo => undoesSwitch(undo) && undo.planned!.reversal!.to === first.planned!.reversal!.to)) {
		return `switched ${it} ${stateWord(first.planned!.reversal!.to !== true)}`;
	}

	const word = formers.length < undos.length ? 'changed' : formers.every(({ability}) => ability === undefined) ? 'uninstalled' : 'deleted';
	return `${word} ${it}`;
}

/** Sends the changes that take a group back: states through the switches, other fields record by record. */
function takeBack(session: ServiceSession, undos: readonly PlannedUndo[]): void {
	const {switching, undoHistory} = session.changes;
	const groups = [...new Set(undos.flatMap(({all}) => all.map(({origin}) => origin!.group)))];
	const switches = undos.filter(undo => undoesSwitch(undo));
	if (switches.length > 0) {
		switching.undoEarlier(
			switches.map(({planned}) => {
				const {seen, to, timer} = planned!.reversal!;
				const {id, name, isEnabled} = seen as InstalledAbility;
				return {id, name, wasEnabled: to as boolean, isEnabled: isEnabled!, cancelled: decodeTimer(timer)};
			}),
			groups,
		);
	}

	const removed = removedIn(undos);
	if (removed.length > 0) {
		const what = `the removal of ${removed.length === 1 ? removed[0]!.former.name : `${removed.length} abilities`}`;
		undoHistory.undoEarlier(bringBackStep(session, {what, redo: 'Redo removes nothing.'}, removed, {isAgreed: true}));
	}

	const others = undos.flatMap(undo => (undoesSwitch(undo) ? [] : (undo.planned?.reversal ?? [])));
	for (const reversals of Map.groupBy(others, ({kind, record}) => `${kind} ${record}`).values()) {
		const {kind, seen} = reversals[0]!;
		const values: Values = Object.fromEntries(reversals.map(({field, to}) => [field, to]));
		undoHistory.undoEarlier(stepOf(session, {resource: resourceOf[kind], seen, values}, {groups}));
	}
}
