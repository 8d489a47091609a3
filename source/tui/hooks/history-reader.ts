import {pauseAfterReading} from '../../client/changes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isLongText, type HistoryEntry, type HistoryQuery} from '../../interface/history.ts';
import type {History} from '../../changes/history.ts';
import {withWholeTexts} from '../../state/whole-entry.ts';
import {createObservable} from '../observable.ts';

/** The newest part of a history: each entry is older than the one before it. */
export type HistoryPart = {
	readonly entries: readonly HistoryEntry[];
	/** The `before` of the next page; `undefined` if there is none. */
	readonly next: number | undefined;
};

/** Returns a history whose newest page was read again. The pages that were read before stay, unless so much is new that entries between the two are missing. */
export function withNewestPage(part: HistoryPart, {entries: read, next}: HistoryPart): HistoryPart {
	const entries = descending(read);
	const oldestId = entries.at(-1)?.id ?? Infinity;
	const older = part.entries.filter(({id}) => id < oldestId);
	const isJoined = next !== undefined && older.length > 0 && older.length < part.entries.length;
	return isJoined ? {entries: [...entries, ...older], next: part.next} : {entries, next};
}

/** Without entries that are no older than those before them: their numbers tell the rows apart. */
function descending(entries: readonly HistoryEntry[], before = Infinity): readonly HistoryEntry[] {
	let last = before;
	return entries.filter(({id}) => {
		const isOlder = id < last;
		last = isOlder ? id : last;
		return isOlder;
	});
}

/** Returns the part with a page that follows it. */
export function withOlderPage(part: HistoryPart, {entries, next}: HistoryPart): HistoryPart {
	const isGoingOn = next !== undefined && next < part.next!;
	return {entries: [...part.entries, ...descending(entries, part.entries.at(-1)?.id)], next: isGoingOn ? next : undefined};
}

export type HistoryPages = HistoryPart & {
	/** False until the first page was read. */
	readonly isRead: boolean;
	/** False if the changes of others are not in it. */
	readonly isWhole: boolean;
	/** The page that is being read. */
	readonly reading: 'newest' | 'older' | undefined;
	/** Why the newest attempt failed. */
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
		if (isOutdated) {
			setTimeout(refresh, pauseAfterReading(performance.now() - startedAt)).unref();
		}
	};

	/** Reads what is new, now or after the page that is being read. */
	const refresh = (): void => {
		isOutdated = state.get().reading !== undefined;
		if (!isOutdated) {
			void readPage('newest');
		}
	};

	return {
		get: state.get,
		subscribe: state.subscribe,
		/** Begins to read, and reads what is new at each event of the sources. The function returned ends that; what was read stays. */
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
		/** Reads the next page, if there is one and nothing is being read. */
		readOlder(): void {
			const {next, reading} = state.get();
			if (next !== undefined && reading === undefined) {
				void readPage('older', next);
			}
		},
	};
}

/** Tells whether a page has no more than the start of its texts. */
export function isShortened({from, to}: HistoryEntry): boolean {
	return isLongText(from) || isLongText(to);
}

/**
Returns an entry of a page with its whole texts; of a new text that cannot be made from the former one, there is the difference.

@throws SwitchboardError `not-found` if the history no longer has it.
*/
export async function readWhole({read}: Pick<History, 'read'>, entry: HistoryEntry, signal?: AbortSignal): Promise<HistoryEntry> {
	if (!isShortened(entry)) {
		return entry;
	}

	const {entries} = await read({entry: entry.id}, signal);
	const [whole] = entries;
	if (whole?.id !== entry.id) {
		throw new SwitchboardError('not-found', 'The history no longer has this change.');
	}

	return withWholeTexts(whole);
}
