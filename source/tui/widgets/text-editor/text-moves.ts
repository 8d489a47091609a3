import {
	nextCharacter,
	nextWord,
	previousCharacter,
	previousWord,
} from './characters.ts';
import {lineEndOf, lineStartOf, type ChunkedText} from './chunked-text.ts';
import {columnOf, offsetAt, rowAt} from './rows.ts';
import {rowFrom, type TextSize} from './text-view.ts';

/** A part of the text from the cursor to here. */
export type Reach = 'previous-character' | 'next-character' | 'previous-word' | 'next-word' | 'line-start' | 'line-end';

export type TextMove = Reach | 'row-up' | 'row-down' | 'page-up' | 'page-down' | 'text-start' | 'text-end';

/** Where in a text the cursor and the screen are. */
export type TextPlace = {
	readonly text: ChunkedText;
	readonly cursor: number;
	/** The column that the cursor keeps to while it moves up and down. */
	readonly wantedColumn: number | undefined;
	/** Where the first row on the screen starts. */
	readonly top: number;
};

/** The offset that each of them ends at. */
export const reaches: Readonly<Record<Reach, (text: ChunkedText, offset: number) => number>> = {
	'previous-character': previousCharacter,
	'next-character': nextCharacter,
	'previous-word': previousWord,
	'next-word': nextWord,
	'line-start': lineStartOf,
	'line-end': lineEndOf,
};

type Moved = Omit<TextPlace, 'text'>;

const moveByRows = ({text, cursor, wantedColumn, top}: TextPlace, {width}: TextSize, distance: number, isPage: boolean): Moved => {
	const row = rowAt(text, width, cursor);
	const target = rowFrom(text, width, row, distance);
	const column = wantedColumn ?? columnOf(text, row, cursor);
	return {
		// Beyond the first and the last row there is only their end.
		cursor: target.start === row.start ? (distance < 0 ? 0 : text.length) : offsetAt(text, target, column),
		wantedColumn: column,
		top: isPage ? rowFrom(text, width, rowAt(text, width, top), distance).start : top,
	};
};

/** Where the cursor and the screen are after a move. */
export const moveCursor = (state: TextPlace, move: TextMove, size: TextSize): Moved => {
	const {text, cursor, top} = state;
	const page = Math.max(1, size.height - 1);
	switch (move) {
		case 'row-up': {
			return moveByRows(state, size, -1, false);
		}

		case 'row-down': {
			return moveByRows(state, size, 1, false);
		}

		case 'page-up': {
			return moveByRows(state, size, -page, true);
		}

		case 'page-down': {
			return moveByRows(state, size, page, true);
		}

		case 'text-start':
		case 'text-end': {
			return {cursor: move === 'text-start' ? 0 : text.length, wantedColumn: undefined, top};
		}

		default: {
			return {cursor: reaches[move](text, cursor), wantedColumn: undefined, top};
		}
	}
};
