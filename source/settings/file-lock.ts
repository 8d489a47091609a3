import {rmSync, statSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {createPrivateFile} from '../platform/private-files.ts';

const pauseMilliseconds = 15;

/** Longer than any holder needs: the process behind a lock of this age has died or was stopped. */
const staleAfterMilliseconds = 5000;

/** The difference to now in either direction: a clock that was set back leaves times in the future. */
const ageOf = (lockFile: string): number => {
	const modifiedAt = statSync(lockFile, {throwIfNoEntry: false})?.mtimeMs;
	return modifiedAt === undefined ? 0 : Math.abs(Date.now() - modifiedAt);
};

const acquire = async (lockFile: string): Promise<void> => {
	while (!createPrivateFile(lockFile)) {
		if (ageOf(lockFile) > staleAfterMilliseconds) {
			rmSync(lockFile, {force: true});
		} else {
			await delay(pauseMilliseconds);
		}
	}
};

/**
Runs the action while no other process of this program holds the same lock, so that it changes what it has read.

@param lockFile - a file that exists while the lock is held; its folder must exist.
@throws the error of the file system if the lock file cannot be created.
*/
export const withFileLock = async (lockFile: string, action: () => void): Promise<void> => {
	await acquire(lockFile);
	try {
		action();
	} finally {
		rmSync(lockFile, {force: true});
	}
};
