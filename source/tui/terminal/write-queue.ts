export type WriteQueueOptions = {
	/** Returns the bytes that update the terminal to the newest state; empty if it is up to date. */
	readonly encode: () => string;
	/** Sends bytes. No more are sent until it calls `onWritten`. */
	readonly send: (bytes: string, onWritten: () => void) => void;
	/** Calls back after this turn of the event loop. */
	readonly schedule?: ((callback: () => void) => void) | undefined;
};

export type WriteQueue = {
	readonly isPaused: boolean;
	/** Sends what has changed, in the next turn of the event loop or once earlier bytes are written. */
	update(): void;
	/** Sends nothing until `resume`. A new queue is paused. */
	pause(): void;
	resume(): void;
};

/** Writes to a terminal that may be slower than the UI: states in between are skipped, only the newest is sent. */
export const createWriteQueue = ({encode, send, schedule = setImmediate}: WriteQueueOptions): WriteQueue => {
	let isPaused = true;
	let isScheduled = false;
	let isSending = false;

	const flush = (): void => {
		isScheduled = false;
		if (isPaused || isSending) {
			return;
		}

		const bytes = encode();
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
		update,
		pause() {
			isPaused = true;
		},
		resume() {
			isPaused = false;
		},
	};
};
