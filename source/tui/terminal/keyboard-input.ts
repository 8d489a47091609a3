import {Buffer} from 'node:buffer';
import {type InputStream} from '../../platform/standard-streams.ts';
import {systemClock, type Clock} from './clock.ts';
import {type EarlyInput} from './early-input.ts';
import {createKeyReader, type KeyboardEvents} from './key-reader.ts';

export type KeyboardListener = KeyboardEvents & {
	/** Resolves when the next event can be taken; `undefined` if it can be at once. */
	readonly whenReady?: Promise<void> | undefined;
};

export type KeyboardInput = {
	/** Sends keys and pastes here from now on, earlier ones first. */
	listen(listener: KeyboardListener): void;
	/** Holds events until `release`: the rest of a chunk whose first key lends the terminal is still ours. */
	hold(): void;
	release(): void;
	close(): void;
};

/** How many bytes are read into keys at a time: more than anyone types at once. */
const bytesAtATime = 1024;

/** With this many waiting, no more are read. */
const mostEvents = 1024;

/** This many keys are always taken in one turn of the event loop, and drawn once. */
const fewestEventsInATurn = 32;

/** More keys are taken for so long; then others, who share the process, get theirs. */
const turnMilliseconds = 10;

const noBytes = new Uint8Array();

/**
Reads the keyboard from a raw stream, from the first `listen` on. Input that comes faster than it can be taken is taken in
turns of the event loop, and the stream waits meanwhile.

@param onStatus - called at once, held or not, when the terminal answers a status request.
@param contained - makes a callback that never throws of one that may.
*/
export const createKeyboardInput = (
	stdin: InputStream,
	earlyInput: EarlyInput | undefined,
	onStatus: () => void,
	contained: <Parameters extends readonly unknown[]>(callback: (...parameters: Parameters) => void) => (...parameters: Parameters) => void,
	clock: Clock = systemClock,
): KeyboardInput => {
	let listener: KeyboardListener | undefined;
	let isHolding = false;
	let isClosed = false;
	let isStreamWaiting = false;
	/** True until the next turn, or until the listener is ready. */
	let isTurnOver = false;
	let unread: Uint8Array = noBytes;
	/** Read and not sent yet. */
	const events: Array<() => void> = [];

	/** While the stream waits, what completes a sequence may have arrived: that is no reason to give it up. */
	const afterReading = (milliseconds: number, callback: () => void): (() => void) => {
		let cancel = clock.after(milliseconds, contained(() => {
			if (isStreamWaiting) {
				cancel = afterReading(milliseconds, callback);
			} else {
				callback();
				work();
			}
		}));
		return () => {
			cancel();
		};
	};

	const reader = createKeyReader({
		status: onStatus,
		key(key) {
			events.push(() => {
				listener?.key(key);
			});
		},
		paste(text, isTruncated, raw) {
			events.push(() => {
				listener?.paste(text, isTruncated, raw);
			});
		},
	}, {after: afterReading});

	const startTurn = contained(() => {
		isTurnOver = false;
		work();
	});

	const endTurn = (ready: Promise<void> | undefined): void => {
		isTurnOver = true;
		void (async () => {
			await (ready ?? new Promise(resolve => {
				setImmediate(resolve);
			}));
			startTurn();
		})();
	};

	const isSending = (): boolean => !isHolding && !isTurnOver;

	/** Sends events until the turn is over. */
	const sendEvents = (turn: {readonly end: number; count: number}): void => {
		while (isSending() && events.length > 0) {
			events.shift()!();
			turn.count++;
			const ready = listener?.whenReady;
			if (ready !== undefined || (turn.count >= fewestEventsInATurn && clock.now() >= turn.end)) {
				endTurn(ready);
			}
		}
	};

	/** Answers to requests are read while events are held. */
	const isReading = (): boolean => unread.length > 0 && (isHolding || events.length < mostEvents);

	const work = (): void => {
		const turn = {end: clock.now() + turnMilliseconds, count: 0};
		sendEvents(turn);
		while (isReading()) {
			const bytes = unread.subarray(0, bytesAtATime);
			unread = unread.subarray(bytesAtATime);
			reader.write(bytes);
			sendEvents(turn);
		}

		if (isClosed || isStreamWaiting === (unread.length > 0)) {
			return;
		}

		isStreamWaiting = unread.length > 0;
		if (isStreamWaiting) {
			stdin.pause();
		} else {
			stdin.resume();
		}
	};

	const onData = contained((chunk: Uint8Array) => {
		unread = Buffer.concat([unread, chunk]);
		work();
	});

	return {
		listen(newListener) {
			const isListening = listener !== undefined;
			listener = newListener;
			if (isListening) {
				return;
			}

			const typed = earlyInput?.take() ?? noBytes;
			stdin.on('data', onData);
			onData(typed);
		},
		hold() {
			isHolding = true;
			work();
		},
		release() {
			isHolding = false;
			// An event may lend the terminal again: then the rest are held again.
			work();
		},
		close() {
			isClosed = true;
			events.length = 0;
			unread = noBytes;
			reader.close();
			stdin.off('data', onData);
		},
	};
};
