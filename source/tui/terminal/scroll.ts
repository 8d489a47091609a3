import {type Row} from './cells.ts';

/** The rows from `top` to `bottom`, inclusive, move up by `distance`, or down if it is negative. */
export type Scroll = {readonly top: number; readonly bottom: number; readonly distance: number};

/** Fewer rows are drawn: what looks like a scroll may be a highlight that moves between rows that look the same. */
const fewestRows = 3;

/** Where each row stands, without empty rows and rows that occur twice. */
const indexesOf = (rows: readonly Row[]): ReadonlyMap<Row, number> => {
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
};

/**
The scroll that brings the most rows to where they stand on the next screen; `undefined` if none brings several. Equal rows
must be the same object.
*/
export const findScroll = (shown: readonly Row[], next: readonly Row[]): Scroll | undefined => {
	const indexes = indexesOf(shown);
	const scrolls = new Map<number, Scroll & {readonly count: number}>();
	for (const [to, row] of next.entries()) {
		const from = indexes.get(row);
		if (from === undefined || from === to) {
			continue;
		}

		const distance = from - to;
		const {top = Infinity, bottom = 0, count = 0} = scrolls.get(distance) ?? {};
		scrolls.set(distance, {
			top: Math.min(top, from, to), bottom: Math.max(bottom, from, to), distance, count: count + 1,
		});
	}

	return [...scrolls.values()].filter(({count}) => count >= fewestRows).toSorted((one, other) => other.count - one.count)[0];
};

/** The rows on the screen after a scroll. */
export const scrollRows = (rows: readonly Row[], {top, bottom, distance}: Scroll): readonly Row[] => rows.map((row, index) => {
	if (index < top || index > bottom) {
		return row;
	}

	const from = index + distance;
	return from < top || from > bottom ? [] : rows[from]!;
});
