import type {TextProps} from 'ink';

export type Style = Pick<TextProps, 'color' | 'backgroundColor' | 'bold' | 'dimColor' | 'underline' | 'inverse'>;

/** A grey that is legible on black and on white, and fainter than dim text. A terminal of sixteen colours has none, and draws dim text. */
const grey = 'ansi256(242)';

/** Styles by meaning, mostly in the sixteen colours that every terminal has. No state is shown only by colour. */
export const theme = {
	plain: {},
	title: {bold: true},
	accent: {color: 'cyan'},
	/** The whole row under the cursor; reverse video on a terminal without colours. */
	current: {color: 'black', backgroundColor: 'cyan'},
	tab: {bold: true, underline: true},
	marked: {color: 'magenta', bold: true},
	match: {color: 'cyan', underline: true},
	/** In the colour of its line. */
	changedWord: {bold: true, underline: true},
	currentMatch: {inverse: true},
	textCursor: {inverse: true},
	/** For text that is read later: columns after the name, counts, messages, notes. */
	secondary: {dimColor: true},
	/** For the rest: titles of columns, hints, empty places. */
	faint: {color: grey},
	on: {color: 'green'},
	off: {dimColor: true},
	pending: {color: 'yellow'},
	error: {color: 'red'},
	warning: {color: 'yellow'},
} as const satisfies Record<string, Style>;

export type Tone = keyof typeof theme;

/** Returns the tone of a state, one for all screens. `undefined`: the state has no tone, or is not shown. */
export function stateTone(isEnabled: boolean | undefined, isPending = false): Tone {
	return isPending ? 'pending' : isEnabled ? 'on' : 'off';
}
