/** Returns the result of a promise; `undefined` if it is not ready in time. */
export async function inTime<Result>(result: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(late.resolve, milliseconds, undefined);
	try {
		return await Promise.race([result, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

/**
Calls back whenever a stamp has changed and stayed so for a moment, because a program may empty a file before it writes it. Polling is cheap
and, unlike events, works for every file system, for links and for folders that are created later.

@returns a function that stops it.
*/
export function watchStamp(readStamp: () => string, onChange: () => void, intervalMilliseconds = 1000): () => void {
	let last = readStamp();
	let told = last;
	const timer = setInterval(() => {
		const now = readStamp();
		if (now !== last) {
			last = now;
			return;
		}

		if (now === told) {
			return;
		}

		told = now;
		onChange();
	}, intervalMilliseconds);
	timer.unref();
	return () => clearInterval(timer);
}

/** Calls back at once, then at most once per interval; the last request is always carried out. */
export function createThrottle(callback: () => void, intervalMilliseconds: number) {
	let timer: NodeJS.Timeout | undefined;
	let isDue = false;

	/** Cancels a pending call, and ends the interval. */
	const cancel = (): void => {
		clearTimeout(timer);
		timer = undefined;
		isDue = false;
	};

	/** Calls back now or, within the interval after a call, once at its end. */
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
