import {setImmediate} from 'node:timers/promises';
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';
import {decodeRecord, type Records, type Resource} from './records.ts';

export type DecodedList<Record_> = {
	readonly records: readonly Record_[];
	/** The number of entries, whether they are records or not. */
	readonly entryCount: number;
	/** The number of entries that are not records. */
	readonly leftOutCount: number;
	/** The address of the next page, as the service gave it. */
	readonly next: string | undefined;
};

/** The fields that may contain a list (`docs/interface.md`, Records). */
const wrappers = ['personalities', 'abilities', 'capabilities', 'results', 'data'] as const;

/** The records of a list, for a sentence. */
export const listNouns: Readonly<Record<Resource, string>> = {agents: 'agents', abilities: 'abilities', installed: 'installed abilities'};

/** One record, for a sentence. */
export const recordNouns: Readonly<Record<Resource, string>> = {agents: 'agent', abilities: 'ability', installed: 'installed ability'};

/** Returns the words for a record that was deleted or uninstalled. */
export function goneText(resource: Resource, name: string): string {
	return `${name} ${resource === 'installed' ? 'is no longer installed' : 'no longer exists'}.`;
}

/** No known account has a hundredth of this. Further entries of a page are not decoded, because decoding takes time. */
export const maximumListRecords = 100_000;

/** No known service nests lists deeper; a hostile body may be nested endlessly. */
const maximumDepth = 3;

/** Keeps the first record of each id: a list that changes while its pages are read may repeat records. */
export function withoutDuplicates<Record_ extends {readonly id: number}>(records: readonly Record_[]): readonly Record_[] {
	const byId = new Map<number, Record_>();
	for (const record of records) {
		if (!byId.has(record.id)) {
			byId.set(record.id, record);
		}
	}

	return [...byId.values()];
}

/** Returns the address of the next page from the body of a list, as the service gave it. */
export function findNext(body: unknown): string | undefined {
	return findPage(body)?.next;
}

type Page = {readonly entries: readonly JsonValue[]; readonly next: string | undefined};

function findPage(body: unknown, depth = 0): Page | undefined {
	if (Array.isArray(body)) {
		return {entries: body as readonly JsonValue[], next: undefined};
	}

	if (!isJsonObject(body) || depth === maximumDepth) {
		return undefined;
	}

	for (const wrapper of wrappers) {
		const page = findPage(body[wrapper], depth + 1);
		if (page !== undefined) {
			return {entries: page.entries, next: nextOf(body) ?? page.next};
		}
	}

	// Some services send null for an empty list.
	return wrappers.some(wrapper => body[wrapper] === null) ? {entries: [], next: nextOf(body)} : undefined;
}

const nextOf = ({next}: JsonObject): string | undefined => (typeof next === 'string' && next !== '' ? next : undefined);

/**
Decodes one page of a list, in any of the shapes that services send (`docs/interface.md`, Records): bare, or in a known field.

@returns `undefined` if the body is not a list.
*/
export function decodeList<R extends Resource>(resource: R, body: unknown): DecodedList<Records[R]> | undefined {
	const page = findPage(body);
	return page && toList(page, decodeEntries(resource, page.entries.slice(0, maximumListRecords), undefined));
}

const toList = <R extends Resource>({entries, next}: Page, decoded: ReadonlyArray<Records[R]>): DecodedList<Records[R]> => ({
	records: withoutDuplicates(decoded),
	entryCount: entries.length,
	leftOutCount: Math.min(entries.length, maximumListRecords) - decoded.length,
	next,
});

type Known<R extends Resource> = ReadonlyMap<number, Records[R]> | undefined;

const decodeEntries = <R extends Resource>(resource: R, entries: readonly JsonValue[], known: Known<R>): ReadonlyArray<Records[R]> =>
	entries.map(entry => decodeRecord(resource, entry, known)).filter(record => record !== undefined);

const entriesInAStep = 1000;

/**
Decodes one page with pauses in which signals and keys are handled.

@param known - records decoded before, by id: unchanged records stay the same objects.
*/
export async function decodeListInSteps<R extends Resource>(
	resource: R,
	body: unknown,
	known: Known<R>,
): Promise<DecodedList<Records[R]> | undefined> {
	const page = findPage(body);
	if (page === undefined) {
		return undefined;
	}

	const decoded: Array<Records[R]> = [];
	for (let start = 0; start < Math.min(page.entries.length, maximumListRecords); start += entriesInAStep) {
		if (start > 0) {
			await setImmediate();
		}

		decoded.push(...decodeEntries(resource, page.entries.slice(start, Math.min(start + entriesInAStep, maximumListRecords)), known));
	}

	return toList(page, decoded);
}
