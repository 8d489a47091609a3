type Throttle = {
	/** Calls back now or, within the interval after a call, once at its end. */
	run(): void;
	/** Cancels a pending call, and ends the interval. */
	cancel(): void;
};

/** Calls back at once, then at most once per interval; the last request is always carried out. */
export function createThrottle(callback: () => void, intervalMilliseconds: number): Throttle {
	let timer: NodeJS.Timeout | undefined;
	let isDue = false;

	const cancel = (): void => {
		clearTimeout(timer);
		timer = undefined;
		isDue = false;
	};

	const run = (): void => {
		if (timer !== undefined) {
			isDue = true;
			return;
		}

		timer = setTimeout(() => {
			const wasDue = isDue;
			cancel();
			if (wasDue) {
				run();
			}
		}, intervalMilliseconds);
		callback();
	};

	return {run, cancel};
}
