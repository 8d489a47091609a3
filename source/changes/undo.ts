import {cleanName, rawName, resources, type Ability, type Agent, type InstalledAbility, type Resource} from '../interface/records.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {seenElsewhere, type HistoryEntry, type HistoryQuery} from '../interface/history.ts';
import type {JsonObject, JsonValue} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import {planBack, type PlannedBack} from './bring-back.ts';
import {isSameValue, resourceOf, isPresence, type RecordKind} from './fields.ts';
import {placeOf, skipKey, type LogEntry} from './log-lines.ts';
import {decodeFormer} from './removals.ts';
import {isUndoable, listsToRevert, planReversal, type KnownRecords, type PlannedReversal} from './revert.ts';

/*
Undo, from the entries of the log. Three groups of changes a, b, c, then keys:

	a b c        u takes back c
	a b c, u     u takes back b, Ctrl+R does c again
	…, u u       u takes back a, Ctrl+R does b again
	…, Ctrl+R    u takes back b, Ctrl+R does c again
	…, d         u takes back d, Ctrl+R has nothing

A change counts as taken back while another change of its field names its group in `undoes` and was not itself taken back. So the rest of a
group that was taken back in part can still be taken back. A removal is taken back once `skip` in the log says that everything of the
ability is back, so an undo that was cut off continues.
*/

/** The changes of one key or command that were not taken back. */
export type StandingGroup = {
	readonly group: string;
	readonly session: string;
	readonly person: string | undefined;
	/** The newest first. */
	readonly entries: readonly LogEntry[];
};

/**
Finds the groups of changes that can be taken back, the newest first.

@param entries - of the log, the newest first.
@param skipped - by `skipKey`: changes that were found to be taken back already, or impossible to take back.
*/
export function findStandingGroups(entries: readonly LogEntry[], skipped: ReadonlySet<string> = new Set()): readonly StandingGroup[] {
	const takenBack = new Set(skipped);
	const groups = new Map<string, StandingGroup & {readonly entries: LogEntry[]}>();
	for (const entry of entries) {
		const {origin} = entry;
		if (origin === undefined || takenBack.has(skipKey(entry))) {
			continue;
		}

		for (const group of isPresence(entry) ? [] : (origin.undoes ?? [])) {
			takenBack.add(skipKey(entry, group));
		}

		if (origin.undoes === undefined) {
			const {group, session, person} = origin;
			const standing = groups.get(group) ?? {group, session, person, entries: []};
			standing.entries.push(entry);
			groups.set(group, standing);
		}
	}

	return [...groups.values()];
}

/** A later change of the same field by somebody else. */
type Overtaking = {
	/** The name of the person or key; `elsewhere` if it is not known. */
	readonly by: string;
	/** ISO 8601; `undefined` if it is not known. */
	readonly at: string | undefined;
	/** The entry, where the history has it. */
	readonly entry?: HistoryEntry | undefined;
};

/** The changes of one field that are taken back together: what it was before the oldest, and after the newest. */
type Folded = {readonly entry: LogEntry; readonly all: readonly LogEntry[]};

export type PlannedUndo = Folded & {
	/** `undefined` if it cannot be taken back; without a `reversal` it is as before already. */
	readonly planned?: PlannedReversal | undefined;
	readonly back?: PlannedBack | undefined;
	readonly error?: SwitchboardError | undefined;
	readonly overtaking?: Overtaking | undefined;
};

/** Finds whether somebody changed a field after the change that is to be taken back. */
export type FindOvertaking = (entry: LogEntry, planned: PlannedReversal) => Promise<Overtaking | undefined> | Overtaking | undefined;

/** Returns the lists that have to be read before changes are taken back. */
export function listsToUndo(entries: readonly LogEntry[]): ReadonlySet<Resource> {
	return new Set(entries.flatMap(entry => (entry.before === undefined ? (isUndoable(entry) ? listsToRevert(entry) : []) : resources)));
}

type UndoSources = {
	readonly records: KnownRecords;
	readonly findOvertaking: FindOvertaking;
	/** Entries of the log, the newest first: if given, the record must have the name in the change, or a name that it was given since. */
	readonly names?: readonly LogEntry[] | undefined;
};

/**
Plans how changes are taken back, from the present state of the service. Several changes of a field are taken back at once.

@param entries - the newest first.
@throws SwitchboardError if it cannot be found out whether somebody changed something since.
*/
export async function planUndo(entries: readonly LogEntry[], sources: UndoSources): Promise<readonly PlannedUndo[]> {
	return withTimers(await Promise.all(foldEntries(entries).map(async folded => planOne(folded, sources))));
}

/** Joins the change of a timer with the switch of its record: a switch cancels a timer, and one of the other state is sent with it. */
function withTimers(undos: readonly PlannedUndo[]): readonly PlannedUndo[] {
	const isOf = (field: string, {entry}: PlannedUndo): boolean => entry.kind === 'installed' && entry.field === field;
	const timers = new Map(undos.filter(undo => isOf('timer', undo)).map(undo => [undo.entry.record, undo]));
	const joined = undos.map(undo => {
		const {planned, all} = undo;
		const timer = isOf('enabled', undo) && planned?.reversal !== undefined ? timers.get(undo.entry.record) : undefined;
		if (timer === undefined) {
			return undo;
		}

		timers.delete(timer.entry.record);
		const wanted = timer.planned?.reversal?.to ?? undefined;
		return {...undo, planned: {...planned!, reversal: {...planned!.reversal!, timer: wanted}}, all: [...all, ...timer.all]};
	});
	return joined.filter(undo => !isOf('timer', undo) || timers.get(undo.entry.record) === undo);
}

/**
Joins the changes of each field. A change that does not continue the older one was overtaken in between: then each is planned separately.
*/
function foldEntries(entries: readonly LogEntry[]): readonly Folded[] {
	const folded = new Map<string, Folded[]>();
	for (const entry of entries) {
		const place = placeOf(entry);
		const same = folded.get(place) ?? [];
		const newer = same.at(-1);
		if (newer !== undefined && isSameValue(newer.entry.from, entry.to)) {
			same[same.length - 1] = {entry: {...newer.entry, from: entry.from}, all: [...newer.all, entry]};
		} else {
			same.push({entry, all: [entry]});
		}

		folded.set(place, same);
	}

	return [...folded.values()].flat();
}

async function planOne(folded: Folded, {records, names, findOvertaking}: UndoSources): Promise<PlannedUndo> {
	const entry = followRecord(folded.entry, records, names ?? []);
	let planned: PlannedReversal;
	try {
		if (entry.before !== undefined) {
			return {...folded, ...planRemoval(entry, entry.before, records, names ?? [])};
		}

		planned = planReversal(entry, records);
		if (planned.reversal !== undefined && names !== undefined) {
			refuseOtherRecord(entry, planned.reversal.seen, names);
		}
	} catch (error) {
		return {...folded, error: toSwitchboardError(error)};
	}

	return {...folded, planned, overtaking: planned.reversal && (await findOvertaking(entry, planned))};
}

type AnyRecord = Agent | Ability | InstalledAbility;

/**
Returns an entry with the id that its ability has now: an ability that was brought back has a new id, and its earlier changes belong to it.
*/
function followRecord(entry: LogEntry, records: KnownRecords, entries: readonly LogEntry[]): LogEntry {
	const {kind, record, name, id} = entry;
	const all: readonly AnyRecord[] = kind === 'key' ? [] : records[resourceOf[kind]];
	const isBack = (other: LogEntry): boolean =>
		isPresence(other) && other.to === true && other.origin !== undefined && other.name === name && other.id > id;
	const [now, ...others] = all.filter(each => rawName(each) === name);
	return now === undefined || others.length > 0 || all.some(each => each.id === record) || !entries.some(each => isBack(each))
		? entry
		: {...entry, record: now.id};
}

function planRemoval(entry: LogEntry, before: JsonObject, records: KnownRecords, entries: readonly LogEntry[]) {
	const former = decodeFormer(before);
	if (former === undefined) {
		throw new SwitchboardError('refused', `It is not known what ${cleanName(entry.name)} was before.`);
	}

	const back = planBack(former, records, ({id}, kind) =>
		entries.some(
			other =>
				isPresence(other) &&
				other.kind === kind &&
				other.origin?.undoes !== undefined &&
				other.to === true &&
				other.record === id &&
				(kind === 'installed' || other.name === entry.name),
		),
	);
	return back === undefined ? {planned: unchanged} : {back};
}

/**
Services reuse ids: a record is the changed one only if it also has the name, or a name that it was given since. A different name where a
name is to be restored is an overtaken change.
*/
function refuseOtherRecord({name, kind, field}: LogEntry, seen: AnyRecord, entries: readonly LogEntry[]): void {
	const names = new Set<JsonValue>([name]);
	for (const entry of entries.toReversed()) {
		const isRename = entry.field === 'name' && (entry.kind === kind || entry.kind === 'ability');
		if (isRename && (names.has(entry.from) || names.has(entry.to))) {
			names.add(entry.from).add(entry.to);
		}
	}

	if (field !== 'name' && !names.has(rawName(seen))) {
		throw new SwitchboardError('not-found', goneText(resourceOf[kind as RecordKind], cleanName(name)));
	}
}

const unchanged: PlannedReversal = {reversal: undefined, present: null, isOvertaken: false, gone: []};

/**
Returns how to find who changed a field after a change of the log. A value that looks unchanged may have been changed and changed back, so
the record's own time of change decides, or the service's history, or the changes seen elsewhere.

@param entries - of the log, the newest first.
@param readHistory - reads the service's history; `undefined` if the service keeps none.
*/
export function overtakingInLog(
	entries: readonly LogEntry[],
	readHistory: ((query: HistoryQuery) => Promise<readonly HistoryEntry[]>) | undefined,
): FindOvertaking {
	return async (entry, {reversal, isOvertaken}) => {
		const {seen} = reversal!;
		const seenAt = 'changedAt' in seen ? seen.changedAt : undefined;
		const isOwn = ({origin}: LogEntry): boolean => origin !== undefined && origin.person === entry.origin?.person;
		const own = entries.filter(other => other.kind === entry.kind && other.record === entry.record && isOwn(other));
		if (!isOvertaken && seenAt !== undefined && own.some(({origin}) => origin!.changedAt === seenAt)) {
			return undefined;
		}

		const newestOwn = own.find(isOfField(entry));
		const ownAt = newestOwn?.origin?.changedAt;
		const latest = await readHistory?.({records: [entry.record], kind: entry.kind, limit: 100});
		const [newest] = entriesAfter(newestOwn, ownAt, latest?.filter(isOfField(entry)) ?? []);
		if (newest !== undefined) {
			return toOvertaking(newest);
		}

		const other = entries.find(each => isOfField(entry)(each) && each.id > entry.id && (isOvertaken || !isOwn(each)));
		if (other !== undefined) {
			return toOvertaking(other);
		}

		// Then the history shows that another field was changed.
		const isChangedSince = seenAt !== undefined && ownAt !== undefined && seenAt > ownAt;
		return isOvertaken || (isChangedSince && latest === undefined)
			? {by: seenElsewhere, at: isChangedSince ? new Date(seenAt).toISOString() : undefined}
			: undefined;
	};
}

const isOfField =
	({kind, record, field}: HistoryEntry) =>
	(other: HistoryEntry): boolean =>
		other.kind === kind && other.record === record && other.field === field;

/**
Returns the entries of the service's history after our own change of the field. The history may note a change a moment after the time of its
record. The next change starts from our value, so the oldest entry with both values is ours.

@param ofField - the newest first.
*/
function entriesAfter(own: LogEntry | undefined, ownAt: number | undefined, ofField: readonly HistoryEntry[]): readonly HistoryEntry[] {
	const isOwn = ({from, to}: HistoryEntry): boolean => isSameValue(from, own?.from) && isSameValue(to, own?.to);
	if (ownAt === undefined) {
		return ofField.slice(
			0,
			Math.max(
				0,
				ofField.findIndex(each => isOwn(each)),
			),
		);
	}

	const since = ofField.filter(({at}) => Date.parse(at) >= ownAt);
	const index = since.findLastIndex(each => isOwn(each));
	return index === -1 ? since : since.slice(0, index);
}

const toOvertaking = (entry: HistoryEntry): Overtaking => ({by: entry.by, at: entry.at, entry});
