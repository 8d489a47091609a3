import type {StandardStreams} from '../../platform/standard-streams.ts';

/** A reader that takes nothing for so long stands still. */
const patienceMilliseconds = 2000;

const looksInPatience = 8;

/**
Tells if output still waits and nobody takes any of it. Call it after a signal: nothing else would end what waits for its output
to be written, as Node.js itself does.

@returns what stops looking.
*/
export const watchUnread = ({stdout, stderr}: StandardStreams, onUnread: () => void): (() => void) => {
	let waitingBefore = Infinity;
	let looksInVain = 0;
	const timer = setInterval(() => {
		const waiting = stdout.writableLength + stderr.writableLength;
		looksInVain = waiting > 0 && waiting >= waitingBefore ? looksInVain + 1 : 0;
		waitingBefore = waiting;
		if (looksInVain === looksInPatience) {
			onUnread();
		}
	}, patienceMilliseconds / looksInPatience).unref();
	return () => {
		clearInterval(timer);
	};
};
