type WindowCounterOptions = {
	readonly windowMilliseconds: number;
	/** How many keys are remembered; beyond it the oldest is forgotten. */
	readonly maximumKeys?: number;
	/** A clock that nobody can set. */
	readonly now?: () => number;
};

export type Count = {
	readonly count: number;
	/** Until the window of the key ends: never more than a window. */
	readonly millisecondsLeft: number;
};

/** Counts events by key in windows of time, each of which begins with an event. */
export type WindowCounter = (key: string) => Count;

export const createWindowCounter = ({windowMilliseconds, maximumKeys = 10_000, now = () => performance.now()}: WindowCounterOptions): WindowCounter => {
	const windows = new Map<string, {count: number; readonly end: number}>();

	const begin = (key: string, time: number) => {
		const window = {count: 0, end: time + windowMilliseconds};
		// A map keeps the order in which keys are added, so the first is the oldest.
		windows.delete(key);
		windows.set(key, window);
		const [oldest] = windows.keys();
		if (windows.size > maximumKeys && oldest !== undefined) {
			windows.delete(oldest);
		}

		return window;
	};

	return key => {
		const time = now();
		const known = windows.get(key);
		const window = known !== undefined && known.end > time ? known : begin(key, time);
		window.count++;
		return {count: window.count, millisecondsLeft: window.end - time};
	};
};
