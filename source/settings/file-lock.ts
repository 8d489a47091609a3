import {
	closeSync,
	openSync,
	rmSync,
	statSync,
} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

const pauseMilliseconds = 15;

/** Longer than any holder needs: whoever held a lock of this age has died or was stopped. */
const staleAfterMilliseconds = 5000;

/** How far its time is from now: a clock that was set back leaves times of the future. */
const ageOf = (lockFile: string): number => {
	try {
		return Math.abs(Date.now() - statSync(lockFile).mtimeMs);
	} catch {
		return 0;
	}
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

const acquire = async (lockFile: string): Promise<void> => {
	for (;;) {
		try {
			closeSync(openSync(lockFile, 'wx', 0o600));
			return;
		} catch (error) {
			if (!isTaken(error)) {
				throw error;
			}
		}

		if (ageOf(lockFile) > staleAfterMilliseconds) {
			rmSync(lockFile, {force: true});
		} else {
			await delay(pauseMilliseconds);
		}
	}
};

/**
Runs the action while no other process of ours holds the same lock, so that what it reads is what it changes.

@param lockFile - a file that exists while the lock is held; its folder must exist.
@throws the error of the file system where the lock file cannot be made: nothing can be written there.
*/
export const withFileLock = async (lockFile: string, action: () => void): Promise<void> => {
	await acquire(lockFile);
	try {
		action();
	} finally {
		rmSync(lockFile, {force: true});
	}
};
