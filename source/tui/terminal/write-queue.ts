export type WriteQueueOptions = {
	/** The bytes that bring the line from what it has to what is wanted now; empty where that is the same. */
	readonly encode: () => string;
	/** Sends bytes. `onWritten` says that the line has taken them: until then no more are sent. */
	readonly send: (bytes: string, onWritten: () => void) => void;
	/** Calls back once all that happens in this turn has happened. */
	readonly schedule?: ((callback: () => void) => void) | undefined;
};

export type WriteQueue = {
	readonly isPaused: boolean;
	/** Sends what has changed, with the next turn of the event loop or once the line has taken what was sent before. */
	update(): void;
	/** Nothing is sent from now on, as at the beginning, until `resume`. */
	pause(): void;
	resume(): void;
};

/** What lies between a screen and a line that may be slower than it: only the newest of what was wanted meanwhile is sent. */
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
