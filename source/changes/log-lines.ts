import {decodeHistoryEntry, describeWithStart, type HistoryEntry} from '../interface/history.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {cleanName, decodeId} from '../interface/records.ts';
import {parseObject} from '../platform/kept-file.ts';

/*
The lines of a log, each an object of a `kind`. Lines of another kind or a later format belong to another version and are kept as they are;
text that is not JSON is the end of a line whose writer was killed. Fields that 1.0.0 did not know are added to its lines, so that each
version reads the lines of the other.
*/

export const format = 1;

/** A longer value is described instead of kept. */
const maximumValueCharacters = 100_000;

export type KeptPrompt = {
	/** Counts the texts of the agent, from 1. */
	readonly version: number;
	readonly agentId: number;
	readonly name: string;
	/** When it was replaced, in milliseconds since the epoch. */
	readonly at: number;
	/** The command or key that replaced it, such as `agents edit`. */
	readonly via: string;
	/** As the service returned it. */
	readonly text: string;
};

/** The origin of a change that was made here, for undo. */
export type Origin = {
	/** The session that made it (`platform/sessions.ts`). */
	readonly session: string;
	/** Shared by the changes of one key or command. */
	readonly group: string;
	/** The groups that this change takes back, as far as they concern the same field. */
	readonly undoes?: readonly string[] | undefined;
	/** The person over SSH, as a hash of their key. */
	readonly person?: string | undefined;
	/** When the service changed the record, in milliseconds since the epoch, if it shows that. */
	readonly changedAt?: number | undefined;
};

/** The changes of one key or command, and what they take back. */
export type Group = Pick<Origin, 'group' | 'undoes'>;

/** A change in the log. Changes that were seen, or written by 1.0.0, have no origin. */
export type LogEntry = HistoryEntry & {
	readonly origin?: Origin | undefined;
	/** For a removal: the ability before it, by `encodeFormer`. */
	readonly before?: JsonObject | undefined;
};

/** An installed ability that was switched on for a conversation and is still on. */
export type Tried = {
	readonly key: string;
	readonly session: string;
	readonly id: number;
	readonly name: string;
	/** When it was switched on, in milliseconds since the epoch. */
	readonly at: number;
};

/** A change to note; the log gives it its number. */
export type NewChange = Omit<LogEntry, 'id' | 'at' | 'key'> & {
	/** In milliseconds since the epoch, as is `since`. */
	readonly at: number;
	/** The change was not made before this time: it was sent later, or a list that was read at this time does not show it. */
	readonly since: number;
};

export const nothingRead = {prompt: undefined, change: undefined, tried: undefined, removal: undefined, skipped: []};

type Place = Pick<HistoryEntry, 'kind' | 'record' | 'name' | 'field'>;

/** Returns the place of a change: the record and the field. Records that come or go with an ability of their name share its place. */
export function placeOf({kind, record, name, field}: Place): string {
	return field === 'exists' || field === 'installed' ? `presence ${name}` : `${kind} ${record} ${field}`;
}

/** Returns the key of a change in its group. */
export function skipKey(entry: Place & Pick<LogEntry, 'origin'>, group = entry.origin!.group): string {
	return `${group} ${placeOf(entry)}`;
}

/** A line of the file; a line that only another version understands has nothing but its text. */
export type Line = {
	readonly text: string;
	readonly prompt: KeptPrompt | undefined;
	readonly change: LogEntry | undefined;
	readonly tried: Tried | undefined;
	readonly removal: LogEntry | undefined;
	/** Keys of changes that undo skips, and of tries that are over. */
	readonly skipped: readonly string[];
};

export function readLine(text: string): Line | undefined {
	const value = parseObject(text);
	return (
		value && {
			text,
			prompt: readPrompt(value),
			change: readChange(value),
			tried: readTried(value),
			removal: readRemoval(value),
			skipped: readSkipped(value),
		}
	);
}

function readPrompt(value: JsonObject): KeptPrompt | undefined {
	const {version, agent_id: agentId, name, via, text} = value;
	const at = typeof value['at'] === 'string' ? Date.parse(value['at']) : NaN;
	return value['format'] === format &&
		value['kind'] === 'prompt' &&
		isInteger(version) &&
		version > 0 &&
		version < Number.MAX_SAFE_INTEGER &&
		isInteger(agentId) &&
		typeof name === 'string' &&
		typeof via === 'string' &&
		typeof text === 'string' &&
		!Number.isNaN(at)
		? {version, agentId, name, at, via, text}
		: undefined;
}

const isInteger = (value: JsonValue | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** The kind of the line differs from the kind of the record. */
function readChange({record_kind: recordKind = null, ...value}: JsonObject): LogEntry | undefined {
	const entry =
		value['format'] === format && value['kind'] === 'change' && value['id'] !== Number.MAX_SAFE_INTEGER
			? decodeHistoryEntry({...value, kind: recordKind})
			: undefined;
	const origin = readOrigin(value);
	return entry === undefined || origin === undefined ? entry : {...entry, origin};
}

const readOrigin = ({session, group, undoes, person, changed_at: changedAt}: JsonObject): Origin | undefined =>
	typeof session === 'string' && typeof group === 'string'
		? {
				session,
				group,
				...(Array.isArray(undoes) && undoes.every(each => typeof each === 'string') && {undoes}),
				...(typeof person === 'string' && {person}),
				...(typeof changedAt === 'number' && {changedAt}),
			}
		: undefined;

function readTried({kind, key, session, record, name, at}: JsonObject): Tried | undefined {
	const id = decodeId(record);
	return kind === 'try' &&
		typeof key === 'string' &&
		typeof session === 'string' &&
		id !== undefined &&
		typeof name === 'string' &&
		cleanName(name) === name &&
		typeof at === 'number'
		? {key, session, id, name, at}
		: undefined;
}

/** Returns a removal, as the change that it is once it was made. */
function readRemoval({record_kind: recordKind = null, before, ...value}: JsonObject): LogEntry | undefined {
	const field = recordKind === 'installed' ? 'installed' : 'exists';
	const entry =
		value['kind'] === 'removal' ? decodeHistoryEntry({...value, id: 0, kind: recordKind, field, from: true, to: false}) : undefined;
	const origin = readOrigin(value);
	return entry === undefined || origin === undefined || !isJsonObject(before) ? undefined : {...entry, origin, before};
}

const readSkipped = ({kind, keys}: JsonObject): readonly string[] =>
	kind === 'skip' && Array.isArray(keys) ? keys.filter(key => typeof key === 'string') : [];

/** Returns the text of a line for a prompt. */
export function promptLine({version, agentId, name, at, via, text}: KeptPrompt): string {
	return JSON.stringify({format, kind: 'prompt', at: new Date(at).toISOString(), via, agent_id: agentId, name, version, text});
}

/** Returns the fields of a line for an origin. */
export function originFields({changedAt, ...origin}: Origin): JsonObject {
	return JSON.parse(JSON.stringify({...origin, changed_at: changedAt})) as JsonObject;
}

/** Returns a value as it is kept: a very long one is described. */
export function keptValue(value: JsonValue): JsonValue {
	return typeof value === 'string' && value.length > maximumValueCharacters ? describeWithStart(value) : value;
}

/**
Returns the changes of lines in their order, each removal with the ability before it, including a removal that was cut off before it was
noted.
*/
export function changesIn(lines: readonly Line[]): readonly LogEntry[] {
	const removals = new Map(lines.flatMap(({removal}) => (removal === undefined ? [] : [[skipKey(removal), removal] as const])));
	const noted = new Set(lines.flatMap(({change}) => (change?.origin === undefined ? [] : [skipKey(change)])));
	let lastId = 0;
	return lines.flatMap(({change, removal}): readonly LogEntry[] => {
		if (change !== undefined) {
			lastId = change.id;
			const before = change.origin && removals.get(skipKey(change))?.before;
			return [before === undefined ? change : {...change, before}];
		}

		return removal === undefined || noted.has(skipKey(removal)) ? [] : [{...removal, id: lastId}];
	});
}

/** Sorts changes by number; a program that was killed may have written some numbers twice. */
export function newestFirst(changes: readonly LogEntry[]): readonly LogEntry[] {
	const byId = new Map(changes.map(change => [change.id, change]));
	return changes
		.filter(change => change.before !== undefined || byId.get(change.id) === change)
		.toReversed()
		.toSorted((first, second) => second.id - first.id);
}
