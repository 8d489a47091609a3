import {writeSync} from 'node:fs';
import process from 'node:process';
import type {WriteStream} from 'node:tty';
import type {OutputStream} from '../platform/standard-streams.ts';
import {isLinear, type Capabilities} from './capabilities.ts';
import type {FrameSize} from './frame-writer.ts';
import {mouseOff, mouseOn} from './mouse.ts';
import {bufferStderr} from './terminal-host.ts';

/**
Undoes the modes that a crashed program may have left on, before the first cell is drawn: insert mode, an origin that is not the corner, a
region that scrolls, margins at the sides, another character set, the application keypad, and keys in other encodings. Some terminals take
`> 4 m` for an underline, so styles are reset last.
*/
export const resetModes = '\u{1B}[4l\u{1B}[?6l\u{1B}[r\u{1B}[?69l\u{1B}(B\u{F}\u{1B}>\u{1B}[>4m\u{1B}[=0u\u{1B}[m';

type Modes = Pick<Capabilities, 'isDumb' | 'isScreenReader'> & {readonly isMouseOn?: boolean};

/**
Returns the modes that the UI needs: bracketed paste, and, except for linear terminals, the alternate screen and no wrapping at the right
edge, so that a row that is wider on the terminal than by our count cannot push the others down. The mouse is on only if requested, because
a terminal that reports it selects no text. A dumb terminal would print the sequences.
*/
export function enterModes({isMouseOn = false, ...terminal}: Modes): string {
	return terminal.isDumb
		? ''
		: `${isLinear(terminal) ? '' : `\u{1B}[?1049h${resetModes}\u{1B}[?7l`}\u{1B}[?2004h${isMouseOn ? mouseOn : ''}`;
}

/** Restores the modes that every program expects. A terminal without an alternate screen is cleared. */
export function leaveModes({isMouseOn = false, ...terminal}: Modes): string {
	return terminal.isDumb
		? '\r\n'
		: `${isMouseOn ? mouseOff : ''}\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h${isLinear(terminal) ? '\r\n' : '\u{1B}[H\u{1B}[J\u{1B}[?1049l'}`;
}

/** Writes at once, before anything else can happen to the program. Ignores a terminal that has hung up. */
export function writeSynchronously(stdout: OutputStream, bytes: string): void {
	try {
		if (stdout.writableLength === 0 && 'fd' in stdout && typeof stdout.fd === 'number') {
			writeSync(stdout.fd, bytes);
		} else {
			// After the writes that are still pending.
			stdout.write(bytes);
		}
	} catch {}
}

/** A screen that is shown before the UI is loaded. */
export type EarlyScreen = {
	readonly size: FrameSize;
	readonly frame: string;
	/** False once the program was stopped and continued: the shell has then written on the screen. */
	readonly isIntact: boolean;
	/**
	Hands the terminal to the caller as it is: in the modes of the UI, with the frame on its screen.

	@returns a function that writes everything that was sent to standard error until then.
	*/
	take(): () => void;
	/** Gives the terminal back if no UI will start. Does nothing once the screen was taken. */
	release(): void;
};

/** Only a terminal that shows screens gets an early one. */
const screen: Modes = {isDumb: false, isScreenReader: false};

/**
Shows a screen on the terminal. If the program exits before the UI takes over, the terminal is given back.

@param drawing - draws the frame on an empty screen.
*/
export function showEarlyScreen(
	stdout: WriteStream,
	{size, frame, drawing}: Pick<EarlyScreen, 'size' | 'frame'> & {readonly drawing: string},
): EarlyScreen {
	const flushStderr = bufferStderr(process.stderr);
	let isIntact = true;
	const onContinue = (): void => {
		isIntact = false;
	};

	const release = (): void => {
		process.off('exit', release);
		process.off('SIGCONT', onContinue);
		writeSynchronously(stdout, leaveModes(screen));
		flushStderr();
	};

	let end = release;
	process.on('exit', release);
	process.on('SIGCONT', onContinue);
	stdout.write(enterModes(screen) + drawing);
	return {
		size,
		frame,
		get isIntact() {
			return isIntact;
		},
		take() {
			process.off('exit', release);
			process.off('SIGCONT', onContinue);
			end = () => undefined;
			return flushStderr;
		},
		release() {
			end();
			end = () => undefined;
		},
	};
}
