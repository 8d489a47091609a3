import type {TextProps} from 'ink';

export type Style = Pick<TextProps, 'color' | 'bold' | 'dimColor' | 'underline' | 'inverse'>;

/** Styles by meaning, in the sixteen colours that every terminal has. No state is shown by colour alone. */
export const theme = {
	plain: {},
	title: {bold: true},
	accent: {color: 'cyan'},
	/** Under the cursor. Inverse and bold work without colour too. */
	current: {bold: true, inverse: true, dimColor: false},
	marked: {color: 'magenta', bold: true},
	match: {color: 'cyan', underline: true},
	currentMatch: {inverse: true},
	/** The character under the cursor of a text. */
	textCursor: {inverse: true},
	secondary: {dimColor: true},
	on: {color: 'green'},
	off: {dimColor: true},
	pending: {color: 'yellow'},
	error: {color: 'red'},
	warning: {color: 'yellow'},
} as const satisfies Record<string, Style>;

export type Tone = keyof typeof theme;
