import {Buffer} from 'node:buffer';

type Send = (bytes: string, onWritten: () => void) => void;

export type WriteQueueOptions = {
	/** Returns the bytes that update the terminal to the newest state; empty if it is up to date. */
	readonly encode: () => string;
	/** Sends bytes. Nothing more is sent until it calls `onWritten`. */
	readonly send: Send;
	/** Calls back after this turn of the event loop. */
	readonly schedule: (callback: () => void) => void;
};

/** Writes to a terminal that may be slower than the UI: older states are skipped, and only the newest is sent. A new queue is paused. */
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
		/** Sends the changes, in the next turn of the event loop or once earlier bytes are written. */
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

/** With more bytes than this under way, the next frame waits. A connection that takes 1 kB a second is then two seconds behind. */
const maximumBytesUnderWay = 2048;

/** The bytes sent between two requests: few enough that the bytes under way without a request never make a frame wait. */
const bytesBetweenRequests = 512;

/** A terminal that has not answered by then is assumed not to answer at all, until it does. */
const patienceMilliseconds = 10_000;

/**
How long to wait for the last answers, which would otherwise be typed into the next program on the terminal. A terminal that has never
answered may not do so.
*/
const lastAnswersMilliseconds = 5000;
const firstAnswerMilliseconds = 1000;

/**
Keeps the bytes on their way to the terminal few. The SSH server by itself accepts a megabyte before a slow connection makes it stop: frames
would be queued there for minutes. Until the terminal has answered once, and when it stops answering, nothing waits.
*/
export function createFlowControl(write: Send) {
	let sentBytes = 0;
	let drawnBytes = 0;
	/** The number of bytes sent before each unanswered request. */
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
		/** Resolves when no answer is expected any more, always soon. Nothing may be sent meanwhile. */
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
