import {type ChunkedText} from './chunked-text.ts';
import {
	columnOf,
	rowAbove,
	rowAt,
	rowBelow,
	type TextRow,
} from './rows.ts';

/** Columns for a row, without the one for a cursor at its end, and rows for the text. */
export type TextSize = {readonly width: number; readonly height: number};

type Seen = {
	readonly text: ChunkedText;
	readonly cursor: number;
	/** An offset in the first row on the screen. */
	readonly top: number;
};

export type TextView = {
	/** The rows on the screen. */
	readonly rows: readonly TextRow[];
	/** Which of them the cursor is in, and the column. */
	readonly cursorRow: number;
	readonly cursorColumn: number;
};

/** The row so many rows below another one, or above it for a negative number; the last or first one if there are not as many. */
export const rowFrom = (text: ChunkedText, width: number, row: TextRow, distance: number): TextRow => {
	let found = row;
	for (let step = 0; step < Math.abs(distance); step++) {
		const next = distance > 0 ? rowBelow(text, width, found) : rowAbove(text, width, found);
		if (next === undefined) {
			break;
		}

		found = next;
	}

	return found;
};

const rowsFrom = (text: ChunkedText, {width, height}: TextSize, top: TextRow): readonly TextRow[] => {
	const rows = [top];
	for (let next = rowBelow(text, width, top); next !== undefined && rows.length < height; next = rowBelow(text, width, next)) {
		rows.push(next);
	}

	return rows;
};

/** The part of the text that is on the screen: from its top on, scrolled no further than it takes to see the cursor, and without empty rows below the text while there are rows above. */
export const viewOf = ({text, cursor, top}: Seen, size: TextSize): TextView => {
	const {width, height} = size;
	const cursorRow = rowAt(text, width, cursor);
	const wanted = rowAt(text, width, Math.min(top, text.length));
	const isIn = (rows: readonly TextRow[]): boolean => rows.some(({start}) => start === cursorRow.start);
	let rows = rowsFrom(text, size, cursorRow.start < wanted.start ? cursorRow : wanted);
	if (!isIn(rows)) {
		rows = rowsFrom(text, size, rowFrom(text, width, cursorRow, 1 - height));
	} else if (rows.length < height) {
		rows = rowsFrom(text, size, rowFrom(text, width, rows[0]!, rows.length - height));
	}

	return {rows, cursorRow: rows.findIndex(({start}) => start === cursorRow.start), cursorColumn: columnOf(text, cursorRow, Math.min(cursor, cursorRow.end))};
};
