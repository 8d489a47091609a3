import type {ActionName} from '../../words/key-table.ts';
import {targetRow, type Move} from '../state/list-state.ts';
import {wrapText} from '../../terminal/wrap.ts';

/* The entries of the help in columns, with a cursor over them. An entry may be longer than the screen is high. */

/** Keys and their effects. Enter presses the key, or carries out the action; a sign, for example, has neither. */
type Entry = {
	readonly keys: string;
	readonly description: string;
	readonly key?: string | undefined;
	readonly action?: ActionName | undefined;
};

export type EntryGroup = {
	readonly heading: string;
	/** True if its longest keys continue below instead of leaving less room for all descriptions. */
	readonly hasLongKeys?: boolean;
	readonly rows: readonly Entry[];
};

type Span = {readonly column: number; readonly start: number; readonly end: number};

type SheetLine = {
	readonly label: string;
	readonly text: string;
	/** The number of the entry; a heading or an empty line has none. */
	readonly entry?: number;
};

export type Sheet = {
	readonly entries: readonly Entry[];
	readonly spans: readonly Span[];
	/** Columns of the same height. */
	readonly columns: ReadonlyArray<readonly SheetLine[]>;
	readonly lineCount: number;
	readonly columnWidth: number;
	readonly keyColumns: number;
};

/** Terminal columns before the keys, for the marker of the cursor. */
export const markerColumns = 3;

const emptyLine: SheetLine = {label: '', text: ''};

/**
Returns all groups in one or two columns. Two columns are split so that they are shortest. Keys and descriptions each continue below
themselves.
*/
export function createSheet(groups: readonly EntryGroup[], columnWidth: number, columnCount: 1 | 2): Sheet {
	const longestKeys = Math.max(
		0,
		...groups.flatMap(({rows, hasLongKeys = false}) => (hasLongKeys ? [] : rows.map(({keys}) => keys.length))),
	);
	const keyColumns = Math.min(18, longestKeys + 2, Math.floor(columnWidth / 2));
	const textColumns = Math.max(1, columnWidth - markerColumns - keyColumns - 1);
	const entries: Entry[] = [];
	const blocks = groups.map(({heading, rows}) => [
		...wrapText(heading, columnWidth - 2).map(text => ({label: '', text})),
		...rows.flatMap((row): readonly SheetLine[] => {
			const entry = entries.length;
			entries.push(row);
			const [labels, texts] = [wrapText(row.keys, keyColumns - 1), wrapText(row.description, textColumns)];
			return Array.from({length: Math.max(1, labels.length, texts.length)}, (_, index) => ({
				label: labels[index] ?? '',
				text: texts[index] ?? '',
				entry,
			}));
		}),
	]);
	const divided =
		columnCount === 1
			? [[stacked(blocks)]]
			: blocks.map((_, index) => [stacked(blocks.slice(0, index + 1)), stacked(blocks.slice(index + 1))]);
	const columns = divided.toSorted((first, second) => heightOf(first) - heightOf(second))[0] ?? [[]];
	return {
		entries,
		spans: entries.map((_, entry) => {
			const column = columns.findIndex(lines => lines.some(line => line.entry === entry));
			const numbers = columns[column]!.map(line => line.entry);
			return {column, start: numbers.indexOf(entry), end: numbers.lastIndexOf(entry)};
		}),
		columns,
		lineCount: heightOf(columns),
		columnWidth,
		keyColumns,
	};
}

/** Stacks groups, with an empty line in between. */
const stacked = (blocks: ReadonlyArray<readonly SheetLine[]>): readonly SheetLine[] =>
	blocks.flatMap((lines, index) => (index === 0 ? lines : [emptyLine, ...lines]));

const heightOf = (columns: ReadonlyArray<readonly SheetLine[]>): number => Math.max(...columns.map(({length}) => length));

/** The entry under the cursor, and the first line on the screen. */
type Place = {readonly entry: number; readonly top: number};

export const firstPlace: Place = {entry: 0, top: 0};

/** Returns the place as it is drawn: a place on another sheet, which may have been longer, is moved to this one. */
export function placeOn(sheet: Sheet, {entry, top}: Place, height: number): Place {
	const {start, end} = sheet.spans[entry] ?? {start: -1, end: -1};
	return end >= top && start < top + height && top <= sheet.lineCount - height
		? {entry, top}
		: sheet.entries.length === 0
			? firstPlace
			: placeAt(sheet, Math.min(entry, sheet.entries.length - 1), top, height);
}

/** Returns the place on an entry, with the whole entry in view if there is room, and the heading above it. */
function placeAt({spans, lineCount}: Sheet, entry: number, top: number, height: number): Place {
	const {start, end} = spans[entry]!;
	const wanted = Math.min(Math.max(top, end - height + 1), Math.max(0, start - 1));
	return {entry, top: Math.max(0, Math.min(wanted, lineCount - height))};
}

/** Returns the place after a move, without wrapping around. An entry longer than the screen is scrolled through first. */
export function movedOn(sheet: Sheet, place: Place, move: Move | 'left' | 'right', height: number): Place {
	const {entry, top} = placeOn(sheet, place, height);
	const span = sheet.spans[entry];
	if (span === undefined) {
		return firstPlace;
	}

	if ((move === 'down' && span.end >= top + height) || (move === 'up' && span.start < top)) {
		return {entry, top: top + (move === 'down' ? 1 : -1)};
	}

	const isSideways = move === 'left' || move === 'right';
	const column = span.column + (isSideways ? (move === 'left' ? -1 : 1) : 0);
	const starts = sheet.spans.flatMap((each, number) => (each.column === column ? [{number, start: each.start}] : []));
	const target = isSideways ? span.start : targetRow(move, span.start, sheet.lineCount + 1, height);
	const next =
		target > span.start
			? (starts.find(({start}) => start >= target) ?? starts.at(-1))
			: (starts.findLast(({start}) => start <= target) ?? starts[0]);
	return next === undefined ? place : placeAt(sheet, next.number, top, height);
}

/** Returns the place after a step of the wheel: the cursor stays until it would be out of view. */
export function scrolledOn(sheet: Sheet, place: Place, by: number, height: number): Place {
	const {entry, top: before} = placeOn(sheet, place, height);
	const top = Math.max(0, Math.min(before + by, sheet.lineCount - height));
	const span = sheet.spans[entry];
	if (span === undefined || (span.end >= top && span.start < top + height)) {
		return {entry, top};
	}

	const inColumn = sheet.spans.flatMap((each, number) => (each.column === span.column ? [{number, ...each}] : []));
	const next = by > 0 ? inColumn.find(({end}) => end >= top) : inColumn.findLast(({start}) => start < top + height);
	return {entry: next?.number ?? entry, top};
}
