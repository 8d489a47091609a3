import {writeSync} from 'node:fs';
import {type WriteStream} from 'node:tty';

/** Where is drawn: on a screen of our own, on the shell's, or line after line on the shell's. */
export type ScreenKind = 'alternate' | 'main' | 'linear';

/**
What we ask of a terminal: paste markers; and, but for plain lines, no wrapping at the right edge, so that a row which
the terminal thinks wider than we do cannot push the others down. What the shell's screen shows is scrolled out of sight,
not lost.
*/
export const enterModes = (kind: ScreenKind, rows: number): string => ({
	alternate: '\u{1B}[?1049h\u{1B}[?7l',
	main: `\u{1B}[${rows}H${'\n'.repeat(rows)}\u{1B}[?7l`,
	linear: '',
})[kind] + '\u{1B}[?2004h';

/** What gives it back as every program expects to find it. A terminal without a second screen is left empty. */
export const leaveModes = (kind: ScreenKind, rows: number): string => '\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h' + ({
	alternate: '\u{1B}[H\u{1B}[J\u{1B}[?1049l',
	main: `\u{1B}[${rows}H\r\n`,
	linear: '\r\n',
})[kind];

/** Writes at once, whatever happens to the program next. A terminal that has gone away needs nothing. */
export const writeSynchronously = (stdout: WriteStream, bytes: string): void => {
	try {
		if (stdout.writableLength === 0 && 'fd' in stdout && typeof stdout.fd === 'number') {
			writeSync(stdout.fd, bytes);
		} else {
			// Behind what is still on its way.
			stdout.write(bytes);
		}
	} catch {}
};
