import {type TextProps} from 'ink';

type Style = Pick<TextProps, 'color' | 'bold' | 'dimColor' | 'underline' | 'inverse'>;

/** Looks by meaning, from the sixteen colours that every terminal has. No state is told by colour alone. */
export const theme = {
	plain: {},
	title: {bold: true},
	accent: {color: 'cyan'},
	/** What the cursor is on: inverse and bold are there without colour as well. */
	current: {bold: true, inverse: true, dimColor: false},
	marked: {color: 'magenta', bold: true},
	match: {color: 'cyan', underline: true},
	currentMatch: {inverse: true},
	secondary: {dimColor: true},
	on: {color: 'green'},
	off: {dimColor: true},
	pending: {color: 'yellow'},
	error: {color: 'red'},
	warning: {color: 'yellow'},
} as const satisfies Record<string, Style>;

export type Tone = keyof typeof theme;
