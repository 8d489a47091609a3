import {Buffer} from 'node:buffer';

type Send = (bytes: string, onWritten: () => void) => void;

export type WriteQueueOptions = {
	/** Returns the bytes that update the terminal to the newest state; empty if it is up to date. */
	readonly encode: () => string;
	/** Sends bytes. No more are sent until it calls `onWritten`. */
	readonly send: Send;
	/** Calls back after this turn of the event loop. */
	readonly schedule: (callback: () => void) => void;
};

/** Writes to a terminal that may be slower than the UI: states in between are skipped, only the newest is sent. A new queue is paused. */
export function createWriteQueue({encode, send, schedule}: WriteQueueOptions) {
	let isPaused = true;
	let isScheduled = false;
	let isSending = false;

	const flush = (): void => {
		isScheduled = false;
		const bytes = isPaused || isSending ? '' : encode();
		if (bytes === '') {
			return;
		}

		isSending = true;
		send(bytes, () => {
			isSending = false;
			update();
		});
	};

	const update = (): void => {
		if (isScheduled || isSending || isPaused) {
			return;
		}

		isScheduled = true;
		schedule(flush);
	};

	return {
		get isPaused() {
			return isPaused;
		},
		/** Sends what has changed, in the next turn of the event loop or once earlier bytes are written. */
		update,
		/** Sends nothing until `resume`. */
		pause(): void {
			isPaused = true;
		},
		resume(): void {
			isPaused = false;
		},
	};
}

/**
DSR 5 (ECMA-48, VT100): the terminal answers it with `CSI 0 n` when it has drawn everything before it. tmux and screen answer
for the terminal behind them, and skip frames themselves.
*/
const statusRequest = '\u{1B}[5n';

/** With more than this under way, the next frame waits. A line that takes 1 kB a second is then two seconds behind. */
const maximumBytesUnderWay = 2048;

/** How many bytes are sent between two requests; so few that what is under way without one never makes a frame wait. */
const bytesBetweenRequests = 512;

/** A terminal that has not answered by then is taken to answer nothing, until it does. */
const patienceMilliseconds = 10_000;

/**
How long the last answers are waited for, which would be typed into the program that has the terminal next; if there was no
answer yet, there may be none.
*/
const lastAnswersMilliseconds = 5000;
const firstAnswerMilliseconds = 1000;

/**
Keeps the bytes on their way to the terminal few. An SSH server alone takes in a megabyte before a slow line makes it stop: frames would
be queued there for minutes. Until the terminal has answered once, and when it stops answering, nothing waits.
*/
export function createFlowControl(write: Send) {
	let sentBytes = 0;
	let drawnBytes = 0;
	/** For each request without an answer, the number of bytes sent before it. */
	let requests: number[] = [];
	let terminal: 'unknown' | 'answering' | 'silent' = 'unknown';
	let onRoom: (() => void) | undefined;
	let lastAnswer: PromiseWithResolvers<void> | undefined;
	let patience: NodeJS.Timeout | undefined;

	const proceed = (): void => {
		if (terminal === 'answering' && sentBytes - drawnBytes > maximumBytesUnderWay) {
			return;
		}

		const callback = onRoom;
		onRoom = undefined;
		callback?.();
	};

	const accept = (bytes: number): void => {
		drawnBytes = bytes;
		proceed();
		if (requests.length > 0) {
			return;
		}

		lastAnswer?.resolve();
		lastAnswer = undefined;
	};

	/** Expects no answer any more. */
	const forget = (): void => {
		clearTimeout(patience);
		requests = [];
		accept(sentBytes);
	};

	const waitForAnswer = (): void => {
		clearTimeout(patience);
		patience = setTimeout(() => {
			terminal = 'silent';
			forget();
		}, patienceMilliseconds);
	};

	return {
		/** Writes bytes, and calls back when the terminal can take more. */
		send(bytes: string, onWritten: () => void): void {
			sentBytes += Buffer.byteLength(bytes);
			const isRequesting = sentBytes - (requests.at(-1) ?? drawnBytes) >= bytesBetweenRequests;
			if (isRequesting) {
				requests.push(sentBytes);
				if (requests.length === 1) {
					waitForAnswer();
				}
			}

			write(isRequesting ? bytes + statusRequest : bytes, () => {
				onRoom = onWritten;
				proceed();
			});
		},
		/** The terminal has answered a request. */
		answer(): void {
			const drawn = requests.shift();
			if (drawn === undefined) {
				return;
			}

			terminal = 'answering';
			clearTimeout(patience);
			if (requests.length > 0) {
				waitForAnswer();
			}

			accept(drawn);
		},
		/** Resolves when no answer is expected any more, soon in any case. Nothing may be sent meanwhile. */
		async whenAnswered(): Promise<void> {
			if (requests.length === 0 || terminal === 'silent') {
				return;
			}

			lastAnswer ??= Promise.withResolvers();
			const timer = setTimeout(forget, terminal === 'answering' ? lastAnswersMilliseconds : firstAnswerMilliseconds);
			await lastAnswer.promise;
			clearTimeout(timer);
		},
		forget,
	};
}
