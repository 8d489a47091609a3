import process from 'node:process';
import {type WriteStream} from 'node:tty';
import {bufferStderr} from './buffer-stderr.ts';
import {type Size} from './frame-writer.ts';
import {enterModes, leaveModes, writeSynchronously} from './terminal-modes.ts';

/** A screen that is shown before the UI is loaded. */
export type EarlyScreen = {
	readonly size: Size;
	/** What it shows. */
	readonly frame: string;
	/**
	From now on the terminal is the caller's, as it is: with the modes of the UI, and the frame on its screen.

	@returns a function that writes what was written to standard error meanwhile, and what will be until then.
	*/
	take(): () => void;
	/** Gives the terminal back when no UI will start. Does nothing once it was taken. */
	release(): void;
};

/**
Shows a screen on the terminal. However the program exits before the UI takes over, the terminal is given back.

@param drawing - draws the frame on an empty screen.
*/
export const showEarlyScreen = (stdout: WriteStream, {size, frame, drawing}: Pick<EarlyScreen, 'size' | 'frame'> & {readonly drawing: string}): EarlyScreen => {
	let isOurs = true;
	const release = (): void => {
		if (!isOurs) {
			return;
		}

		isOurs = false;
		process.off('exit', release);
		writeSynchronously(stdout, leaveModes('alternate', size.rows));
		flushStderr();
	};

	const flushStderr = bufferStderr(process.stderr);
	process.on('exit', release);
	stdout.write(enterModes('alternate', size.rows) + drawing);
	return {
		size,
		frame,
		take() {
			isOurs = false;
			process.off('exit', release);
			return flushStderr;
		},
		release,
	};
};
