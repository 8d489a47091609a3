import {setTimeout as delay} from 'node:timers/promises';

/** How long work waits for a database that is away. */
export const patienceMilliseconds = 5000;

const firstPauseMilliseconds = 20;
const longestPauseMilliseconds = 500;

/**
Tries again, a little later each time, as long as an error passes by itself and patience lasts.

@throws the last error
*/
export const retry = async <Result>(attempt: () => Promise<Result>, isPassing: (error: unknown) => boolean): Promise<Result> => {
	const deadline = performance.now() + patienceMilliseconds;
	for (let pause = firstPauseMilliseconds; ; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
		try {
			return await attempt();
		} catch (error) {
			if (!isPassing(error) || performance.now() + pause > deadline) {
				throw error;
			}

			await delay(pause);
		}
	}
};
