import {reduceAnsiCodesIncremental, styledCharsFromTokens, tokenize, type AnsiCode} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {escapeSequences} from '../interface/clean-text.ts';
import {toAsciiText} from './ascii.ts';
import type {Capabilities} from './capabilities.ts';
import {cursorKinds, cursorMark, type CursorKind} from './cursor-mark.ts';

/** The parameters of one SGR sequence, in a fixed order; empty for plain text. Two equal styles are equal strings. */
export type CellStyle = string;

/** Bold, dim, italic, underline, inverse, strikethrough. Conceal, blink and links are excluded on purpose. */
const attributes = ['1', '2', '3', '4', '7', '9'];

/** Tells whether a space in this style looks like a plain one: no background, line or inversion. */
export function isInvisibleOnSpace(style: CellStyle): boolean {
	return style === '' || !/(?:^|;)(?:[479]|4[0-8]|10[0-7])(?:;|$)/.test(style);
}

/** Tells whether erased cells look like spaces in this style, on a terminal where erasing takes the background: it takes nothing else. */
export function isErasable(style: CellStyle): boolean {
	return !/(?:^|;)[1-9](?:;|$)/.test(style);
}

/** Returns the sequence that changes one style to another; empty if they are equal. */
export function styleChange(from: CellStyle, to: CellStyle): string {
	return from === to ? '' : to === '' ? '\u{1B}[m' : `\u{1B}[${from === '' ? '' : ';'}${to}m`;
}

/** One column of a row. The second column of a wide character has no text. */
export type Cell = {
	readonly text: string;
	readonly style: CellStyle;
	/** Terminals may disagree about its width or its columns. */
	readonly hasUncertainWidth: boolean;
	/** The mark of the terminal's cursor that begins there. */
	readonly cursor?: CursorKind | undefined;
};

/** The cells of a row up to its last visible one. */
export type Row = readonly Cell[];

export const blank: Cell = {text: ' ', style: '', hasUncertainWidth: false};

/** The only escape sequences that a frame may contain. */
const sgrSequence = /^\u{1B}\[[\d;]*m$/u;

/** Characters that take one column each, in every font, and SGR, which takes none. */
const plainText = /^(?:[ -~\u{A1}-\u{AC}\u{AE}-\u{2FF}\u{2010}-\u{2027}]|\u{1B}\[[\d;]*m)*$/u;

/** Control characters except ESC, and invisible format characters such as direction overrides; joiners are part of their letters. */
const hiddenCharacters = /(?![\u{1B}\u{600}-\u{605}\u{200C}\u{200D}])[\p{Control}\p{Format}\p{Surrogate}\u{2028}\u{2029}]/gu;

/** Captures the sequences so that `split` keeps them. */
const sgrSequences = /(?<sequences>(?:\u{1B}\[[\d;]*m)+)/u;

type StyleOptions = Pick<Capabilities, 'isColorless' | 'isDumb' | 'colorBits'>;

type RowOptions = StyleOptions &
	Pick<Capabilities, 'isAscii'> & {
		/** Further cells are clipped. */
		readonly columns: number;
	};

/** Parses a line of a frame into cells, clipped to the width, without trailing blanks. */
export function parseRow(line: string, options: RowOptions): Row {
	const shown = options.isAscii ? toAsciiText(withStylesOnly(line) + ' '.repeat(Math.max(0, options.columns - stringWidth(line)))) : line;
	const cells = plainText.test(shown) ? parsePlainLine(shown, options) : parseLine(shown, options);
	return cells.slice(0, cells.findLastIndex(cell => cell !== blank) + 1);
}

const withStylesOnly = (line: string): string =>
	/^[ -~]*$/.test(line)
		? line
		: line.replaceAll(escapeSequences, sequence => (sgrSequence.test(sequence) ? sequence : '')).replaceAll(hiddenCharacters, '');

/** Parses a line in which each character is a grapheme cluster: looking for clusters takes most of the time of parsing. */
function parsePlainLine(line: string, options: RowOptions): Cell[] {
	let codes: AnsiCode[] = [];
	const cells: Cell[] = [];
	for (const [index, part] of line.split(sgrSequences).entries()) {
		if (index % 2 === 1) {
			codes = reduceAnsiCodesIncremental(
				codes,
				tokenize(part).filter(token => token.type === 'ansi'),
			);
			continue;
		}

		const style = toStyle(codes, options);
		const start = cells.length;
		for (const character of part) {
			cells.push(...toCells(character, style));
		}

		markCursor(cells, start, codes);
	}

	return cells.slice(0, options.columns);
}

/** Returns the style of the codes that are attributes or colours that the terminal can display. */
function toStyle(codes: readonly AnsiCode[], {isColorless, isDumb, colorBits}: StyleOptions): CellStyle {
	if (isDumb || codes.length === 0) {
		return '';
	}

	const all = codes.map(({code}) => /^\u{1B}\[(?<parameters>[\d;]+)m$/u.exec(code)?.groups?.['parameters'] ?? '');
	const colors = all.filter(parameters => colorBitsOf(parameters) < Infinity);
	const shownColors = isColorless ? [] : colors.filter(color => colorBitsOf(color) <= colorBits);
	const wanted = new Set([...all, ...colors.filter(color => !shownColors.includes(color)).map(color => attributeFor(color))]);
	return [...attributes.filter(attribute => wanted.has(attribute)), ...shownColors.toSorted()].join(';');
}

function colorBitsOf(parameters: string): number {
	if (/^[349]\d$|^10[0-7]$/.test(parameters)) {
		return 4;
	}

	return /^[34]8;5;\d{1,3}$/.test(parameters) ? 8 : /^[34]8;2;\d{1,3};\d{1,3};\d{1,3}$/.test(parameters) ? 24 : Infinity;
}

/**
Replaces a colour that the terminal lacks: reverse video for a background, dim text for a grey. Other colours have a word or a sign beside
them.
*/
const attributeFor = (color: string): string => (/^4[0-8]|^10[0-7]/.test(color) ? '7' : /^38;5;2(?:3[2-9]|[45]\d)$/.test(color) ? '2' : '');

function toCells(text: string, style: CellStyle): Cell[] {
	if (/^[ -~]$/.test(text)) {
		return [text === ' ' && isInvisibleOnSpace(style) ? blank : {text, style, hasUncertainWidth: false}];
	}

	const width = plainText.test(text) ? 1 : stringWidth(text);
	// Ink gives a lone combining mark a separate column.
	const cell = {text: width === 0 ? ` ${text}` : text, style, hasUncertainWidth: true};
	return [cell, ...Array.from({length: Math.max(1, width) - 1}, () => ({text: '', style, hasUncertainWidth: true}))];
}

/** Puts the cursor on the first of the cells that were added with these codes, if they mark it. */
function markCursor(cells: Cell[], first: number, codes: readonly AnsiCode[]): void {
	const cursor = cursorOf(codes);
	if (cursor !== undefined && first < cells.length) {
		cells[first] = {...cells[first]!, cursor};
	}
}

const cursorOf = (codes: readonly AnsiCode[]): CursorKind | undefined =>
	cursorKinds.find(kind => codes.some(({code}) => code === cursorMark(kind)));

function parseLine(line: string, options: RowOptions): Cell[] {
	const cells: Cell[] = [];
	for (const {value, styles} of styledCharsFromTokens(tokenize(withStylesOnly(line)))) {
		const next = toCells(value, toStyle(styles, options));
		if (cells.length + next.length > options.columns) {
			break;
		}

		cells.push(...next);
		markCursor(cells, cells.length - next.length, styles);
	}

	return cells;
}
