import type {Capabilities} from './capabilities.ts';
import {blank, isErasable, isInvisibleOnSpace, styleChange, type Cell, type Row, type CellStyle} from './cells.ts';

/** Fewer rows are drawn: an apparent scroll may be a highlight that moves between rows that look the same. */
const fewestRows = 3;

export type Position = {readonly row: number; readonly column: number};

/** Moving the cursor over fewer cells than this takes more bytes than writing them again. */
const shortestJump = 5;

/** Fewer blanks than this take fewer bytes than the sequence that erases them. */
const shortestErasure = 4;

type Screen = Pick<Capabilities, 'erasesInColor'> & {readonly columns: number};

type Drawn = {readonly rows: readonly Row[]; readonly cursor: Position};

/**
Returns an encoder for a screen of this width. It returns the bytes that make the screen show these rows, as many as it has, with the cursor
in its place; empty if it shows them already. The first call draws everything, whatever the screen shows. Equal rows of two calls are
usually the same object.
*/
export function createFrameEncoder({isPlain, ...screen}: Screen & Pick<Capabilities, 'isPlain'>) {
	let shown: Drawn | undefined;
	return (next: Drawn): string => {
		const before = shown;
		shown = next;
		if (isPlain && !before?.rows.every((row, index) => row === next.rows[index])) {
			// A row is erased before it is drawn: after its last column the cursor is still on that column.
			return '\u{1B}[m\u{1B}[H' + next.rows.map(row => `\u{1B}[K${encodeRow(row)}`).join('\r\n') + moveSequence(undefined, next.cursor);
		}

		return encodeChanges(screen, before, next, before && findScroll(before.rows, next.rows));
	};
}

/** A row with its styles, whatever the screen shows. */
function encodeRow(row: Row): string {
	let style: CellStyle = '';
	let output = '';
	for (const cell of row) {
		output += styleChange(style, cell.style) + cell.text;
		style = cell.style;
	}

	return output + styleChange(style, '');
}

/** A place whose column may not be known. */
type Reached = {readonly row: number; readonly column: number | undefined};

/** Returns the sequence that moves the cursor, from an unknown place if `from` is not given. */
function moveSequence(from: Reached | undefined, {row, column}: Position): string {
	if (from?.row === row && column === 0) {
		return '\r';
	}

	if (from?.row === row && from.column !== undefined) {
		const distance = column - from.column;
		return `\u{1B}[${Math.abs(distance) === 1 ? '' : Math.abs(distance)}${distance > 0 ? 'C' : 'D'}`;
	}

	if (from?.row === row) {
		return `\u{1B}[${column + 1}G`;
	}

	return column === 0 ? (row === 0 ? '\u{1B}[H' : `\u{1B}[${row + 1}H`) : `\u{1B}[${row + 1};${column + 1}H`;
}

/** The rows from `top` to `bottom`, inclusive, move up by `distance`, or down if it is negative. */
type Scroll = {readonly top: number; readonly bottom: number; readonly distance: number};

function encodeChanges({columns, erasesInColor}: Screen, shown: Drawn | undefined, next: Drawn, scroll?: Scroll): string {
	const encoder = createScreenEncoder(columns, erasesInColor);
	let before = shown?.rows;
	if (before === undefined) {
		encoder.clear();
	} else if (scroll !== undefined) {
		encoder.scroll(scroll);
		before = scrollRows(before, scroll);
	}

	const change = (row: number): void => {
		const previous = before?.[row] ?? [];
		if (previous !== next.rows[row]) {
			encoder.changeRow(row, previous, next.rows[row]!);
		}
	};

	for (const row of next.rows.keys()) {
		if (row !== next.cursor.row) {
			change(row);
		}
	}

	// From here the cursor has a short way to its place.
	change(next.cursor.row);

	return encoder.finish(shown?.cursor, next.cursor);
}

/**
Encodes changes for a terminal of this width. The cursor is positioned absolutely (CUP, supported since the VT100) at the start
and after each cell of uncertain width, so that nothing shifts the cells that follow.
*/
function createScreenEncoder(columns: number, erasesInColor: boolean) {
	let output = '';
	let style: CellStyle = '';
	/**
	The position of the cursor; `undefined` at the start, where another program may have moved it. After a cell of uncertain width
	the column is.
	*/
	let position: Reached | undefined;

	const moveTo = (place: Position): void => {
		if (isSamePlace(place, position)) {
			return;
		}

		output += moveSequence(position, place);
		position = place;
	};

	const setStyle = (next: CellStyle): void => {
		output += styleChange(style, next);
		style = next;
	};

	/** The cell with which erasing can fill the end of a row. */
	const fillOf = (next: Row): Cell => {
		const last = next.length < columns ? blank : next.at(-1)!;
		return erasesInColor && last.text === ' ' && isErasable(last.style) ? last : blank;
	};

	/** Erased cells get the background of the current style. */
	const eraseFrom = (place: Position, {style: next}: Cell): void => {
		moveTo(place);
		setStyle(next);
		output += '\u{1B}[K';
	};

	const put = (row: number, column: number, cell: Cell): void => {
		moveTo({row, column});
		if (cell !== blank || !isInvisibleOnSpace(style)) {
			setStyle(cell.style);
		}

		output += cell.text;
		// After the last column terminals disagree about the cursor's position.
		position = {row, column: cell.hasUncertainWidth || column + 1 >= columns ? undefined : column + 1};
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

			// Rewriting a few cells at the cursor takes fewer bytes than a jump over them.
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
		/** Changes a row on the screen from `previous` to `next`. */
		changeRow(row: number, previous: Row, next: Row): void {
			const length = Math.max(previous.length, next.length);
			const isShown = (column: number): boolean => isSame(previous[column] ?? blank, next[column] ?? blank);
			const hasUncertainWidth = (column: number): boolean => [previous[column], next[column]].some(cell => cell?.hasUncertainWidth);
			let uncertain = 0;
			while (uncertain < length && (isShown(uncertain) || !hasUncertainWidth(uncertain))) {
				uncertain++;
			}

			// From some column on it may take fewer bytes to erase the row, jump over the blanks, and write the rest again.
			const fill = fillOf(next);
			let start = uncertain;
			let mostSaved = 0;
			let saved = 0;
			/** The cells that erasing sets in the blanks from here on. */
			let erased = 0;
			let jumpBytes = uncertain < length ? shortestJump : 0;
			for (let column = uncertain - 1; column >= -1; column--) {
				if (column >= 0 && isSame(next[column] ?? blank, fill)) {
					erased += Number(!isShown(column));
					continue;
				}

				saved += Math.max(0, erased - jumpBytes);
				if (saved > mostSaved) {
					start = column + 1;
					mostSaved = saved;
				}

				saved -= Number(isShown(column));
				erased = 0;
				jumpBytes = shortestJump;
			}

			if (uncertain === length && mostSaved < shortestErasure) {
				putCells(row, next, [0, length], isShown);
				return;
			}

			putCells(row, next, [0, start], isShown);
			// A cell of uncertain width may affect any column after it.
			if (previous.length > start || fill !== blank) {
				eraseFrom({row, column: start}, fill);
			}

			putCells(row, next, [start, next.length], column => isSame(next[column]!, fill));
		},
		/** Clears the whole screen. */
		clear(): void {
			setStyle('');
			// Not ED 2: some terminals push the erased lines into their scrollback.
			output += '\u{1B}[m\u{1B}[H\u{1B}[J';
			position = {row: 0, column: 0};
		},
		/** Scrolls rows and clears the rows that become free. */
		scroll({top, bottom, distance}: Scroll): void {
			// New rows get the background of the current style.
			setStyle('');
			// IND and RI, as old as scroll regions: the Linux console has no SU and SD.
			output += `\u{1B}[${top + 1};${bottom + 1}r`;
			// Both move the cursor, and not everywhere in the same way.
			position = undefined;
			moveTo({row: distance > 0 ? bottom : top, column: 0});
			output += (distance > 0 ? '\u{1B}D' : '\u{1B}M').repeat(Math.abs(distance)) + '\u{1B}[r';
			position = undefined;
		},
		/**
		Returns the encoded changes, after which the style is reset and the cursor is in this place; empty if neither the cells nor the
		cursor change.
		*/
		finish(before: Position | undefined, cursor: Position): string {
			setStyle('');
			if (output !== '' || !isSamePlace(cursor, before)) {
				moveTo(cursor);
			}

			return output;
		},
	};
}

const isSamePlace = (one: Position, other: Reached | undefined): boolean => one.row === other?.row && one.column === other.column;

const isSame = (one: Cell, other: Cell): boolean => one === other || (one.text === other.text && one.style === other.style);

/** The rows on the screen after a scroll. */
const scrollRows = (rows: readonly Row[], {top, bottom, distance}: Scroll): readonly Row[] =>
	rows.map((row, index) => {
		if (index < top || index > bottom) {
			return row;
		}

		const from = index + distance;
		return from < top || from > bottom ? [] : rows[from]!;
	});

/**
Returns the scroll that brings the most rows to their place on the next screen; `undefined` if none brings several, and more than it takes from
their place. Equal rows must be the same object.
*/
function findScroll(shown: readonly Row[], next: readonly Row[]): Scroll | undefined {
	const indexes = indexesOf(shown);
	const scrolls = new Map<number, Scroll & {readonly count: number}>();
	for (const [to, row] of next.entries()) {
		const from = indexes.get(row);
		if (from === undefined || from === to) {
			continue;
		}

		const distance = from - to;
		const {top = Infinity, bottom = 0, count = 0} = scrolls.get(distance) ?? {};
		scrolls.set(distance, {top: Math.min(top, from, to), bottom: Math.max(bottom, from, to), distance, count: count + 1});
	}

	const [best] = [...scrolls.values()].toSorted((one, other) => other.count - one.count);
	const isInPlace = (row: Row, index: number): boolean => row === next[index] && index >= best!.top && index <= best!.bottom;
	return best !== undefined && best.count >= fewestRows && best.count > shown.filter(isInPlace).length ? best : undefined;
}

/** The index of each row, without empty rows and rows that occur twice. */
function indexesOf(rows: readonly Row[]): ReadonlyMap<Row, number> {
	const indexes = new Map<Row, number>();
	const repeated = new Set<Row>();
	for (const [index, row] of rows.entries()) {
		if (indexes.has(row) || row.length === 0) {
			repeated.add(row);
		}

		indexes.set(row, index);
	}

	for (const row of repeated) {
		indexes.delete(row);
	}

	return indexes;
}
