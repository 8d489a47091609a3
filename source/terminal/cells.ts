import {ansiCodesToString, reduceAnsiCodes, tokenize, type AnsiCode} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {escapeSequences} from '../interface/clean-text.ts';
import {toAsciiText} from './ascii.ts';
import type {Capabilities} from './capabilities.ts';
import {cursorKinds, cursorMark, type CursorKind} from './cursor-mark.ts';
import {isNarrow} from './narrow-text.ts';
import {graphemes} from './wrap.ts';

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

/** The look of a place in a line, with the cells that were made in it, by their characters: rows share them. */
type Look = {
	/** The fewest sequences that lead to it from plain text. */
	readonly sequences: string;
	readonly style: CellStyle;
	readonly cursor: CursorKind | undefined;
	readonly cells: Map<string, Cell>;
};

/** Far more than a UI uses. */
const mostKnownLooks = 1000;

/** Returns a function that parses a line of a frame into cells, clipped to the width, without trailing blanks. */
export function createRowParser(options: RowOptions): (line: string) => Row {
	const {columns, isAscii} = options;
	const lookOf = createLooks(options);
	return line => {
		const clean = isNarrow(line) ? line : withStylesOnly(line);
		const shown = isAscii ? toAsciiText(clean + ' '.repeat(Math.max(0, columns - stringWidth(line)))) : clean;
		const cells = parseLine(shown, lookOf);
		// A wide character does not lose its second column.
		const clipped = cells.slice(0, cells[columns]?.text === '' ? columns - 1 : columns);
		return clipped.slice(0, clipped.findLastIndex(cell => cell !== blank) + 1);
	};
}

/** Returns a function that returns the look after these sequences. */
function createLooks(options: StyleOptions): (sequences: string) => Look {
	const known = new Map<string, Look>();
	return sequences => {
		let look = known.get(sequences);
		if (look === undefined) {
			const codes = reduceAnsiCodes(tokenize(sequences).filter(token => token.type === 'ansi'));
			const cursor = cursorKinds.find(kind => codes.some(({code}) => code === cursorMark(kind)));
			look = {sequences: ansiCodesToString(codes), style: toStyle(codes, options), cursor, cells: new Map()};
			if (known.size < mostKnownLooks) {
				known.set(sequences, look);
			}
		}

		return look;
	};
}

const withStylesOnly = (line: string): string =>
	line.replaceAll(escapeSequences, sequence => (sgrSequence.test(sequence) ? sequence : '')).replaceAll(hiddenCharacters, '');

function parseLine(line: string, lookOf: (sequences: string) => Look): readonly Cell[] {
	let look = lookOf('');
	const cells: Cell[] = [];
	for (const [index, part] of line.split(sgrSequences).entries()) {
		if (index % 2 === 1) {
			look = lookOf(look.sequences + part);
			continue;
		}

		const start = cells.length;
		if (isNarrow(part)) {
			for (let at = 0; at < part.length; at++) {
				cells.push(narrowCell(part[at]!, look));
			}
		} else {
			for (const {segment} of graphemes.segment(part)) {
				cells.push(...toCells(segment, look.style));
			}
		}

		if (look.cursor !== undefined && start < cells.length) {
			cells[start] = {...cells[start]!, cursor: look.cursor};
		}
	}

	return cells;
}

function narrowCell(character: string, {style, cells}: Look): Cell {
	let cell = cells.get(character);
	if (cell === undefined) {
		[cell] = toCells(character, style) as [Cell];
		cells.set(character, cell);
	}

	return cell;
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

	const width = stringWidth(text);
	// Ink gives a lone combining mark a separate column.
	const cell = {text: width === 0 ? ` ${text}` : text, style, hasUncertainWidth: true};
	return [cell, ...Array.from({length: Math.max(1, width) - 1}, () => ({text: '', style, hasUncertainWidth: true}))];
}
