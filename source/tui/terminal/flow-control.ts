import {Buffer} from 'node:buffer';
import {systemClock, type Clock} from './clock.ts';

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

export type FlowControl = {
	/** Writes bytes, and calls back when the terminal can take more. */
	send(bytes: string, onWritten: () => void): void;
	/** The terminal has answered a request. */
	answer(): void;
	/** Resolves when no answer is expected any more, soon in any case. Nothing may be sent meanwhile. */
	whenAnswered(): Promise<void>;
	/** Expects no answer any more. */
	forget(): void;
};

export type FlowControlOptions = {
	write(bytes: string, onWritten: () => void): void;
	readonly clock?: Pick<Clock, 'after'> | undefined;
};

/**
Keeps the bytes on their way to the terminal few. An SSH server alone takes in a megabyte before a slow line makes it stop: frames would
be queued there for minutes. Until the terminal has answered once, and when it stops answering, nothing waits.
*/
export const createFlowControl = ({write, clock = systemClock}: FlowControlOptions): FlowControl => {
	let sentBytes = 0;
	let drawnBytes = 0;
	/** For each request without an answer, the number of bytes sent before it. */
	let requests: number[] = [];
	let terminal: 'unknown' | 'answering' | 'silent' = 'unknown';
	let onRoom: (() => void) | undefined;
	let lastAnswer: PromiseWithResolvers<void> | undefined;
	let stopWatching = (): void => undefined;

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

	const forget = (): void => {
		stopWatching();
		requests = [];
		accept(sentBytes);
	};

	/** Watches for the next answer. */
	const watch = (): void => {
		stopWatching();
		stopWatching = clock.after(patienceMilliseconds, () => {
			terminal = 'silent';
			forget();
		});
	};

	return {
		send(bytes, onWritten) {
			sentBytes += Buffer.byteLength(bytes);
			const isRequesting = sentBytes - (requests.at(-1) ?? drawnBytes) >= bytesBetweenRequests;
			if (isRequesting) {
				requests.push(sentBytes);
				if (requests.length === 1) {
					watch();
				}
			}

			write(isRequesting ? bytes + statusRequest : bytes, () => {
				onRoom = onWritten;
				proceed();
			});
		},
		answer() {
			const drawn = requests.shift();
			if (drawn === undefined) {
				return;
			}

			terminal = 'answering';
			stopWatching();
			if (requests.length > 0) {
				watch();
			}

			accept(drawn);
		},
		async whenAnswered() {
			if (requests.length === 0 || terminal === 'silent') {
				return;
			}

			lastAnswer ??= Promise.withResolvers();
			const cancel = clock.after(terminal === 'answering' ? lastAnswersMilliseconds : firstAnswerMilliseconds, forget);
			await lastAnswer.promise;
			cancel();
		},
		forget,
	};
};
