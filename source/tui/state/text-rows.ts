import stringWidth from 'string-width';
import {invisibleCharacters} from '../../interface/clean-text.ts';
import {graphemes} from '../../terminal/wrap.ts';

/** Many more than a text of one script has. */
const maximumKnownWidths = 10_000;

const knownWidths = new Map<string, number>();

const tabColumns = 4;

type ShownCharacter = {
	readonly text: string;
	readonly columns: number;
	/** True if a row may end after it. */
	readonly isSpace: boolean;
};

/** For a character without a visible form: a control character, a mark by itself, half a surrogate pair. */
const placeholder: ShownCharacter = {text: '\u{B7}', columns: 1, isSpace: false};

const hiddenCharacters = new RegExp(String.raw`\p{Control}|\p{Surrogate}|[\u{2028}\u{2029}]|${invisibleCharacters.source}`, 'u');

/** Emoji consist of several characters, some of them invisible. */
const emojiStart = /^[\d\p{Extended_Pictographic}#*]/u;

/** Returns the characters of a part of a line. In most texts each unit is a character; looking for longer ones takes far more time. */
export function charactersOf(line: string): Iterable<string> {
	return isPlain(line) ? line : Iterator.from(graphemes.segment(line)).map(({segment}) => segment);
}

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Returns the form of a character at a column of its row: a tab reaches to the next stop. */
export function showCharacter(character: string, column: number): ShownCharacter {
	if (character === '\t') {
		const columns = tabColumns - (column % tabColumns);
		return {text: ' '.repeat(columns), columns, isSpace: true};
	}

	const columns = widthOf(character);
	return columns === 0 || (hiddenCharacters.test(character) && !emojiStart.test(character))
		? placeholder
		: {text: character, columns, isSpace: character === ' '};
}

/** Returns the columns of a character. Measuring each one anew takes seconds for a long text. */
function widthOf(grapheme: string): number {
	const known = knownWidths.get(grapheme);
	if (known !== undefined) {
		return known;
	}

	const width = stringWidth(grapheme);
	if (knownWidths.size < maximumKnownWidths) {
		knownWidths.set(grapheme, width);
	}

	return width;
}

/** Returns the start of the line that an offset is in. */
export function lineStartOf(text: string, offset: number): number {
	return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the end of the line that an offset is in, before its line break: a line feed, or a carriage return and a line feed. */
export function lineEndOf(text: string, offset: number): number {
	const lineFeed = text.indexOf('\n', offset);
	return lineFeed === -1 ? text.length : lineFeed > 0 && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}

/** Returns the number of lines in a text, or in its part before an offset. */
export function lineCountOf(text: string, end = text.length): number {
	let count = 1;
	for (let index = text.indexOf('\n'); index !== -1 && index < end; index = text.indexOf('\n', index + 1)) {
		count++;
	}

	return count;
}

/** A part of a line that is shown as one row, from an offset to another one, where the next row of the line starts. */
export type TextRow = {readonly start: number; readonly end: number; readonly isLineEnd: boolean};

/** A longer line is wrapped in separate blocks, because wrapping all of it for each key would take too long. */
const blockLength = 4096;

/** How far before its place a block may end, so that it ends between words. */
const blockTolerance = 256;

/** The rows of the newest text by the starts of their blocks: they are needed several times before it changes again. */
let wrapped: {readonly text: string; readonly width: number; readonly blocks: Map<number, readonly TextRow[]>} | undefined;

/**
Returns the row of an offset. An offset between two rows of a line belongs to the second one.

@param width - the columns of a row, not counting the column for the cursor at its end.
*/
export function rowAt(text: string, width: number, offset: number): TextRow {
	const rows = rowsOf(text, blockAt(text, offset), width);
	return rows.findLast(({start}) => start <= offset) ?? rows[0]!;
}

function rowsOf(text: string, {start, end, isLineEnd}: TextRow, width: number): readonly TextRow[] {
	if (wrapped?.text !== text || wrapped.width !== width) {
		wrapped = {text, width, blocks: new Map()};
	}

	const known = wrapped.blocks.get(start);
	if (known !== undefined) {
		return known;
	}

	const ends = rowEnds(text.slice(start, end), width);
	const rows = ends
		.map((rowEnd, index) => ({
			start: start + (ends[index - 1] ?? 0),
			end: start + rowEnd,
			isLineEnd: isLineEnd && index === ends.length - 1,
		}))
		.filter(row => row.end > row.start || row.isLineEnd);
	wrapped.blocks.set(start, rows);
	return rows;
}

/** Returns the ends of the rows of a block, between words; only a word that is wider than a row is broken itself. */
function rowEnds(line: string, width: number): readonly number[] {
	const ends: number[] = [];
	let offset = 0;
	let column = 0;
	let afterSpace = {offset: 0, column: 0};

	const endRow = (end: typeof afterSpace): void => {
		ends.push(end.offset);
		column -= end.column;
		afterSpace = {offset: end.offset, column: 0};
	};

	const isTooWide = (columns: number): boolean => column > 0 && column + columns > width;

	for (const character of charactersOf(line)) {
		const {columns, isSpace} = showCharacter(character, column);
		if (!isSpace && isTooWide(columns) && afterSpace.column > 0) {
			endRow(afterSpace);
		}

		if (!isSpace && isTooWide(columns)) {
			endRow({offset, column});
		}

		offset += character.length;
		column += columns;
		if (isSpace) {
			afterSpace = {offset, column};
		}

		// One space may use the column that is kept free for the cursor.
		if (isSpace && column > width) {
			endRow(afterSpace);
		}
	}

	return [...ends, offset];
}

function blockAt(text: string, offset: number): TextRow {
	const lineStart = lineStartOf(text, offset);
	const lineEnd = Math.max(lineStart, lineEndOf(text, offset));
	const blockEnd = (number: number): number => {
		const place = lineStart + number * blockLength;
		return number === 0 ? lineStart : place < lineEnd ? blockEndNear(text, place) : lineEnd;
	};

	const inLine = Math.min(offset, lineEnd);
	// The end of a line belongs to the block before it.
	const number = Math.floor(Math.min(inLine - lineStart, Math.max(0, lineEnd - lineStart - 1)) / blockLength);
	const end = blockEnd(number + 1);
	const [start, ownEnd] = inLine >= end && end < lineEnd ? [end, blockEnd(number + 2)] : [blockEnd(number), end];
	return {start, end: ownEnd, isLineEnd: ownEnd === lineEnd};
}

/** Returns the end of the block at an offset. It depends only on the text nearby. */
function blockEndNear(text: string, offset: number): number {
	const around = text.slice(offset - blockTolerance, offset + blockTolerance);
	const space = around.lastIndexOf(' ', blockTolerance - 1);
	return (
		offset - blockTolerance + (space === -1 ? (graphemes.segment(around).containing(blockTolerance)?.index ?? blockTolerance) : space + 1)
	);
}

export function rowBelow(text: string, width: number, {end, isLineEnd}: TextRow): TextRow | undefined {
	const start = isLineEnd ? text.indexOf('\n', end) + 1 : end;
	return isLineEnd && start === 0 ? undefined : rowAt(text, width, start);
}

export function rowAbove(text: string, width: number, {start}: TextRow): TextRow | undefined {
	return start === 0 ? undefined : rowAt(text, width, start - 1);
}

/** Returns the row this many rows below another one, or above it for a negative number; the last or first one if there are not enough. */
export function rowFrom(text: string, width: number, row: TextRow, distance: number): TextRow {
	let found = row;
	for (let step = 0; step < Math.abs(distance); step++) {
		const next = distance > 0 ? rowBelow(text, width, found) : rowAbove(text, width, found);
		if (next === undefined) {
			break;
		}

		found = next;
	}

	return found;
}

export function columnOf(text: string, {start}: TextRow, offset: number): number {
	let column = 0;
	for (const character of charactersOf(text.slice(start, offset))) {
		column += showCharacter(character, column).columns;
	}

	return column;
}

/** Returns the offset of the character at a column of a row, or of the last one. */
export function offsetAt(text: string, row: TextRow, wantedColumn: number): number {
	let {start: offset} = row;
	let column = 0;
	for (const character of charactersOf(text.slice(row.start, row.end))) {
		const {columns} = showCharacter(character, column);
		const isLast = !row.isLineEnd && offset + character.length >= row.end;
		if (column + columns > wantedColumn || isLast) {
			break;
		}

		offset += character.length;
		column += columns;
	}

	return offset;
}

/** The columns of a row, without the column for a cursor at its end, and the rows for the text. */
export type TextSize = {readonly width: number; readonly height: number};

type TextView = {readonly rows: readonly TextRow[]; readonly cursorRow: number; readonly cursorColumn: number};

/**
Returns the visible part of the text: from the row of the offset `top` on, scrolled no further than it takes to see the cursor, and without
empty rows below the text while there are rows above.
*/
export function viewOf(
	{text, cursor, top}: {readonly text: string; readonly cursor: number; readonly top: number},
	size: TextSize,
): TextView {
	const {width, height} = size;
	const cursorRow = rowAt(text, width, cursor);
	const wanted = rowAt(text, width, Math.min(top, text.length));
	let rows = rowsFrom(text, size, cursorRow.start < wanted.start ? cursorRow : wanted);
	if (rows.every(({start}) => start !== cursorRow.start)) {
		rows = rowsFrom(text, size, rowFrom(text, width, cursorRow, 1 - height));
	} else if (rows.length < height) {
		rows = rowsFrom(text, size, rowFrom(text, width, rows[0]!, rows.length - height));
	}

	return {
		rows,
		cursorRow: rows.findIndex(({start}) => start === cursorRow.start),
		cursorColumn: columnOf(text, cursorRow, Math.min(cursor, cursorRow.end)),
	};
}

function rowsFrom(text: string, {width, height}: TextSize, top: TextRow): readonly TextRow[] {
	const rows = [top];
	for (let next = rowBelow(text, width, top); next !== undefined && rows.length < height; next = rowBelow(text, width, next)) {
		rows.push(next);
	}

	return rows;
}
