import {inspect} from 'node:util';
import {type Style} from '../theme.ts';

/** A text with its look; plain without one. */
export type Part = readonly [text: string, style?: Style];

/** A line as it is drawn, with SGR, and as it is read out. */
export type Line = {readonly text: string; readonly label: string};

/** The sequences that begin and end a look, by its name in Node.js. */
const sgr = (name: string): readonly [start: string, end: string] => {
	const [start, end] = inspect.colors[name]!;
	return [`\u{1B}[${start}m`, `\u{1B}[${end}m`];
};

const attributes = {
	dimColor: sgr('dim'), bold: sgr('bold'), underline: sgr('underline'), inverse: sgr('inverse'),
} as const;

const attributeNames = ['dimColor', 'bold', 'underline', 'inverse'] as const;

const styled = ([text, style]: Part): string => {
	if (text === '' || style === undefined) {
		return text;
	}

	let drawn = text;
	if (style.color !== undefined) {
		const [start, end] = sgr(style.color);
		drawn = start + drawn + end;
	}

	for (const name of attributeNames) {
		if (style[name] !== true) {
			continue;
		}

		const [start, end] = attributes[name];
		drawn = start + drawn + end;
	}

	return drawn;
};

/**
A line of parts with different looks. Ink joins, cleans and measures each nested `Text` by itself, at each frame: one text
with all looks in it costs a fraction of that.
*/
export const lineOf = (parts: readonly Part[], label: string): Line => ({text: parts.map(part => styled(part)).join(''), label});
