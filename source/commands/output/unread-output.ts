import process from 'node:process';

/** A reader that takes nothing for so long stands still. */
const patienceMilliseconds = 2000;

const looksInPatience = 8;

/**
Ends the process if its output still waits and nobody takes any of it: nothing else would, because Node.js keeps a process until
its output is written. Call it after a signal.
*/
export const endIfUnread = (exitCode: number): void => {
	let waitingBefore = Infinity;
	let looksInVain = 0;
	setInterval(() => {
		const waiting = process.stdout.writableLength + process.stderr.writableLength;
		looksInVain = waiting > 0 && waiting >= waitingBefore ? looksInVain + 1 : 0;
		waitingBefore = waiting;
		if (looksInVain === looksInPatience) {
			// eslint-disable-next-line unicorn/no-process-exit -- The output cannot be waited for.
			process.exit(exitCode);
		}
	}, patienceMilliseconds / looksInPatience).unref();
};
