import {createHash} from 'node:crypto';
import {cleanText} from './clean-text.ts';
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';
import {cleanName, decodeId} from './records.ts';

/*
The history of the bundled service: who changed what. `GET /history` answers `{"entries": […], "next": N}`, the newest entry first; `next`
is the `before` of the next page, or null. No other service has one; there, a journal on this machine has entries of the same shape.
*/

/** The `by` of a change in a journal that was seen, and not made, on this machine. */
export const seenElsewhere = 'elsewhere';

/** A text of more characters than this is described in a page; its entry, read alone, has the whole. */
export const longTextCharacters = 1000;

export const historyKinds = ['installed', 'ability', 'agent', 'key'] as const;

export type HistoryKind = (typeof historyKinds)[number];

/**
A long text in place of a value, or a list whose JSON is long. A page has its `start`. An entry that is read alone has `from` as a whole and,
for `to`, the `difference`: the hunks of a unified diff from the one to the other. It has a list as a whole in both.
*/
export type LongText = {
	readonly characters: number;
	/** Of the text in UTF-8, in hexadecimal. */
	readonly sha256: string;
	readonly start?: string;
	readonly difference?: string;
};

/** How much of a long text a page shows. */
const startCharacters = 200;

/** Returns what stands in place of a long text where it is read alone. */
export function describeText(text: string): LongText & JsonObject {
	return {characters: text.length, sha256: createHash('sha256').update(text).digest('hex')};
}

/** Returns what stands in place of a long text in a page. */
export function describeWithStart(text: string): LongText & JsonObject {
	return {...describeText(text), start: text.slice(0, startCharacters).toWellFormed()};
}

/** One field of one record that was changed, in the words of `plan` and `watch` (`docs/compatibility.md`, JSON). */
export type HistoryEntry = {
	/** A later change has a greater one, whatever the clock said. */
	readonly id: number;
	/** ISO 8601, in UTC. */
	readonly at: string;
	/** The person, else the name of the key; `local` for the service that runs for one program, `operator` for commands on its database. */
	readonly by: string;
	/** The name of the key, if there was one. Not in a journal. */
	readonly key: string | null;
	/** An address, `this machine`, or `ssh-serve` and an address; in a journal, the command or the screen. */
	readonly via: string;
	readonly kind: HistoryKind;
	/** The name of the record, as it was. */
	readonly name: string;
	/** Its id. */
	readonly record: number;
	readonly field: string;
	/** Null where nothing was, or it is not known. */
	readonly from: JsonValue;
	readonly to: JsonValue;
};

/** Returns the name of an entry's record as it is shown; never empty. */
export function entryName({name, record}: Pick<HistoryEntry, 'name' | 'record'>): string {
	return cleanName(name) || `#${record}`;
}

export type HistoryPage = {
	readonly entries: readonly HistoryEntry[];
	/** The `before` of the next page; `undefined` after the last. */
	readonly next: number | undefined;
	/** The service's ETag for exactly this page. */
	readonly entityTag?: string | undefined;
};

/** The entries that are wanted; all conditions must be met. */
export type HistoryQuery = {
	/** From this time on, ISO 8601. */
	readonly since?: string | undefined;
	/** Before this time. */
	readonly until?: string | undefined;
	/** Ids or names of records, in any case: one of them. */
	readonly records?: ReadonlyArray<string | number> | undefined;
	readonly kind?: HistoryKind | undefined;
	/** The name of a person or of a key, in any case. */
	readonly by?: string | undefined;
	/** Entries with a smaller number. */
	readonly before?: number | undefined;
	/** Entries with a greater number. */
	readonly after?: number | undefined;
	/** 100 by default, 1000 at most. */
	readonly limit?: number | undefined;
	/** This entry alone, with its texts. */
	readonly entry?: number | undefined;
};

/** Returns the query as it stands in the address, with its question mark; empty for one without conditions. */
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

/** Decodes an entry; `undefined` for what is none. */
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
		// As the service sent it, for scripts; a screen cleans it.
		name: typeof name === 'string' ? name : '',
		record,
		field: cleanText(field, 40),
		from,
		to,
	};
}

/** Decodes a page, without what is no entry; `undefined` for an answer that is no page. */
export function decodeHistoryPage(answer: JsonValue | undefined): HistoryPage | undefined {
	if (!isJsonObject(answer) || !Array.isArray(answer['entries'])) {
		return undefined;
	}

	return {
		entries: (answer['entries'] as readonly JsonValue[]).map(entry => decodeHistoryEntry(entry)).filter(entry => entry !== undefined),
		next: decodeId(answer['next']),
	};
}
