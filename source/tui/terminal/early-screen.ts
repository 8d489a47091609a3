import {constants} from 'node:os';
import process from 'node:process';
import {type WriteStream} from 'node:tty';
import {type Size} from './frame-writer.ts';
import {enterModes, leaveModes, writeSynchronously} from './terminal-modes.ts';

/** A screen that is shown before the UI is loaded. */
export type EarlyScreen = {
	readonly size: Size;
	/** What it shows. */
	readonly frame: string;
	/** From now on the terminal is the caller's, as it is: with the modes of the UI, and the frame on its screen. */
	take(): void;
	/** Gives the terminal back when no UI will start. Does nothing once it was taken. */
	release(): void;
};

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
Shows a screen on the terminal. Whatever ends the program before the UI takes over, short of SIGKILL, the terminal is given back.

@param drawing - draws the frame on an empty screen.
*/
export const showEarlyScreen = (stdout: WriteStream, {size, frame, drawing}: Pick<EarlyScreen, 'size' | 'frame'> & {readonly drawing: string}): EarlyScreen => {
	const stopWatching = (): void => {
		process.off('exit', release);
		for (const signal of signals) {
			process.off(signal, onSignal);
		}
	};

	let isOurs = true;
	const release = (): void => {
		if (!isOurs) {
			return;
		}

		isOurs = false;
		stopWatching();
		writeSynchronously(stdout, leaveModes('alternate', size.rows));
	};

	const onSignal = (signal: NodeJS.Signals): void => {
		// Nothing that has to end in order is running yet.
		// eslint-disable-next-line unicorn/no-process-exit
		process.exit(128 + constants.signals[signal]);
	};

	process.on('exit', release);
	for (const signal of signals) {
		process.on(signal, onSignal);
	}

	stdout.write(enterModes('alternate', size.rows) + drawing);
	return {
		size,
		frame,
		take() {
			isOurs = false;
			stopWatching();
		},
		release,
	};
};
