import {blank, type Cell, type Row} from './cells.ts';
import {type Scroll} from './scroll.ts';
import {styleChange, isInvisibleOnSpace, type Style} from './style.ts';

type Position = {readonly row: number; readonly column: number};

export type ScreenEncoder = {
	/** Returns the encoded changes, after which the style is reset. */
	finish(): string;
	/** Scrolls rows and clears those that become free. */
	scroll(scroll: Scroll): void;
	/** Changes a row on the screen from `previous` to `next`. */
	changeRow(row: number, previous: Row, next: Row): void;
	/** Clears the whole screen. */
	clear(): void;
};

/** Moving the cursor over fewer cells than this takes more bytes than writing them again. */
const shortestJump = 5;

/** Fewer blanks than this take fewer bytes than the sequence that erases them. */
const shortestErasure = 4;

const isSame = (one: Cell, other: Cell): boolean => one === other || (one.text === other.text && one.style === other.style);

/**
Encodes changes for a terminal of this width. The cursor is positioned absolutely (CUP, supported since the VT100) at the start
and after each cell of uncertain width, so that nothing shifts the cells that follow.
*/
export const createScreenEncoder = (columns: number): ScreenEncoder => {
	let output = '';
	let style: Style = '';
	/**
	The position of the cursor; `undefined` at the start, where another program may have moved it, and after a cell of
	uncertain width.
	*/
	let position: Position | undefined;

	const moveTo = ({row, column}: Position): void => {
		if (position?.row === row && position.column === column) {
			return;
		}

		if (position?.row === row && position.column < column) {
			const distance = column - position.column;
			output += distance === 1 ? '\u{1B}[C' : `\u{1B}[${distance}C`;
		} else {
			output += column === 0 ? (row === 0 ? '\u{1B}[H' : `\u{1B}[${row + 1}H`) : `\u{1B}[${row + 1};${column + 1}H`;
		}

		position = {row, column};
	};

	const setStyle = (next: Style): void => {
		output += styleChange(style, next);
		style = next;
	};

	const eraseToEnd = (): void => {
		// Erased cells get the background of the current style.
		setStyle('');
		output += '\u{1B}[K';
	};

	const put = (row: number, column: number, cell: Cell): void => {
		moveTo({row, column});
		if (cell !== blank || !isInvisibleOnSpace(style)) {
			setStyle(cell.style);
		}

		output += cell.text;
		// After the last column terminals disagree about the cursor's position.
		position = cell.hasUncertainWidth || column + 1 >= columns ? undefined : {row, column: column + 1};
	};

	/** Writes the cells from `start` to `end` (exclusive) that are not on the screen yet. */
	const putCells = (row: number, next: Row, [start, end]: readonly [number, number], isShown: (column: number) => boolean): void => {
		for (let column = start; column < end; column++) {
			let stop = column;
			while (stop < end && isShown(stop)) {
				stop++;
			}

			if (stop === end) {
				return;
			}

			// Writing a few cells again at the cursor takes fewer bytes than a jump over them.
			const isNear = position?.row === row && position.column === column && stop - column < shortestJump;
			if (!isNear || next.slice(column, stop).some(({hasUncertainWidth}) => hasUncertainWidth)) {
				column = stop;
			}

			const cell = next[column] ?? blank;
			if (cell.text !== '') {
				put(row, column, cell);
			}
		}
	};

	return {
		changeRow(row, previous, next) {
			const length = Math.max(previous.length, next.length);
			const isShown = (column: number): boolean => isSame(previous[column] ?? blank, next[column] ?? blank);
			const hasUncertainWidth = (column: number): boolean => [previous[column], next[column]].some(cell => cell?.hasUncertainWidth);
			let uncertain = 0;
			while (uncertain < length && (isShown(uncertain) || !hasUncertainWidth(uncertain))) {
				uncertain++;
			}

			if (uncertain < length) {
				putCells(row, next, [0, uncertain], isShown);
				// Such a cell may affect any column after it: rewrite the row from there on.
				if (previous.length > uncertain) {
					moveTo({row, column: uncertain});
					eraseToEnd();
				}

				putCells(row, next, [uncertain, next.length], column => next[column] === blank);
				return;
			}

			if (previous.length - next.length < shortestErasure) {
				putCells(row, next, [0, length], isShown);
				return;
			}

			putCells(row, next, [0, next.length], isShown);
			moveTo({row, column: next.length});
			eraseToEnd();
		},
		clear() {
			setStyle('');
			// Not ED 2: some terminals push the erased lines into their scrollback.
			output += '\u{1B}[m\u{1B}[H\u{1B}[J';
			position = {row: 0, column: 0};
		},
		scroll({top, bottom, distance}) {
			// Rows that come in get the background of the current style.
			setStyle('');
			// IND and RI, as old as scroll regions: the Linux console has no SU and SD.
			output += `\u{1B}[${top + 1};${bottom + 1}r`;
			// Both change the position of the cursor, not everywhere in the same way.
			position = undefined;
			moveTo({row: distance > 0 ? bottom : top, column: 0});
			output += (distance > 0 ? '\u{1B}D' : '\u{1B}M').repeat(Math.abs(distance)) + '\u{1B}[r';
			position = undefined;
		},
		finish() {
			setStyle('');
			return output;
		},
	};
};
