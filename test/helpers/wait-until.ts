import {setTimeout as delay} from 'node:timers/promises';

/** Waits for a condition; throws after the deadline. */
export async function waitUntil(isMet: () => boolean | Promise<boolean>, deadlineMilliseconds = 60_000): Promise<void> {
	const deadline = performance.now() + deadlineMilliseconds;
	while (!(await isMet())) {
		if (performance.now() > deadline) {
			throw new Error(`Not within ${deadlineMilliseconds} ms: ${isMet.toString()}`);
		}

		await delay(5);
	}
}
