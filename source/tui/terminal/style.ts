import {type AnsiCode} from '@alcalzone/ansi-tokenize';
import {type Capabilities} from './capabilities.ts';

/** The parameters of one SGR sequence, in a fixed order; empty for plain text. Two equal styles are equal strings. */
export type Style = string;

export type StyleOptions = Pick<Capabilities, 'isColorless' | 'isDumb' | 'colorBits'>;

/** Bold, dim, italic, underline, inverse, strikethrough. Conceal, blink and links are excluded on purpose. */
const attributes = ['1', '2', '3', '4', '7', '9'];

const colorBitsOf = (parameters: string): number => {
	if (/^[349]\d$|^10[0-7]$/.test(parameters)) {
		return 4;
	}

	return /^[34]8;5;\d{1,3}$/.test(parameters) ? 8 : (/^[34]8;2;\d{1,3};\d{1,3};\d{1,3}$/.test(parameters) ? 24 : Infinity);
};

/** The style of those of the codes that are attributes or colours and that the terminal can display. */
export const toStyle = (codes: readonly AnsiCode[], {isColorless, isDumb, colorBits}: StyleOptions): Style => {
	if (isDumb || codes.length === 0) {
		return '';
	}

	const all = codes.map(({code}) => /^\u{1B}\[(?<parameters>[\d;]+)m$/u.exec(code)?.groups?.['parameters'] ?? '');
	const shown = attributes.filter(attribute => all.includes(attribute));
	if (!isColorless) {
		const colors = all.filter(parameters => !attributes.includes(parameters) && colorBitsOf(parameters) <= colorBits);
		shown.push(...colors.toSorted());
	}

	return shown.join(';');
};

/** True if a space in this style looks like a plain one: no background, line or inversion. */
export const isInvisibleOnSpace = (style: Style): boolean => style === '' || !/(?:^|;)(?:[479]|4[0-8]|10[0-7])(?:;|$)/.test(style);

/** The sequence that changes one style to another; empty if they are equal. */
export const styleChange = (from: Style, to: Style): string => from === to ? '' : (to === '' ? '\u{1B}[m' : `\u{1B}[${from === '' ? '' : ';'}${to}m`);
