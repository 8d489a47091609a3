import type {Client} from '../../client/client.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {isLongText, type HistoryEntry} from '../../interface/history.ts';
import type {Change} from '../../changes/change.ts';
import {withWholeTexts} from '../../state/whole-entry.ts';
import {isOutage, type Look, type OpenStream} from './poll.ts';

/*
The history of a service whose stream of changes names the number of its newest entry. What came since an earlier look is read from it, so that
nothing is missed that two readings of a list do not show.
*/

type Reader = Pick<Client, 'readHistory'>;

const pageLimit = 1000;

/** Reads the entries after one, the oldest first. What is added meanwhile is read the next time. */
const readEntriesAfter = async (client: Reader, after: number, signal: AbortSignal): Promise<readonly HistoryEntry[]> => {
	const entries: HistoryEntry[] = [];
	let before: number | undefined;
	do {
		const oldest = entries.at(-1)?.id ?? Infinity;
		const page = await client.readHistory({after, before, limit: pageLimit}, signal);
		entries.push(...page.entries.filter(({id}) => id > after && id < oldest));
		const {next = 0} = page;
		before = next > after && next < (before ?? Infinity) ? next : undefined;
	} while (before !== undefined);

	return entries.toReversed();
};

/** Where a history was read to. A stream that was opened again may be that of another history. */
const createPosition = () => {
	let position: number | undefined;
	let last: OpenStream | undefined;
	return {
		get: () => position,
		set(next: number | undefined): void {
			position = next;
		},
		/** Returns true for a stream that is seen for the first time; then the position is dropped if the history is none any more, or began anew. */
		enter(stream: OpenStream | undefined): boolean {
			if (stream === last) {
				return false;
			}

			last = stream;
			position = stream?.history === undefined || stream.history < (position ?? 0) ? undefined : position;
			return true;
		},
	};
};

/**
Returns a function that reads the entries that came since its last call; of the first one with a stream that names a history, since the
stream was opened. Where they cannot be read, they are read the next time.
*/
export const createEntryReader = (
	client: Reader,
	signal: AbortSignal,
): ((stream: OpenStream | undefined) => Promise<readonly HistoryEntry[]>) => {
	const position = createPosition();
	return async stream => {
		position.enter(stream);
		const after = position.get() ?? stream?.history;
		if (after === undefined) {
			return [];
		}

		position.set(after);
		try {
			const entries = await readEntriesAfter(client, after, signal);
			position.set(entries.at(-1)?.id ?? after);
			return entries;
		} catch {
			// The list says whether the service is away.
			return [];
		}
	};
};

/** A change, and when it was made or seen: ISO 8601 in UTC. A history knows who made it, and may have kinds and fields that no list has. */
export type SeenChange = Omit<Change, 'kind' | 'field'> & {
	readonly kind: string;
	readonly field: string;
	readonly at: string;
	readonly by?: string;
};

type Round = Look & {readonly changes: readonly Change[]};

type ToldRound = Look & {readonly changes: readonly SeenChange[]};

const toToldRound = (round: Round): ToldRound => {
	const at = new Date().toISOString();
	return {...round, changes: round.changes.map(change => ({...change, at}))};
};

/** @param isAll - true if every list is to be read again, whether it has changed or not. */
type ReadLists = (isAll: boolean) => Promise<Round>;

/**
Returns a function that reads the lists once more and tells what changed since: from the history where the service has one, with the author
of each change, else from the lists.
*/
export const createChangeReader = (
	client: Reader,
	signal: AbortSignal,
): ((stream: OpenStream | undefined, readLists: ReadLists) => Promise<ToldRound>) => {
	const position = createPosition();
	let isUseless = false;
	/** What the lists have shown since the history was read. */
	let untold: readonly Change[] = [];

	const newest = async (): Promise<number | undefined> => {
		try {
			const {entries} = await client.readHistory({limit: 1}, signal);
			return entries[0]?.id ?? 0;
		} catch (error) {
			isUseless = !isOutage(toSwitchboardError(error));
			return undefined;
		}
	};

	/** Goes over from the lists to the history: at a moment at which all lists were read and no entry came, nothing is told twice or not at all. */
	const begin = async (readLists: ReadLists): Promise<Round> => {
		const before = await newest();
		const round = await readLists(before !== undefined);
		const isQuiet = before !== undefined && round.failure === undefined && before === (await newest());
		position.set(isQuiet ? before : undefined);
		return round;
	};

	/** Reads an entry again for its long texts. Without them it is still a change. */
	const toChange = async ({id, ...entry}: HistoryEntry): Promise<SeenChange> => {
		let whole: HistoryEntry | undefined;
		if (isLongText(entry.from) || isLongText(entry.to)) {
			try {
				const {entries} = await client.readHistory({entry: id}, signal);
				whole = entries[0] && (await withWholeTexts(entries[0]));
			} catch {}
		}

		const {kind, name, field, from, to, at, by} = whole ?? entry;
		return {kind, name, field, from, to, at, by};
	};

	const readHistory = async (after: number): Promise<readonly SeenChange[]> => {
		const entries = await readEntriesAfter(client, after, signal);
		const changes: SeenChange[] = [];
		for (const entry of entries) {
			if (entry.kind !== 'key') {
				changes.push(await toChange(entry));
			}
		}

		position.set(entries.at(-1)?.id ?? after);
		return changes;
	};

	return async (stream, readLists) => {
		if (position.enter(stream)) {
			isUseless = false;
		}

		const after = position.get();
		if (after === undefined) {
			const isHistoryThere = stream?.history !== undefined && !isUseless;
			return toToldRound(await (isHistoryThere ? begin(readLists) : readLists(false)));
		}

		// The lists first: then the history has all that they show.
		const round = await readLists(false);
		untold = [...untold, ...round.changes];
		try {
			const changes = await readHistory(after);
			untold = [];
			return {...round, changes};
		} catch (error) {
			const failure = toSwitchboardError(error);
			if (isOutage(failure) || signal.aborted) {
				return {...round, failure: round.failure ?? failure, changes: []};
			}

			isUseless = true;
			position.set(undefined);
			const changes = untold;
			untold = [];
			return toToldRound({...round, changes});
		}
	};
};
