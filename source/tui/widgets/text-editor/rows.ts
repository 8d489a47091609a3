import {graphemes} from '../wrap.ts';
import {
	lineEndOf,
	lineStartOf,
	nextLineStartOf,
	sliceText,
	type ChunkedText,
} from './chunked-text.ts';
import {charactersOf, showCharacter} from './shown-character.ts';

/** A part of a line that is shown as one row: from an offset to another one, where the next row of the line starts. */
export type TextRow = {
	readonly start: number;
	readonly end: number;
	/** True if the line ends with it. */
	readonly isLineEnd: boolean;
};

/** A longer line is wrapped in blocks, each on its own: wrapping all of it for a key would take too long. */
const blockLength = 4096;

/** How far before its place a block may end, so that it ends between words. */
const blockTolerance = 256;

/** Where the block ends whose place is at an offset. That depends on the text before it only. */
const blockEndNear = (text: ChunkedText, offset: number): number => {
	const before = sliceText(text, offset - blockTolerance, offset + blockTolerance);
	const space = before.lastIndexOf(' ', blockTolerance - 1);
	return offset - blockTolerance + (space === -1 ? graphemes.segment(before).containing(blockTolerance)?.index ?? blockTolerance : space + 1);
};

type Block = {readonly start: number; readonly end: number; readonly isLineEnd: boolean};

const blockAt = (text: ChunkedText, offset: number): Block => {
	const lineStart = lineStartOf(text, offset);
	const lineEnd = Math.max(lineStart, lineEndOf(text, offset));
	const blockEnd = (number: number): number => {
		const place = lineStart + (number * blockLength);
		return number === 0 ? lineStart : (place < lineEnd ? blockEndNear(text, place) : lineEnd);
	};

	const inLine = Math.min(offset, lineEnd);
	// The end of a line belongs to the block before it.
	const number = Math.floor(Math.min(inLine - lineStart, Math.max(0, lineEnd - lineStart - 1)) / blockLength);
	const end = blockEnd(number + 1);
	const [start, ownEnd] = inLine >= end && end < lineEnd ? [end, blockEnd(number + 2)] : [blockEnd(number), end];
	return {start, end: ownEnd, isLineEnd: ownEnd === lineEnd};
};

/** The ends of the rows of a block, between words; only a word that is wider than a row is broken itself. */
const rowEnds = (line: string, width: number): readonly number[] => {
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

		// One space may stand in the column that is kept free for the cursor.
		if (isSpace && column > width) {
			endRow(afterSpace);
		}
	}

	return [...ends, offset];
};

type Wrapped = {readonly width: number; readonly rows: Map<number, readonly TextRow[]>};

/** Rows are asked for several times before the text changes again. */
const wrapped = new WeakMap<ChunkedText, Wrapped>();

/** As many as several screens need. */
const maximumBlocks = 256;

const wrapBlock = (text: ChunkedText, {start, end, isLineEnd}: Block, width: number): readonly TextRow[] => {
	const ends = rowEnds(sliceText(text, start, end), width);
	return ends
		.map((rowEnd, index) => ({start: start + (ends[index - 1] ?? 0), end: start + rowEnd, isLineEnd: isLineEnd && index === ends.length - 1}))
		.filter(row => row.end > row.start || row.isLineEnd);
};

const rowsOf = (text: ChunkedText, block: Block, width: number): readonly TextRow[] => {
	const before = wrapped.get(text);
	const known = before?.width === width && before.rows.size < maximumBlocks ? before : {width, rows: new Map<number, readonly TextRow[]>()};
	wrapped.set(text, known);
	const rows = known.rows.get(block.start) ?? wrapBlock(text, block, width);
	known.rows.set(block.start, rows);
	return rows;
};

/**
The row that an offset is in. Between two rows of a line it is in the second one.

@param width - the columns of a row. One more is needed for the cursor at its end.
*/
export const rowAt = (text: ChunkedText, width: number, offset: number): TextRow => {
	const rows = rowsOf(text, blockAt(text, offset), width);
	return rows.findLast(({start}) => start <= offset) ?? rows[0]!;
};

/** The row below; `undefined` below the last one. */
export const rowBelow = (text: ChunkedText, width: number, {end, isLineEnd}: TextRow): TextRow | undefined => {
	const start = isLineEnd ? nextLineStartOf(text, end) : end;
	return start === undefined ? undefined : rowAt(text, width, start);
};

/** The row above; `undefined` above the first one. */
export const rowAbove = (text: ChunkedText, width: number, {start}: TextRow): TextRow | undefined => start === 0 ? undefined : rowAt(text, width, start - 1);

/** The column of an offset in its row. */
export const columnOf = (text: ChunkedText, {start}: TextRow, offset: number): number => {
	let column = 0;
	for (const character of charactersOf(sliceText(text, start, offset))) {
		column += showCharacter(character, column).columns;
	}

	return column;
};

/** The offset of the character at a column of a row, or of the last one. */
export const offsetAt = (text: ChunkedText, row: TextRow, wantedColumn: number): number => {
	let {start: offset} = row;
	let column = 0;
	for (const character of charactersOf(sliceText(text, row.start, row.end))) {
		const {columns} = showCharacter(character, column);
		const isLast = !row.isLineEnd && offset + character.length >= row.end;
		if (column + columns > wantedColumn || isLast) {
			break;
		}

		offset += character.length;
		column += columns;
	}

	return offset;
};
