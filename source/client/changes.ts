import {setTimeout as delay} from 'node:timers/promises';
import {changeFeedPath, eventStreamType, historyPath} from '../interface/endpoints.ts';
import {decodeHistoryPage, formatHistoryQuery, type HistoryPage, type HistoryQuery} from '../interface/history.ts';
import {boundRetryAfter, readRetryAfter, toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import {parseListChange, type ListChange} from './list-versions.ts';
import type {Connection} from './lists.ts';

/** Many times the length of an event of ours. */
const maximumEventLength = 16 * 1024;

type ChangeListener = {
	/** Called before the first change: the head of a stream may come from a proxy that holds back the rest. */
	onOpen(): void;
	/** Called at first with the version of each list, and then with each new one. */
	onChange(change: ListChange): void;
	/** Called for everything that arrives, even if it only shows that the service is still there. */
	onHeard?(): void;
};

type ChangesEnd = {
	/** False if asking again is useless: the service has no such stream, or sends nothing that can be understood. */
	readonly isUseful: boolean;
	/** How long the service asks to be left alone. */
	readonly retryAfterMilliseconds?: number | undefined;
};

/** With these the service has no time now; any other answer but a stream means that this key never gets one. */
const isPassing = (status: number): boolean => [408, 429, 500, 502, 503, 504].includes(status);

const isStream = (status: number, contentType: string | undefined): boolean =>
	status === 200 && contentType?.split(';', 1)[0]!.trim().toLowerCase() === eventStreamType;

/**
Reads the service's stream of changes to its end.

@throws SwitchboardError if the service cannot be reached, or its answer breaks off.
*/
export async function readChanges({transport}: Connection, listener: ChangeListener, signal?: AbortSignal): Promise<ChangesEnd> {
	// Most runs follow no changes.
	const {createParser} = await import('eventsource-parser');
	let isUseful = true;
	let retryAfterMilliseconds: number | undefined;
	let isOpen = false;
	const decoder = new TextDecoder();
	const parser = createParser({
		maxBufferSize: maximumEventLength,
		onEvent({event, data}) {
			const change = event === 'change' ? parseListChange(data) : undefined;
			if (change === undefined) {
				return;
			}

			if (!isOpen) {
				isOpen = true;
				listener.onOpen();
			}

			listener.onChange(change);
		},
		onError({type}) {
			isUseful &&= type !== 'max-buffer-size-exceeded';
		},
	});
	await transport.stream(
		changeFeedPath,
		{
			onHead({status, headers}) {
				const isTelling = isStream(status, headers['content-type']);
				isUseful = isTelling || isPassing(status);
				retryAfterMilliseconds = isTelling ? undefined : readRetryAfter(headers['retry-after']);
				return isTelling;
			},
			onBytes(bytes) {
				listener.onHeard?.();
				parser.feed(decoder.decode(bytes, {stream: true}));
				return isUseful;
			},
		},
		signal,
	);
	return {isUseful, retryAfterMilliseconds};
}

type FollowListener = ChangeListener & {
	/**
	Called when the stream ended, or could not be opened.

	@param isLost - true if a stream that was open did not come back at once, or never will: then changes may have been missed. A stream
	that comes back begins with the versions of the lists.
	*/
	onClosed(isLost: boolean): void;
};

/** How often lists are polled while a stream reports their changes: a machine on the way may hold events back. */
export const rarePollMilliseconds = 5 * 60_000;

/**
Returns the pause before the next read of a list that has changed: a list that changes all the time is read at most a fifth of the time.
*/
export function pauseAfterReading(readMilliseconds: number): number {
	return Math.max(200, 4 * readMilliseconds);
}

/** After a stream that was open this long, waits start from the shortest again. */
export const goodMilliseconds = 30_000;

/**
Returns how long to wait: doubled by each failure in a row, added to the time that the service asks for, and partly random: clients that
were refused together do not return together.
*/
export function waitAfter(failureCount: number, {retryAfterMilliseconds}: Pick<ChangesEnd, 'retryAfterMilliseconds'>): number {
	return boundRetryAfter(retryAfterMilliseconds) + Math.min(500 * 2 ** failureCount, 30_000) * (0.5 + Math.random() / 2);
}

/** Reads the stream of changes again and again, until the signal is aborted or the service turns out to have none. Never rejects. */
export async function followChanges(
	{readChanges: read}: {readonly readChanges: (listener: ChangeListener, signal: AbortSignal) => Promise<ChangesEnd>},
	listener: FollowListener,
	signal: AbortSignal,
): Promise<void> {
	let failureCount = 0;
	let wasOpen = false;
	let end: ChangesEnd = {isUseful: true};
	while (end.isUseful && !signal.aborted) {
		let openedAt = Infinity;
		try {
			end = await read(
				{
					...listener,
					onOpen() {
						openedAt = performance.now();
						listener.onOpen();
					},
				},
				signal,
			);
		} catch {
			// The lists say why the service is away.
			end = {isUseful: true};
		}

		if (signal.aborted) {
			return;
		}

		const isOpened = openedAt < Infinity;
		listener.onClosed(isOpened ? !end.isUseful : wasOpen);
		wasOpen = isOpened;
		failureCount = performance.now() - openedAt >= goodMilliseconds ? 0 : failureCount + 1;
		// The signal is looked at next.
		await delay(end.isUseful ? waitAfter(failureCount, end) : 0, undefined, {signal, ref: false}).catch(() => undefined);
	}
}

/** Many times the length of the longest page of ours, or of an entry with its texts. */
const maximumHistoryBytes = 16 * 1024 * 1024;

/**
Reads a page of the service's history (`interface/history.ts`).

@param before - the page that the caller has for the same query: it is returned if the service answers that nothing has changed (304).
@throws SwitchboardError `not-found`, with the status of the answer, if the service has no history: only the bundled one has.
*/
export async function readHistory(
	{transport}: Connection,
	query: HistoryQuery,
	signal?: AbortSignal,
	before?: HistoryPage,
): Promise<HistoryPage> {
	const answer = await transport.send({
		operation: undefined,
		sending: {auth: 'header', isWrite: false},
		method: 'GET',
		path: historyPath + formatHistoryQuery(query),
		signal,
		maximumBytes: maximumHistoryBytes,
		...(before?.entityTag !== undefined && {headers: {'if-none-match': before.entityTag}}),
	});
	if (answer.status === 304 && before !== undefined) {
		return before;
	}

	if (answer.status < 200 || answer.status >= 300) {
		throw toAnswerError(answer, transport.keyName);
	}

	const page = decodeHistoryPage(answer.json());
	if (page === undefined) {
		throw toUnintelligibleError(answer, 'a history');
	}

	return {...page, entityTag: answer.headers.etag};
}
