import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';
import {decodeRecord, type Records, type Resource} from './records.ts';

export type DecodedList<Record_> = {
	readonly records: readonly Record_[];
	/** How many entries there are, whether they are records or not. */
	readonly entryCount: number;
	/** How many entries were not records. */
	readonly leftOutCount: number;
	/** The address of the next page, as the service gave it. */
	readonly next: string | undefined;
};

/** The fields that may contain a list (`LIVE-SERVICE.md`, Records). */
const wrappers = ['personalities', 'abilities', 'capabilities', 'results', 'data'] as const;

/** What a list holds, for a sentence. */
export const listNouns: Readonly<Record<Resource, string>> = {agents: 'agents', abilities: 'abilities', installed: 'installed abilities'};

/** One of them. */
export const recordNouns: Readonly<Record<Resource, string>> = {agents: 'agent', abilities: 'ability', installed: 'installed ability'};

/** Says that a record was deleted, or uninstalled. */
export const goneText = (resource: Resource, name: string): string => `${name} ${resource === 'installed' ? 'is no longer installed' : 'no longer exists'}.`;

/** No known account has a hundredth of it. Further entries of a page are not decoded, which takes its time. */
export const maximumListRecords = 100_000;

/** No known service nests lists deeper; a hostile body may be nested without end. */
const maximumDepth = 3;

type Page = {readonly entries: readonly JsonValue[]; readonly next: string | undefined};

const nextOf = ({next}: JsonObject): string | undefined => typeof next === 'string' && next !== '' ? next : undefined;

const findPage = (body: unknown, depth = 0): Page | undefined => {
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
};

/** Keeps the first record of each id: a list that changes while its pages are read repeats some. */
export const withoutDuplicates = <Record_ extends {readonly id: number}>(records: readonly Record_[]): readonly Record_[] => {
	const byId = new Map<number, Record_>();
	for (const record of records) {
		if (!byId.has(record.id)) {
			byId.set(record.id, record);
		}
	}

	return [...byId.values()];
};

/** The address of the next page in the body of a list, as the service gave it. */
export const findNext = (body: unknown): string | undefined => findPage(body)?.next;

const entriesInAStep = 1000;

/**
Decodes one page of a list, in any of the shapes that `LIVE-SERVICE.md` shows: bare, or wrapped in one of the known fields. It
stops after every thousand entries, so that the caller can let others have their turn.

@param known - records decoded before, by id: those that have not changed stay the same objects.
@returns `undefined` if the body is not a list.
*/
export function * decodeListInSteps<R extends Resource>(resource: R, body: unknown, known?: ReadonlyMap<number, Records[R]>): Generator<undefined, DecodedList<Records[R]> | undefined> {
	const page = findPage(body);
	if (page === undefined) {
		return undefined;
	}

	const entries = page.entries.slice(0, maximumListRecords);
	const decoded: Array<Records[R]> = [];
	for (const [index, entry] of entries.entries()) {
		if (index > 0 && index % entriesInAStep === 0) {
			yield;
		}

		const record = decodeRecord(resource, entry, known);
		if (record !== undefined) {
			decoded.push(record);
		}
	}

	return {
		records: withoutDuplicates(decoded),
		entryCount: page.entries.length,
		leftOutCount: entries.length - decoded.length,
		next: page.next,
	};
}

/** Does what `decodeListInSteps` does without a stop. */
export const decodeList = <R extends Resource>(...parameters: Parameters<typeof decodeListInSteps<R>>): DecodedList<Records[R]> | undefined => {
	const steps = decodeListInSteps(...parameters);
	let step = steps.next();
	while (!step.done) {
		step = steps.next();
	}

	return step.value;
};
