import {pauseAfterReading} from '../../client/changes.ts';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import type {HistoryEntry, HistoryQuery} from '../../interface/history.ts';
import type {History} from '../../changes/history.ts';
import {createObservable} from '../observable.ts';

/** The newest part of a history, with entries in descending order. */
export type HistoryPart = {
	readonly entries: readonly HistoryEntry[];
	/** The `before` of the next page; `undefined` if there is none. */
	readonly next: number | undefined;
};

/**
Returns a history after its newest page was read again. Older pages stay, unless there are so many new entries that some in between are
missing.
*/
export function withNewestPage(part: HistoryPart, {entries: read, next}: HistoryPart): HistoryPart {
	const entries = descending(read);
	const oldestId = entries.at(-1)?.id ?? Infinity;
	const older = part.entries.filter(({id}) => id < oldestId);
	const isJoined = next !== undefined && older.length > 0 && older.length < part.entries.length;
	return isJoined ? {entries: [...entries, ...older], next: part.next} : {entries, next};
}

/** Returns the entries without those that are out of order: the numbers of their entries identify the rows. */
function descending(entries: readonly HistoryEntry[], before = Infinity): readonly HistoryEntry[] {
	let last = before;
	return entries.filter(({id}) => {
		const isOlder = id < last;
		last = isOlder ? id : last;
		return isOlder;
	});
}

/** Returns the part with its next page. */
export function withOlderPage(part: HistoryPart, {entries, next}: HistoryPart): HistoryPart {
	const isGoingOn = next !== undefined && next < part.next!;
	return {entries: [...part.entries, ...descending(entries, part.entries.at(-1)?.id)], next: isGoingOn ? next : undefined};
}

type HistoryPages = HistoryPart & {
	/** False until the first page was read. */
	readonly isRead: boolean;
	/** False if it lacks the changes of others. */
	readonly isWhole: boolean;
	readonly reading: 'newest' | 'older' | undefined;
	readonly error: SwitchboardError | undefined;
};

/** Reads a history page by page, one request at a time. */
export function createHistoryReader({read}: Pick<History, 'read'>, query: HistoryQuery) {
	const state = createObservable<HistoryPages>({
		entries: [],
		next: undefined,
		isRead: false,
		isWhole: true,
		reading: undefined,
		error: undefined,
	});
	let stopping: AbortController | undefined;
	let isOutdated = false;
	let isOlderWanted = false;

	const readPage = async (reading: 'newest' | 'older', before?: number): Promise<void> => {
		const signal = stopping?.signal;
		if (signal === undefined) {
			return;
		}

		state.set({...state.get(), reading});
		const startedAt = performance.now();
		let result: Partial<HistoryPages>;
		try {
			const page = await read({...query, before}, signal);
			result = {
				...(reading === 'newest' ? withNewestPage : withOlderPage)(state.get(), page),
				isRead: true,
				isWhole: page.isWhole,
				error: undefined,
			};
		} catch (error) {
			result = {error: toSwitchboardError(error)};
		}

		if (signal.aborted) {
			return;
		}

		state.set({...state.get(), ...result, reading: undefined});
		if (isOlderWanted) {
			readOlder();
		}

		if (isOutdated) {
			setTimeout(refresh, pauseAfterReading(performance.now() - startedAt)).unref();
		}
	};

	/** Reads new entries, now or after the page that is being read. */
	const refresh = (): void => {
		isOutdated = state.get().reading !== undefined;
		if (!isOutdated) {
			void readPage('newest');
		}
	};

	/** Reads the next page, if there is one, now or after the newest page that is being read. */
	const readOlder = (): void => {
		const {next, reading} = state.get();
		isOlderWanted = next !== undefined && reading === 'newest';
		if (next !== undefined && reading === undefined) {
			void readPage('older', next);
		}
	};

	return {
		get: state.get,
		subscribe: state.subscribe,
		/** Begins to read, and reads new entries at each event of the sources. The returned function ends that; the entries stay. */
		start(...sources: ReadonlyArray<(listener: () => void) => () => void>): () => void {
			const controller = new AbortController();
			stopping = controller;
			refresh();
			const ends = sources.map(subscribe => subscribe(refresh));
			return () => {
				for (const end of ends) {
					end();
				}

				controller.abort();
				stopping = undefined;
				state.set({...state.get(), reading: undefined});
			};
		},
		refresh,
		readOlder,
	};
}
