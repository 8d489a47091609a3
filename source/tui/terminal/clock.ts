/** The time, so that a test can control it. */
export type Clock = {
	/** Milliseconds since an arbitrary start. */
	now(): number;
	/** Calls back after this many milliseconds; the returned function cancels that. */
	after(milliseconds: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
	now: () => performance.now(),
	after(milliseconds, callback) {
		const timer = setTimeout(callback, milliseconds);
		return () => {
			clearTimeout(timer);
		};
	},
};
