import {resourceOf, type RecordKind, type Values} from '../../changes/fields.ts';
import {listsToUndo, overtakingInLog, planUndo, skipKey, type PlannedUndo, type StandingGroup} from '../../changes/undo.ts';
import {reasonOf} from '../../interface/errors.ts';
import {entryName, seenElsewhere} from '../../interface/history.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {cleanName, type InstalledAbility} from '../../interface/records.ts';
import {clock} from '../../words/age.ts';
import {abilityCountText, changedText, phraseListText, phrasesText, stepOf} from './saves.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';

/* Undoing what ended sessions and commands did, from the log: nothing is put back before a Yes. */

/** More would not be read. */
const maximumNames = 5;

const listed = (texts: readonly string[]): string =>
	texts.length <= maximumNames ? texts.join(', ') : `${texts.slice(0, maximumNames).join(', ')} and ${texts.length - maximumNames} more`;

const isSwitch = ({entry: {kind, field}}: PlannedUndo): boolean => kind === 'installed' && field === 'enabled';

/** Says what would be put back, such as “the name Hearth for Hob”. */
const subjectOf = (undo: PlannedUndo): string => {
	const {
		entry: {field},
		planned,
	} = undo;
	const {to, seen} = planned!.reversal!;
	const name = seen.name;
	if (isSwitch(undo)) {
		return `${name} ${stateWord(to as boolean)}`;
	}

	return field === 'triggers'
		? `${phraseListText(to as readonly string[])} for ${name}`
		: field === 'name'
			? `the name ${cleanName(to as string)} for ${name}`
			: field === 'abilities'
				? `${abilityCountText((to as readonly number[]).length)} of ${name}`
				: `the previous ${changedText(resourceOf[undo.entry.kind as RecordKind], {[field]: to})} of ${name}`;
};

/** Says who changed something since. */
const overtakenText = (undo: PlannedUndo): string => {
	const {entry, planned, overtaking} = undo;
	const {by, at, entry: later} = overtaking!;
	const time = at === undefined ? '' : `, ${clock(Date.parse(at), Date.now())}`;
	const did = isSwitch(undo) && later !== undefined ? `switched ${stateWord(later.to as boolean)}` : 'changed';
	const name = planned?.reversal?.seen.name ?? entryName(entry);
	const now = entry.field === 'triggers' ? `: it ${phrasesText((planned!.reversal!.seen as InstalledAbility).triggerPhrases)}` : '';
	return by === seenElsewhere ? `${name} was ${did} elsewhere since${time}${now}.` : `${by} ${did} ${name} after that${time}${now}.`;
};

const notesOf = (undos: readonly PlannedUndo[]): readonly string[] => {
	const already = undos.filter(({planned}) => planned !== undefined && planned.reversal === undefined);
	const gone = [...new Set(undos.flatMap(({planned}) => planned?.gone ?? []))];
	return [
		...(already.length === 0
			? []
			: [
					`Changed elsewhere since: ${listed(already.map(undo => (isSwitch(undo) ? `${entryName(undo.entry)} is ${stateWord(undo.entry.from as boolean)} already` : `${entryName(undo.entry)} is so already`)))}.`,
				]),
		...undos
			.filter(({overtaking}) => overtaking !== undefined)
			.map(undo => overtakenText(undo))
			.slice(0, maximumNames),
		...(gone.length === 0 ? [] : [`Gone since: ${listed(gone)}.`]),
		...undos.flatMap(({error}) => (error === undefined ? [] : [error.message])).slice(0, maximumNames),
	];
};

/** Sends what takes a group back: the states through the switches, other fields a record at a time. */
const takeBack = (session: ServiceSession, undos: readonly PlannedUndo[]): void => {
	const {switching, undoHistory} = session.changes;
	const groups = [...new Set(undos.flatMap(({all}) => all.map(({origin}) => origin!.group)))];
	const switches = undos.filter(undo => isSwitch(undo));
	if (switches.length > 0) {
		switching.undoEarlier(
			switches.map(({planned}) => {
				const {seen, to} = planned!.reversal!;
				return {id: seen.id, name: seen.name, wasEnabled: to as boolean, isEnabled: (seen as InstalledAbility).isEnabled!};
			}),
			groups,
		);
	}

	const others = undos.filter(undo => !isSwitch(undo)).map(({planned}) => planned!.reversal!);
	for (const reversals of Map.groupBy(others, ({kind, record}) => `${kind} ${record}`).values()) {
		const {kind, seen} = reversals[0]!;
		const values: Values = Object.fromEntries(reversals.map(({field, to}) => [field, to]));
		undoHistory.undoEarlier(stepOf(session, {resource: resourceOf[kind], seen, values}, groups));
	}
};

const asking: MemoryKey<{isAsking: boolean}> = {create: () => ({isAsking: false})};

const askAbout = async (session: ServiceSession, group: StandingGroup): Promise<void> => {
	const {records, changes} = session;
	const {say} = changes.undoHistory;
	const [{at, via}] = group.entries as readonly [StandingGroup['entries'][0]];
	say('info', 'Reading what was changed before this session…');
	try {
		await Promise.all([...listsToUndo(group.entries)].map(async resource => records.readAgain(resource)));
		const undos = await planUndo(
			group.entries,
			{installed: records.seen('installed') ?? [], abilities: records.seen('abilities') ?? [], agents: records.seen('agents') ?? []},
			overtakingInLog(changes.log.entries(), await changes.historyReader()),
		);
		const back = undos.filter(({planned}) => planned?.reversal !== undefined);
		const notes = notesOf(undos);
		const keysOf = (some: readonly PlannedUndo[]): readonly string[] => some.flatMap(({all}) => all.map(entry => skipKey(entry)));

		if (back.length === 0) {
			changes.log.skip(keysOf(undos));
			say('info', ['Nothing is left to put back of an earlier change.', ...notes].join(' '));
		} else if (
			await changes.confirm({
				question: `Put back: ${listed(back.map(undo => subjectOf(undo)))}?`,
				details: [
					via === 'screen'
						? 'It was changed before this session began.'
						: `It was changed by “${via}”, ${clock(Date.parse(at), Date.now())}.`,
					...notes,
				],
				yes: 'put back',
			})
		) {
			changes.log.skip(keysOf(undos.filter(undo => !back.includes(undo))));
			changes.log.take(keysOf(back));
			takeBack(session, back);
		} else {
			say('info', 'Nothing was put back.');
		}
	} catch (error) {
		say('error', `Not undone: ${reasonOf(error)}`);
	}
};

/** Asks about the newest group of changes that an ended session or a command left, and undoes it. Returns false if there is none. */
export const undoEarlier = (session: ServiceSession): boolean => {
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
};
