import {
	reduceAnsiCodesIncremental,
	styledCharsFromTokens,
	tokenize,
	type AnsiCode,
} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {escapeSequences} from '../../interface/clean-text.ts';
import {ellipsis, toAscii, withDots} from './ascii.ts';
import {plainText} from './remembered-rows.ts';
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
	/** Terminals may disagree about its width or its columns. */
	readonly hasUncertainWidth: boolean;
};

/** The cells of a row up to its last visible one. */
export type Row = readonly Cell[];

export type RowOptions = StyleOptions & Pick<Capabilities, 'isAscii'> & {
	/** Cells beyond this are clipped. */
	readonly columns: number;
};

export const blank: Cell = {text: ' ', style: '', hasUncertainWidth: false};

/** The only escape sequences that a frame may contain. */
const sgrSequence = /^\u{1B}\[[\d;]*m$/u;

/** Control characters except ESC, and invisible format characters such as direction overrides; joiners are part of their letters. */
const hiddenCharacters = /(?![\u{1B}\u{600}-\u{605}\u{200C}\u{200D}])[\p{Control}\p{Format}\p{Surrogate}\u{2028}\u{2029}]/gu;

const withStylesOnly = (line: string): string => /^[ -~]*$/.test(line)
	? line
	: line.replaceAll(escapeSequences, sequence => sgrSequence.test(sequence) ? sequence : '').replaceAll(hiddenCharacters, '');

const toCells = (text: string, style: Style, isAscii: boolean): Cell[] => {
	if (/^[ -~]$/.test(text)) {
		return [text === ' ' && isInvisibleOnSpace(style) ? blank : {text, style, hasUncertainWidth: false}];
	}

	const width = plainText.test(text) ? 1 : stringWidth(text);
	if (isAscii) {
		// The whole row shows where its dots have room.
		return text === ellipsis ? [{text, style, hasUncertainWidth: false}] : [...toAscii(text, Math.max(1, width))].map(character => ({text: character, style, hasUncertainWidth: false}));
	}

	// Ink gives a lone combining mark a column of its own.
	const cell = {text: width === 0 ? ` ${text}` : text, style, hasUncertainWidth: true};
	return [cell, ...Array.from({length: Math.max(1, width) - 1}, () => ({text: '', style, hasUncertainWidth: true}))];
};

/** With the sequences captured, `split` keeps them. */
const sgrSequences = /(?<sequences>(?:\u{1B}\[[\d;]*m)+)/u;

/** Many more than a UI uses. */
const maximumKnownSequences = 1000;

const knownCodes = new Map<string, AnsiCode[]>();

/** The codes of one or more SGR sequences. */
const codesOf = (sequences: string): AnsiCode[] => {
	const codes = knownCodes.get(sequences) ?? tokenize(sequences).filter(token => token.type === 'ansi');
	if (knownCodes.size < maximumKnownSequences) {
		knownCodes.set(sequences, codes);
	}

	return codes;
};

/** Looking for grapheme clusters takes most of the time of parsing; in such a line each character is one. */
const parsePlainLine = (line: string, options: RowOptions): Cell[] => {
	let codes: AnsiCode[] = [];
	const cells: Cell[] = [];
	for (const [index, part] of line.split(sgrSequences).entries()) {
		if (index % 2 === 1) {
			codes = reduceAnsiCodesIncremental(codes, codesOf(part));
			continue;
		}

		const style = toStyle(codes, options);
		for (const character of part) {
			cells.push(...toCells(character, style, options.isAscii));
		}
	}

	return cells.slice(0, options.columns);
};

const parseLine = (line: string, options: RowOptions): Cell[] => {
	const cells: Cell[] = [];
	for (const {value, styles} of styledCharsFromTokens(tokenize(withStylesOnly(line)))) {
		const next = toCells(value, toStyle(styles, options), options.isAscii);
		if (cells.length + next.length > options.columns) {
			break;
		}

		cells.push(...next);
	}

	return cells;
};

/** Parses a line of a frame into cells, clipped to the width, without trailing blanks. */
export const parseRow = (line: string, options: RowOptions): Row => {
	const parsed = plainText.test(line) ? parsePlainLine(line, options) : parseLine(line, options);
	const cells = options.isAscii ? withDots(parsed, options.columns, blank) : parsed;
	return cells.slice(0, cells.findLastIndex(cell => cell !== blank) + 1);
};
