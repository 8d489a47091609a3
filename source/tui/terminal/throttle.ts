export type Throttle = {
	/** Calls back now, or, in the rest after a call, once when that is over. */
	run(): void;
	/** Forgets a call that is due, and ends the rest. */
	cancel(): void;
};

/** Calls back at once, and again after a rest if it was wanted meanwhile: the last wish is always met. */
export const createThrottle = (callback: () => void, restMilliseconds: number): Throttle => {
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
			const isWanted = isDue;
			cancel();
			if (isWanted) {
				run();
			}
		}, restMilliseconds);
		callback();
	};

	return {run, cancel};
};
