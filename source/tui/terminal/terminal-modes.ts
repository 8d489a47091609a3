import {writeSync} from 'node:fs';
import process from 'node:process';
import type {WriteStream} from 'node:tty';
import type {OutputStream} from '../../platform/standard-streams.ts';
import type {Size} from './frame-writer.ts';
import {mouseOff, mouseOn} from './mouse.ts';
import {bufferStderr} from './terminal-host.ts';

/**
The modes that the UI needs: bracketed paste, and, except line by line, the alternate screen and no wrapping at the right edge,
so that a row that the terminal thinks wider than we do cannot push the others down. The mouse is on only where it was asked for: a
terminal that reports it selects no text.
*/
export const enterModes = (isLinear: boolean, isMouseOn = false): string => `${isLinear ? '' : '\u{1B}[?1049h\u{1B}[?7l'}\u{1B}[?2004h${isMouseOn ? mouseOn : ''}`;

/** Restores the modes that every program expects. A terminal without an alternate screen is left empty. */
export const leaveModes = (isLinear: boolean, isMouseOn = false): string =>
	`${isMouseOn ? mouseOff : ''}\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h${isLinear ? '\r\n' : '\u{1B}[H\u{1B}[J\u{1B}[?1049l'}`;

/** Writes before anything else can happen to the program. Ignores a terminal that has hung up. */
export const writeSynchronously = (stdout: OutputStream, bytes: string): void => {
	try {
		if (stdout.writableLength === 0 && 'fd' in stdout && typeof stdout.fd === 'number') {
			writeSync(stdout.fd, bytes);
		} else {
			// After the writes that are still pending.
			stdout.write(bytes);
		}
	} catch {}
};

/** A screen that is shown before the UI is loaded. */
export type EarlyScreen = {
	readonly size: Size;
	/** The frame that it shows. */
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
	const flushStderr = bufferStderr(process.stderr);
	const release = (): void => {
		process.off('exit', release);
		writeSynchronously(stdout, leaveModes(false));
		flushStderr();
	};

	let end = release;
	process.on('exit', release);
	stdout.write(enterModes(false) + drawing);
	return {
		size,
		frame,
		take() {
			process.off('exit', release);
			end = () => undefined;
			return flushStderr;
		},
		release() {
			end();
			end = () => undefined;
		},
	};
};
