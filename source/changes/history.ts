import type {Client} from '../client/client.ts';
import {isUnknown} from '../client/routes.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {
	describeText,
	describeWithStart,
	isLongText,
	longTextCharacters,
	type HistoryEntry,
	type HistoryPage,
	type HistoryQuery,
} from '../interface/history.ts';
import type {JsonValue} from '../interface/json.ts';
import {nameIdentity} from '../interface/name-index.ts';
import type {ChangeLog} from './log.ts';

/* The history of an account, for commands and screens: the service's own or, where the service keeps none, the changes in the log. */

/** A page, and whether all changes by others are in it: a log has only the changes that this machine has seen. */
export type ReadHistory = HistoryPage & {readonly isWhole: boolean};

/** Texts with more differing lines are shown as one whole in place of the other: looking for common lines would take too long. */
const maximumEdits = 2000;

type Options = {
	readonly client: Pick<Client, 'readHistory'>;
	/** The log of the account that the client belongs to: another one once its profile is renamed. */
	readonly openLog: () => Pick<ChangeLog, 'changes'>;
};

/** Opens the history of an account. Whether the service keeps one is found out once. */
export function openHistory({client, openLog}: Options) {
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

	const readLog = async (query: HistoryQuery): Promise<ReadHistory> => {
		const changes = openLog().changes();
		const found = changes.filter(meets(query));
		const page = found.slice(0, Math.min(query.limit ?? 100, 1000));
		const entries =
			query.entry === undefined
				? page.map(entry => ({...entry, from: startOf(entry.from), to: startOf(entry.to)}))
				: await Promise.all(page.map(async entry => withDifference(entry)));
		return {entries, next: page.length < found.length ? page.at(-1)?.id : undefined, reachesBackTo: changes.at(-1)?.at, isWhole: false};
	};

	return {
		isKeptByService,
		/** Notes that the service has named the number of an entry: it keeps a history and need not be asked. */
		handleNumber(): void {
			isKept = true;
		},
		/**
		Reads a page.
		@param before - the page that the caller has for the same query: it is returned if nothing has changed on the service.
		@throws SwitchboardError as `readHistory` does, and `unexpected` if the log cannot be read.
		*/
		async read(query: HistoryQuery, signal?: AbortSignal, before?: ReadHistory): Promise<ReadHistory> {
			if (query.entry !== undefined) {
				// Only then can an unknown path be distinguished from an unknown entry.
				await isKeptByService(signal);
			}

			const page = isKept === false ? undefined : await ask(query, signal, before);
			if (page === undefined) {
				return readLog(query);
			}

			return page === before ? before : {...page, isWhole: true};
		},
	};
}

/** The largest page of the bundled service. */
const pageLimit = 1000;

/** A service that sends more pages never stops. */
const maximumPages = 1000;

/**
Reads a history page by page, the newest entries first, until it ends or there are enough. Entries that are added meanwhile are newer than
the page that was read, so they never shift the next page; those that a service repeats are left out.
*/
export async function* readPages<Page extends HistoryPage>(
	read: (query: HistoryQuery) => Promise<Page>,
	{limit = Infinity, ...query}: Omit<HistoryQuery, 'before'>,
): AsyncGenerator<Page, void, void> {
	let left = limit;
	let oldest = Infinity;
	let before: number | undefined;
	for (let pageCount = 0; pageCount < maximumPages && left > 0; pageCount++) {
		const page = await read({...query, before, limit: Math.min(left, pageLimit)});
		const end = Math.min(oldest, before ?? Infinity);
		const entries = page.entries.filter(({id}) => id < end);
		yield {...page, entries};
		const {next = 0} = page;
		if (next <= (query.after ?? 0) || next >= (before ?? Infinity)) {
			return;
		}

		left -= entries.length;
		before = next;
		oldest = entries.at(-1)?.id ?? oldest;
	}
}

/** Tells whether this is an entry that meets the conditions of a query. */
function meets({since, until, records = [], kind, by, before = Infinity, after = 0, entry: wantedId}: HistoryQuery) {
	const [start, end] = [since === undefined ? -Infinity : Date.parse(since), until === undefined ? Infinity : Date.parse(until)];
	const [ids, names] = [new Set(records.map(String)), new Set(records.map(record => nameIdentity(String(record))))];
	const person = by === undefined ? undefined : nameIdentity(by);
	return (entry: HistoryEntry): boolean => {
		const at = Date.parse(entry.at);
		return (
			entry.id < before &&
			entry.id > after &&
			(wantedId === undefined || entry.id === wantedId) &&
			at >= start &&
			at < end &&
			(kind === undefined || entry.kind === kind) &&
			(person === undefined || nameIdentity(entry.by) === person) &&
			(ids.size === 0 || ids.has(String(entry.record)) || names.has(nameIdentity(entry.name)))
		);
	};
}

/** A page holds the start of a long text, or the start of a list's JSON. */
function startOf(value: JsonValue): JsonValue {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > longTextCharacters && !isLongText(value) ? describeWithStart(text) : value;
}

/** Returns the entry as it is read alone: with the difference in place of a long new text. */
async function withDifference(entry: HistoryEntry): Promise<HistoryEntry> {
	const {from, to} = entry;
	if (typeof to !== 'string' || to.length <= longTextCharacters || !(from === null || typeof from === 'string')) {
		return entry;
	}

	const {hunksOf, hunkTitle} = await import('../interface/unified-diff.ts');
	const difference = hunksOf(from ?? '', to, maximumEdits)
		.flatMap(hunk => [hunkTitle(hunk), ...hunk.lines])
		.join('\n');
	return {...entry, to: {...describeText(to), difference}};
}

export type History = ReturnType<typeof openHistory>;
