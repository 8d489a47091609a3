import {styledCharsFromTokens, tokenize} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {escapeSequences} from '../../interface/clean-text.ts';
import {toAscii} from './ascii.ts';
import {
	isInvisibleOnSpace,
	toStyle,
	type Style,
	type StyleOptions,
} from './style.ts';
import {type Capabilities} from './capabilities.ts';

/** One column of a row. The second column of a wide character has no text. */
export type Cell = {
	readonly text: string;
	readonly style: Style;
	/** Terminals may disagree about how many columns it takes, or which. */
	readonly hasUncertainWidth: boolean;
};

/** The cells of a row up to its last visible one. */
export type Row = readonly Cell[];

export type RowOptions = StyleOptions & Pick<Capabilities, 'isAscii'> & {
	/** Cells past this are cut off. */
	readonly columns: number;
};

export const blank: Cell = {text: ' ', style: '', hasUncertainWidth: false};

/** Of all escape sequences only SGR may say something about a frame. */
const plainStyleSequence = /^\u{1B}\[[\d;]*m$/u;

/** Control characters but ESC, direction overrides and other invisible format characters; joiners belong to their letters. */
const hiddenCharacters = /(?![\u{1B}\u{600}-\u{605}\u{200C}\u{200D}])[\p{Control}\p{Format}\p{Surrogate}\u{2028}\u{2029}]/gu;

const withStylesOnly = (line: string): string => /^[ -~]*$/.test(line)
	? line
	: line.replaceAll(escapeSequences, sequence => plainStyleSequence.test(sequence) ? sequence : '').replaceAll(hiddenCharacters, '');

const toCells = (text: string, style: Style, isAscii: boolean): Cell[] => {
	if (/^[ -~]$/.test(text)) {
		return [text === ' ' && isInvisibleOnSpace(style) ? blank : {text, style, hasUncertainWidth: false}];
	}

	const width = stringWidth(text);
	if (isAscii) {
		return [...toAscii(text, Math.max(1, width))].map(character => ({text: character, style, hasUncertainWidth: false}));
	}

	// Ink gives a mark that stands alone a column of its own.
	const cell = {text: width === 0 ? ` ${text}` : text, style, hasUncertainWidth: true};
	return [cell, ...Array.from({length: Math.max(1, width) - 1}, () => ({text: '', style, hasUncertainWidth: true}))];
};

/** One line of a frame as cells, clipped to the width; blanks at its end are left out. */
export const parseRow = (line: string, options: RowOptions): Row => {
	const {columns, isAscii} = options;
	const cells: Cell[] = [];
	for (const {value, styles} of styledCharsFromTokens(tokenize(withStylesOnly(line)))) {
		const next = toCells(value, toStyle(styles, options), isAscii);
		if (cells.length + next.length > columns) {
			break;
		}

		cells.push(...next);
	}

	return cells.slice(0, cells.findLastIndex(cell => cell !== blank) + 1);
};
