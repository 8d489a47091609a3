/*
The mouse, if the person wants it: presses and the wheel (mode 1000), reported in xterm's SGR form (mode 1006), whose reports never look
like text.
*/

/** A press of the left button, or a step of the wheel. Its position counts from 0. */
export type MouseReport = {readonly kind: 'press' | 'wheel-up' | 'wheel-down'; readonly column: number; readonly row: number};

export const mouseOn = '\u{1B}[?1000h\u{1B}[?1006h';
export const mouseOff = '\u{1B}[?1006l\u{1B}[?1000l';

/** How many rows a step of the wheel scrolls. */
export const wheelRows = 3;

const kinds: Readonly<Record<string, MouseReport['kind']>> = {0: 'press', 64: 'wheel-up', 65: 'wheel-down'};

/**
Returns the event of a CSI sequence, given without its introducer; `undefined` for anything else, such as a release or another button.
*/
export function mouseEventOf(sequence: string): MouseReport | undefined {
	const {button, column, row} = /^<(?<button>\d{1,3});(?<column>\d{1,5});(?<row>\d{1,5})M$/.exec(sequence)?.groups ?? {};
	const kind = button === undefined ? undefined : kinds[button];
	return kind === undefined || Number(column) === 0 || Number(row) === 0
		? undefined
		: {kind, column: Number(column) - 1, row: Number(row) - 1};
}

/**
Tells whether bytes continue the beginning of a report. After only Escape, which may have been pressed, the whole rest must come at once.
*/
export function isRestOfReport(start: string, bytes: string): boolean {
	return (start.includes('<') ? /^\u{1B}\[<[\d;]{0,15}(?:m|$)/iu : /^\u{1B}\[<\d{1,3};\d{1,5};\d{1,5}m/iu).test(start + bytes);
}
