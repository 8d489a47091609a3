import {resourceOf, type RecordKind} from '../../changes/fields.ts';
import type {RecordChange} from '../../changes/compare-lists.ts';
import type {LogEntry} from '../../changes/log-lines.ts';
import type {Outcome} from '../../changes/queue.ts';
import {listsToUndo, overtakingInLog, planUndo, type PlannedUndo} from '../../changes/undo.ts';
import {reasonOf} from '../../interface/errors.ts';
import {cleanText} from '../../interface/clean-text.ts';
import {firstWords} from '../../interface/format-count.ts';
import {entryName, seenElsewhere} from '../../interface/history.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {cleanName, type InstalledAbility, type Records, type Resource} from '../../interface/records.ts';
import {clock} from '../../words/age.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {timerText} from '../../words/timer-words.ts';
import type {SessionLog} from './session-log.ts';
import {abilityCountText, changedText, phraseListText, phrasesText} from '../state/edit-words.ts';

/* Taking back changes that somebody else may have overtaken, and the questions about that. */

/** Notices that somebody else may have switched abilities that this session has switched. */
export function createOvertakings(find: (id: number) => InstalledAbility | undefined) {
	/** When the service changed each record for this session, as far as it shows that. */
	const ownTimes = new Map<number, number>();
	/** The records that were switched elsewhere since this session switched them, according to the lists. */
	const switchedElsewhere = new Set<number>();
	return {
		handleOutcomes(outcomes: readonly Outcome[]): void {
			for (const {resource, record, before, error, isUnsent} of outcomes) {
				if (resource !== 'installed' || error !== undefined || isUnsent) {
					continue;
				}

				const [former, changedAt] = [before as InstalledAbility, record as InstalledAbility].map(each => each.changedAt);
				switchedElsewhere.delete(record.id);
				if (changedAt === undefined || changedAt === former) {
					ownTimes.delete(record.id);
				} else {
					ownTimes.set(record.id, changedAt);
				}
			}
		},
		/** Takes the changes that were made elsewhere, according to the lists. */
		handleSeen(changes: readonly RecordChange[]): void {
			for (const {kind, record, field} of changes) {
				if (kind === 'installed' && field === 'enabled') {
					switchedElsewhere.add(record);
				}
			}
		},
		/** Tells whether somebody else may have switched some of these since, so that the history must be asked. */
		isPossible: (changes: ReadonlyArray<Pick<InstalledAbility, 'id' | 'isEnabled'>>): boolean =>
			changes.some(({id, isEnabled}) => {
				const record = find(id);
				const ownTime = ownTimes.get(id);
				const isTouched = ownTime !== undefined && record?.changedAt !== undefined && record.changedAt !== ownTime;
				return record?.isEnabled === isEnabled && (switchedElsewhere.has(id) || isTouched);
			}),
	};
}

type Session = {
	readonly records: {
		readAgain(resource: Resource): Promise<void>;
		seen<R extends Resource>(resource: R): ReadonlyArray<Records[R]> | undefined;
	};
	readonly changes: {readonly log: Pick<SessionLog, 'entries' | 'historyReader'>};
};

type AskingSession = Session & {
	readonly changes: {
		readonly log: SessionLog;
		confirm(question: {readonly question: string; readonly details: readonly string[]; readonly yes: string}): Promise<boolean | undefined>;
	};
	readonly timeZone: TimeZone;
	say(level: 'info' | 'error', text: string): void;
};

/**
Finds out whether somebody else has overtaken the changes of groups, and then asks the person.

@returns whether to take the groups back.
*/
export async function agreeToUndo(session: AskingSession, groups: readonly string[]): Promise<boolean> {
	const {changes, timeZone, say} = session;
	try {
		const undos = await planGroup(session, await changes.log.entriesOf(groups));
		if (undos.every(({overtaking}) => overtaking === undefined)) {
			return true;
		}

		const back = undos.filter(({planned}) => planned?.reversal !== undefined);
		const isAgreed = await askToPutBack(changes, timeZone, {undos, back});
		if (!isAgreed) {
			say('info', 'Nothing was put back.');
		}

		return isAgreed;
	} catch (error) {
		say('error', `Not undone: ${reasonOf(error)}`);
		return false;
	}
}

/**
Reads the lists, and plans how to take back changes of the log.

@param entries - the newest first.
*/
export async function planGroup({records, changes}: Session, entries: readonly LogEntry[]): Promise<readonly PlannedUndo[]> {
	await Promise.all([...listsToUndo(entries)].map(async resource => records.readAgain(resource)));
	const names = changes.log.entries();
	return planUndo(entries, {
		records: {installed: records.seen('installed') ?? [], abilities: records.seen('abilities') ?? [], agents: records.seen('agents') ?? []},
		findOvertaking: overtakingInLog(names, await changes.log.historyReader()),
		names,
	});
}

/** Asks whether to restore values, and tells what others have changed meanwhile. */
export async function askToPutBack(
	{confirm}: Pick<AskingSession['changes'], 'confirm'>,
	timeZone: TimeZone,
	{
		undos,
		back,
		details = [],
	}: {readonly undos: readonly PlannedUndo[]; readonly back: readonly PlannedUndo[]; readonly details?: readonly string[]},
): Promise<boolean> {
	const question = putBackText(back, timeZone);
	return (await confirm({question, details: [...details, ...notesOf(undos, timeZone)], yes: 'put back'})) === true;
}

/** Returns the question about the values to restore, such as “Switch pantry off again?” */
function putBackText(undos: readonly PlannedUndo[], timeZone: TimeZone): string {
	const removed = undos.flatMap(({back}) => back?.former.name ?? []);
	if (removed.length === undos.length) {
		return `Bring back ${listed(removed)}?`;
	}

	const [first] = undos as readonly [PlannedUndo];
	const {to, seen} = first.planned?.reversal ?? {};
	if (undos.every(undo => undoesSwitch(undo) && undo.planned!.reversal!.to === to)) {
		return `Switch ${listed(undos.map(({planned}) => planned!.reversal!.seen.name))} ${stateWord(to as boolean)} again?`;
	}

	return undos.length === 1 && seen !== undefined
		? giveText(first, seen.name, timeZone)
		: `Put back: ${listed(undos.map(undo => subjectOf(undo)))}?`;
}

/** Returns a question such as “Give Hob its earlier name again: Hearth?” */
function giveText({entry: {field, kind}, planned}: PlannedUndo, name: string, timeZone: TimeZone): string {
	const {to} = planned!.reversal!;
	if (field === 'timer') {
		return to === null ? `Cancel the timer of ${name}?` : `Set the earlier timer of ${name} again: ${timerText(to, timeZone)}?`;
	}

	const value =
		field === 'triggers'
			? (to as readonly string[]).join(', ') || 'none'
			: field === 'name'
				? cleanName(to as string)
				: field === 'abilities'
					? abilityCountText((to as readonly number[]).length)
					: '';
	const noun = field === 'triggers' ? 'phrases' : changedText(resourceOf[kind as RecordKind], {[field]: to});
	return `Give ${name} its earlier ${noun} again${value === '' ? '' : `: ${cleanText(value, 120)}`}?`;
}

const listed = (texts: readonly string[]): string => firstWords(texts, maximumNames);

/** Names the value to restore, such as “the name Hearth for Hob”. */
function subjectOf(undo: PlannedUndo): string {
	const {planned, back} = undo;
	const {field} = undo.entry;
	if (back !== undefined) {
		return `${back.former.name} ${back.former.ability === undefined ? 'installed' : 'uploaded'} again`;
	}

	const {to, seen} = planned!.reversal!;
	const name = seen.name;
	if (undoesSwitch(undo)) {
		return `${name} ${stateWord(to as boolean)}`;
	}

	return field === 'triggers'
		? `${phraseListText(to as readonly string[])} for ${name}`
		: field === 'name'
			? `the name ${cleanName(to as string)} for ${name}`
			: field === 'abilities'
				? `${abilityCountText((to as readonly number[]).length)} of ${name}`
				: `the previous ${changedText(resourceOf[undo.entry.kind as RecordKind], {[field]: to})} of ${name}`;
}

/** Nobody would read more. */
const maximumNames = 5;

/** Tells whether a change switched an installed ability. */
export function undoesSwitch({entry: {kind, field}}: PlannedUndo): boolean {
	return kind === 'installed' && field === 'enabled';
}

/** Returns sentences about later changes by others, values that are restored already, and values that cannot be restored. */
export function notesOf(undos: readonly PlannedUndo[], timeZone: TimeZone): readonly string[] {
	const already = undos.filter(({planned}) => planned !== undefined && planned.reversal === undefined);
	const gone = [...new Set(undos.flatMap(({planned}) => planned?.gone ?? []))];
	return [
		...(already.length === 0
			? []
			: [
					`Changed elsewhere since: ${listed(already.map(undo => (undoesSwitch(undo) ? `${entryName(undo.entry)} is ${stateWord(undo.entry.from as boolean)} already` : `${entryName(undo.entry)} is so already`)))}.`,
				]),
		...undos
			.filter(({overtaking}) => overtaking !== undefined)
			.map(undo => overtakenText(undo, timeZone))
			.slice(0, maximumNames),
		...(gone.length === 0 ? [] : [`Gone since: ${listed(gone)}.`]),
		...undos.flatMap(({error}) => (error === undefined ? [] : [error.message])).slice(0, maximumNames),
	];
}

/** Returns a sentence about a later change by somebody else. */
function overtakenText(undo: PlannedUndo, {zone}: TimeZone): string {
	const {entry, planned, overtaking} = undo;
	const {by, at, entry: later} = overtaking!;
	const time = at === undefined ? '' : `, ${clock(Date.parse(at), Date.now(), zone)}`;
	const state = undoesSwitch(undo) && later !== undefined ? ` ${stateWord(later.to as boolean)}` : '';
	const did = state === '' ? 'changed' : 'switched';
	const name = planned?.reversal?.seen.name ?? entryName(entry);
	const now = entry.field === 'triggers' ? `: it ${phrasesText((planned!.reversal!.seen as InstalledAbility).triggerPhrases)}` : '';
	return by === seenElsewhere
		? `${name} was ${did}${state} elsewhere since${time}${now}.`
		: `${by} ${did} ${name}${state} after that${time}${now}.`;
}
