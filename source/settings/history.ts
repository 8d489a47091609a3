import {createHash} from 'node:crypto';
import type {Client} from '../client/client.ts';
import {isUnknown} from '../client/routes.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {
	longTextCharacters,
	type HistoryEntry,
	type HistoryPage,
	type HistoryQuery,
	type LongText,
} from '../interface/history.ts';
import type {JsonValue} from '../interface/json.ts';
import type {Journal} from './journal.ts';

/* The history of an account, for commands and screens: the service's own or, of a service that keeps none, the changes in the journal. */

type Options = {
	readonly client: Pick<Client, 'readHistory'>;
	/** The journal of the account that the client belongs to: another one once its profile is renamed. */
	readonly openJournal: () => Pick<Journal, 'changes'>;
};

/** A page, and whether the changes of others are in it: of those, a journal has what was seen from this machine. */
export type ReadHistory = HistoryPage & {readonly isWhole: boolean};

const usualLimit = 100;
const maximumLimit = 1000;

/** How much of a long text a page shows. */
const startCharacters = 200;

/** Between texts that differ in more lines, looking for what they share would take too long. */
const maximumEdits = 2000;

const describe = (text: string): LongText => ({characters: text.length, sha256: createHash('sha256').update(text).digest('hex')});

const isLong = (value: JsonValue): value is string => typeof value === 'string' && value.length > longTextCharacters;

const startOf = (value: JsonValue): JsonValue =>
	isLong(value) ? {...describe(value), start: value.slice(0, startCharacters).toWellFormed()} : value;

/** The entry as it is read alone: with the difference in place of a long new text, where there is one. */
const withDifference = async (entry: HistoryEntry): Promise<HistoryEntry> => {
	const {from, to} = entry;
	if (!isLong(to) || !(from === null || typeof from === 'string')) {
		return entry;
	}

	const {formatPatch, structuredPatch, OMIT_HEADERS} = await import('diff');
	const patch = structuredPatch('', '', from ?? '', to, undefined, undefined, {context: 3, maxEditLength: maximumEdits});
	return patch === undefined ? entry : {...entry, to: {...describe(to), difference: formatPatch(patch, OMIT_HEADERS)}};
};

const isSameName = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

/** True for an entry that meets the conditions of a query. */
const meets = ({since, until, records = [], kind, by, before = Infinity, after = 0, entry: wantedId}: HistoryQuery) => {
	const [start, end] = [since === undefined ? -Infinity : Date.parse(since), until === undefined ? Infinity : Date.parse(until)];
	return (entry: HistoryEntry): boolean => {
		const at = Date.parse(entry.at);
		return entry.id < before && entry.id > after && (wantedId === undefined || entry.id === wantedId)
			&& at >= start && at < end
			&& (kind === undefined || entry.kind === kind)
			&& (by === undefined || isSameName(entry.by, by))
			&& (records.length === 0 || records.some(wanted => typeof wanted === 'number' ? entry.record === wanted : isSameName(entry.name, wanted)));
	};
};

/** Opens the history of an account. Whether the service keeps one is found out once. */
export const openHistory = ({client, openJournal}: Options) => {
	let isKept: boolean | undefined;

	/** Reads a page of the service; `undefined` if it turns out to have no history. Some services answer every path with a web page. */
	const ask = async (...given: Parameters<Client['readHistory']>): Promise<HistoryPage | undefined> => {
		try {
			const page = await client.readHistory(...given);
			isKept = true;
			return page;
		} catch (error) {
			if (isKept === true || !(isUnknown(error) || toSwitchboardError(error).kind === 'unintelligible')) {
				throw error;
			}

			isKept = false;
			return undefined;
		}
	};

	/**
	Whether the service keeps a history; it is asked if that is not known yet.
	@throws SwitchboardError if there is no answer that says it.
	*/
	const isKeptByService = async (signal?: AbortSignal): Promise<boolean> => {
		if (isKept === undefined) {
			await ask({limit: 1}, signal);
		}

		return isKept!;
	};

	const readJournal = async (query: HistoryQuery): Promise<ReadHistory> => {
		const found = openJournal().changes().filter(meets(query));
		const page = found.slice(0, Math.min(query.limit ?? usualLimit, maximumLimit));
		const entries = query.entry === undefined
			? page.map(entry => ({...entry, from: startOf(entry.from), to: startOf(entry.to)}))
			: await Promise.all(page.map(async entry => withDifference(entry)));
		return {entries, next: page.length < found.length ? page.at(-1)?.id : undefined, isWhole: false};
	};

	return {
		isKeptByService,
		/**
		Reads a page.
		@param before - the page that the caller has for the same query: it is returned if nothing has changed on the service.
		@throws SwitchboardError as `readHistory` does, and `unexpected` if the journal cannot be read.
		*/
		async read(query: HistoryQuery, signal?: AbortSignal, before?: ReadHistory): Promise<ReadHistory> {
			if (query.entry !== undefined) {
				// Only then is an unknown path told from an unknown entry.
				await isKeptByService(signal);
			}

			const page = isKept === false ? undefined : await ask(query, signal, before);
			if (page === undefined) {
				return readJournal(query);
			}

			return page === before ? before : {...page, isWhole: true};
		},
	};
};

export type History = ReturnType<typeof openHistory>;
