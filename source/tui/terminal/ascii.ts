import stringWidth from 'string-width';
import {normalizeText} from '../../interface/normalize-text.ts';

const lookalikes: ReadonlyArray<readonly [characters: string, ascii: string]> = [
	['‘’‚‛′', '\''],
	['“”„‟″«»', '"'],
	['‐‑‒–—―−─━┄┅┈┉╌╍╴╶╸╺', '-'],
	['│┃┆┇┊┋╎╏║╵╷╹╻▏▎▍▌▐', '|'],
	['┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╂╋╭╮╯╰╔╗╚╝╠╣╦╩╬', '+'],
	['═', '='],
	['·․', '.'],
	['•●◉◆■◼★⏺', '*'],
	['○◌◯□◇☆°', 'o'],
	['✓✔', 'v'],
	['✗✘✕✖×', 'x'],
	['█▓▒░▇▆▅▄▃▂▁▀', '#'],
	['→▶▸▷❯›⟩', '>'],
	['←◀◂◁❮‹⟨', '<'],
	// The arrows of a sorted column are those of Midnight Commander: ^ has another meaning.
	['↑', '\''],
	['↓', ','],
	['▲▴△', '^'],
	['▼▾▽', 'v'],
	['↵⏎', '<'],
	['\u{A0}\u{2007}\u{202F}', ' '],
];

/** Ends a text that was cut. */
export const ellipsis = '…';

/** Writes each ellipsis as three dots, in a text that may get longer. */
export const withLongDots = (text: string): string => text.replaceAll(ellipsis, '...');

const asciiByCharacter = new Map(lookalikes.flatMap(([characters, ascii]) => [...characters].map(character => [character, ascii] as const)));

/**
The nearest printable ASCII for a grapheme cluster, as many characters as the cluster has columns: a lookalike, the
letter without its accent, else `?`. An ellipsis is one dot: `withDots` gives it three where the line is known.
*/
export const toAscii = (grapheme: string, width: number): string => {
	if (/^[ -~]$/.test(grapheme)) {
		return grapheme;
	}

	// Most progress spinners use Braille.
	const near = grapheme === ellipsis ? '.' : asciiByCharacter.get(grapheme) ?? (/^[\u{2800}-\u{28FF}]$/u.test(grapheme) ? '*' : undefined);
	const letter = near ?? normalizeText(grapheme, 'NFKD').replaceAll(/\p{Mark}/gu, '');
	return (/^[ -~]$/.test(letter) ? letter : '?').padEnd(width, near ?? '?').slice(0, width);
};

/** The columns that the dots of an ellipsis take: of the blanks behind it, of the text that begins with it, or of the text before it. */
const dotColumns = (texts: readonly string[], column: number, width: number): readonly number[] => {
	const isBlank = (index: number): boolean => (texts[index] ?? ' ') === ' ';
	const [next, second, third] = [column + 1, column + 2, column + 3];
	// Another blank keeps the dots from touching what follows.
	if (second < width && [next, second, third].every(index => isBlank(index))) {
		return [column, next, second];
	}

	const [previous, middle, first] = [column - 1, column - 2, column - 3];
	if (second < width && !isBlank(next) && !isBlank(second) && !/[\d a-z]/i.test(texts[previous] ?? '')) {
		return [column, next, second];
	}

	// One blank is a part of the text; two of them divide columns.
	const isCut = middle >= 0 && (!isBlank(middle) || (!isBlank(previous) && !isBlank(first)));
	return isCut ? [middle, previous, column] : [column];
};

/** Draws each ellipsis of a row as three dots, and moves nothing else: a cut text loses two more columns, or uses blanks. */
export const withDots = <Cell extends {readonly text: string}>(cells: readonly Cell[], width: number, blank: Cell): readonly Cell[] => {
	let column = cells.findIndex(({text}) => text === ellipsis);
	if (column === -1) {
		return cells;
	}

	const row = [...cells];
	for (; column !== -1; column = row.findIndex(({text}) => text === ellipsis)) {
		const cell = row[column]!;
		for (const index of dotColumns(row.map(({text}) => text), column, width)) {
			while (row.length <= index) {
				row.push(blank);
			}

			row[index] = {...(row[index]!.text === ' ' ? cell : row[index]!), text: '.'};
		}
	}

	return row;
};

const segmenter = new Intl.Segmenter();

/** The same in a line of text with styles: what ends a cut text keeps its width, any other ellipsis moves what follows by two columns. */
const ellipses = /(?<style>\u{1B}\[[\d;]*m)|[^\s\u{1B}][^\n\u{1B}]…|…(?<rest>\S*) {2}(?= )|…/gu;

const withTextDots = (text: string): string => text.replaceAll(ellipses, (_match, style: string | undefined, rest: string | undefined) => style ?? `...${rest ?? ''}`);

/** Converts a text to printable ASCII; columns, line breaks, tabs and styles are kept. */
export const toAsciiText = (text: string): string => /^[\t\n\u{1B} -~]*$/u.test(text)
	? text
	: withTextDots([...segmenter.segment(text)].map(({segment}) => /^[\t\n\u{1B}…]$/u.test(segment) ? segment : toAscii(segment, stringWidth(segment))).join(''));
