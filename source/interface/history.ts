import {createHash} from 'node:crypto';
import {cleanText} from './clean-text.ts';
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';
import {cleanName, decodeId} from './records.ts';

/*
The history of the bundled service: who changed what. `GET /history` answers `{"entries": […], "next": N}`, the newest entry first; `next`
is the `before` of the next page, or null, and `reaches_back_to` the time of the oldest entry of all. Other services have none; for them, a
journal on this machine has entries of this shape.
*/

/** The `by` of a change in a journal that was made elsewhere and only seen on this machine. */
export const seenElsewhere = 'elsewhere';

/** A text with more characters is described in a page; its entry, read alone, has the whole text. */
export const longTextCharacters = 1000;

export const historyKinds = ['installed', 'ability', 'agent', 'key'] as const;

export type HistoryKind = (typeof historyKinds)[number];

/**
Describes a long text, or a list whose JSON is long, in place of the value. A page has its `start`. An entry that is read alone has all of
`from` and, for `to`, the `difference`: the hunks of a unified diff between them. It has a list in full in both.
*/
export type LongText = {
	readonly characters: number;
	/** The hash of the UTF-8 text, in hexadecimal. */
	readonly sha256: string;
	readonly start?: string;
	readonly difference?: string;
};

/** How much of a long text a page shows. */
const startCharacters = 200;

/** Returns the description of a long text in an entry that is read alone. */
export function describeText(text: string): LongText & JsonObject {
	return {characters: text.length, sha256: createHash('sha256').update(text).digest('hex')};
}

/** Returns the description of a long text in a page. */
export function describeWithStart(text: string): LongText & JsonObject {
	return {...describeText(text), start: text.slice(0, startCharacters).toWellFormed()};
}

/** A change of one field of one record, in the words of `plan` and `watch` (`docs/compatibility.md`, JSON). */
export type HistoryEntry = {
	/** A later change has a greater number, whatever the clock said. */
	readonly id: number;
	/** ISO 8601, in UTC. */
	readonly at: string;
	/**
	The person, or else the name of the key; `local` for the service that runs for one program, `operator` for commands on its database.
	*/
	readonly by: string;
	/** The name of the key, if there was one. Absent from a journal. */
	readonly key: string | null;
	/** An address, `this machine`, or `ssh-serve` and an address; in a journal, the command or the screen. */
	readonly via: string;
	readonly kind: HistoryKind;
	readonly name: string;
	readonly record: number;
	readonly field: string;
	/** Null if there was no value, or it is not known. */
	readonly from: JsonValue;
	readonly to: JsonValue;
};

/** Returns the name of an entry's record for display; never empty. */
export function entryName({name, record}: Pick<HistoryEntry, 'name' | 'record'>): string {
	return cleanName(name) || `#${record}`;
}

export type HistoryPage = {
	readonly entries: readonly HistoryEntry[];
	/** The `before` of the next page; `undefined` after the last. */
	readonly next: number | undefined;
	/** When the oldest entry of the whole history was made, ISO 8601; `undefined` if there is none, or it is not known. */
	readonly reachesBackTo?: string | undefined;
	/** The service's ETag for exactly this page. */
	readonly entityTag?: string | undefined;
};

/** Conditions for entries; an entry must meet all of them. */
export type HistoryQuery = {
	/** ISO 8601, inclusive. */
	readonly since?: string | undefined;
	/** ISO 8601, exclusive. */
	readonly until?: string | undefined;
	/** Ids or names of records, in any case; an entry must match one of them. */
	readonly records?: ReadonlyArray<string | number> | undefined;
	readonly kind?: HistoryKind | undefined;
	/** The name of a person or of a key, in any case. */
	readonly by?: string | undefined;
	/** Exclusive. */
	readonly before?: number | undefined;
	/** Exclusive. */
	readonly after?: number | undefined;
	/** 100 by default, 1000 at most. */
	readonly limit?: number | undefined;
	/** Only this entry, with its texts. */
	readonly entry?: number | undefined;
};

/** Returns the query as it appears in the address, with its question mark; empty for a query without conditions. */
export function formatHistoryQuery({records = [], ...query}: HistoryQuery): string {
	const parameters = new URLSearchParams();
	for (const record of records) {
		parameters.append('record', String(record));
	}

	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined) {
			parameters.set(name, String(value));
		}
	}

	return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

export function isLongText(value: JsonValue): value is LongText & JsonObject {
	return isJsonObject(value) && typeof value['characters'] === 'number' && typeof value['sha256'] === 'string';
}

/** Decodes an entry; `undefined` if the value is not an entry. */
export function decodeHistoryEntry(value: JsonValue): HistoryEntry | undefined {
	if (!isJsonObject(value)) {
		return undefined;
	}

	const {at, by, key, via, name, field, from = null, to = null} = value;
	const id = decodeId(value['id']);
	const record = decodeId(value['record']);
	const kind = historyKinds.find(each => each === value['kind']);
	if (
		id === undefined ||
		record === undefined ||
		kind === undefined ||
		typeof at !== 'string' ||
		Number.isNaN(Date.parse(at)) ||
		typeof field !== 'string'
	) {
		return undefined;
	}

	const text = (given: JsonValue | undefined): string => (typeof given === 'string' ? cleanText(given, 200) : '');
	return {
		id,
		at: new Date(at).toISOString(),
		by: text(by),
		key: typeof key === 'string' ? text(key) : null,
		via: text(via),
		kind,
		// Not cleaned, for scripts; a screen cleans it.
		name: typeof name === 'string' ? name : '',
		record,
		field: cleanText(field, 40),
		from,
		to,
	};
}

function decodeTime(value: JsonValue | undefined): string | undefined {
	const time = typeof value === 'string' ? Date.parse(value) : NaN;
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Decodes a page, leaving out values that are not entries; `undefined` for an answer that is not a page. */
export function decodeHistoryPage(answer: JsonValue | undefined): HistoryPage | undefined {
	if (!isJsonObject(answer) || !Array.isArray(answer['entries'])) {
		return undefined;
	}

	return {
		entries: (answer['entries'] as readonly JsonValue[]).map(entry => decodeHistoryEntry(entry)).filter(entry => entry !== undefined),
		next: decodeId(answer['next']),
		reachesBackTo: decodeTime(answer['reaches_back_to']),
	};
}
