import {blank, type Cell, type Row} from './cells.ts';
import {styleChange, isInvisibleOnSpace, type Style} from './style.ts';

type Position = {readonly row: number; readonly column: number};

export type ScreenEncoder = {
	/** The bytes so far, with the style back to plain; begins anew. */
	finish(): string;
	/** Makes a row that shows `previous` show `next`. */
	changeRow(row: number, previous: Row, next: Row): void;
	/** Clears the whole screen, whatever it showed. */
	clear(): void;
};

/** Moving over fewer cells than this costs more than writing them again. */
const shortestJump = 8;

/** Fewer blanks than this are shorter than the sequence that erases them. */
const shortestErasure = 4;

const isSame = (one: Cell, other: Cell): boolean => one === other || (one.text === other.text && one.style === other.style);

/**
Writes for a terminal of so many columns. The cursor is only ever placed absolutely (CUP, which every terminal since the
VT100 has), and anew after each cell about whose width terminals may disagree, so that nothing shifts what follows.
*/
export const createScreenEncoder = (columns: number): ScreenEncoder => {
	let output = '';
	let style: Style = '';
	/** Where the cursor is; unknown at first, and after an uncertain cell. */
	let position: Position | undefined;

	const moveTo = ({row, column}: Position): void => {
		if (position?.row === row && position.column === column) {
			return;
		}

		output += column === 0 ? (row === 0 ? '\u{1B}[H' : `\u{1B}[${row + 1}H`) : `\u{1B}[${row + 1};${column + 1}H`;
		position = {row, column};
	};

	const setStyle = (next: Style): void => {
		output += styleChange(style, next);
		style = next;
	};

	const eraseToEnd = (): void => {
		// What is erased takes the background of the style in use.
		setStyle('');
		output += '\u{1B}[K';
	};

	const put = (row: number, column: number, cell: Cell): void => {
		moveTo({row, column});
		if (cell !== blank || !isInvisibleOnSpace(style)) {
			setStyle(cell.style);
		}

		output += cell.text;
		// Past the last column terminals disagree about where the cursor is.
		position = cell.hasUncertainWidth || column + 1 >= columns ? undefined : {row, column: column + 1};
	};

	/** Writes cells from one column to another (exclusive) but for those that show already. */
	const putCells = (row: number, next: Row, [start, end]: readonly [number, number], isShown: (column: number) => boolean): void => {
		for (let column = start; column < end; column++) {
			let stop = column;
			while (stop < end && isShown(stop)) {
				stop++;
			}

			if (stop === end) {
				return;
			}

			// Where the cursor is, writing a few cells again is shorter than a jump over them.
			const isNear = position?.row === row && position.column === column && stop - column < shortestJump;
			if (!isNear || next.slice(column, stop).some(({hasUncertainWidth: isUncertain}) => isUncertain)) {
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
			const isUncertain = (column: number): boolean => [previous[column], next[column]].some(cell => cell?.hasUncertainWidth);
			let uncertain = 0;
			while (uncertain < length && (isShown(uncertain) || !isUncertain(uncertain))) {
				uncertain++;
			}

			if (uncertain < length) {
				putCells(row, next, [0, uncertain], isShown);
				// Nobody knows which columns such a cell touches: from there on the row is made anew.
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
			// Not ED 2: some terminals push what it erases into their scrollback.
			output += '\u{1B}[m\u{1B}[H\u{1B}[J';
			position = {row: 0, column: 0};
		},
		finish() {
			setStyle('');
			const finished = output;
			output = '';
			return finished;
		},
	};
};
