import {writeSync} from 'node:fs';
import {type OutputStream} from '../../platform/standard-streams.ts';

/** Where the UI draws: on the alternate screen, on the shell's, or line by line on the shell's. */
export type ScreenKind = 'alternate' | 'main' | 'linear';

/**
The modes that the UI needs: bracketed paste, and, except line by line, no wrapping at the right edge, so that a row that
the terminal thinks wider than we do cannot push the others down. The contents of the shell's screen are scrolled away,
not lost.
*/
export const enterModes = (kind: ScreenKind, rows: number): string => ({
	alternate: '\u{1B}[?1049h\u{1B}[?7l',
	main: `\u{1B}[${rows}H${'\n'.repeat(rows)}\u{1B}[?7l`,
	linear: '',
})[kind] + '\u{1B}[?2004h';

/** Restores the modes that every program expects. A terminal without an alternate screen is left empty. */
export const leaveModes = (kind: ScreenKind, rows: number): string => '\u{1B}[m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h' + ({
	alternate: '\u{1B}[H\u{1B}[J\u{1B}[?1049l',
	main: `\u{1B}[${rows}H\r\n`,
	linear: '\r\n',
})[kind];

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
