import {spokenText} from '../terminal/spoken-text.ts';
import {type ScrollLine} from './scroll-text.tsx';
import {wrapText} from './wrap.ts';

/** Keys and what they do; under a heading if there is one. */
export type HelpGroup = {
	readonly heading?: string;
	/** True if its longest keys go on below, rather than leave less room for all descriptions. */
	readonly hasLongKeys?: boolean;
	readonly rows: ReadonlyArray<{readonly keys: string; readonly description: string}>;
};

type Lines = readonly ScrollLine[];

/** Columns of lines side by side, with so many terminal columns for the keys of each. */
type HelpColumns = {readonly columns: readonly Lines[]; readonly keyColumns: number};

const noLine: ScrollLine = {text: '', spoken: ''};

/** A row in lines: keys and description each continue below themselves. The first line is read out for all. */
const rowLines = ({keys, description}: HelpGroup['rows'][number], keyColumns: number, width: number): Lines => {
	const keyLines = wrapText(keys, keyColumns - 1);
	const descriptionLines = wrapText(description, width - keyColumns - 2);
	return Array.from({length: Math.max(1, keyLines.length, descriptionLines.length)}, (_, index) => ({
		label: keyLines[index] ?? '',
		text: descriptionLines[index] ?? '',
		spoken: index === 0 ? spokenText(keys, description) : '',
	}));
};

/** Groups one below the other, with an empty line between two. */
const stacked = (groups: readonly Lines[]): Lines => groups.flatMap((lines, index) => index === 0 ? lines : [noLine, ...lines]);

const heightOf = (columns: readonly Lines[]): number => Math.max(...columns.map(({length}) => length));

/** All groups in one or two columns. Two are divided where that makes them shortest, and have the same height. */
export const helpColumns = (groups: readonly HelpGroup[], width: number, columnCount: 1 | 2): HelpColumns => {
	const columnWidth = Math.floor(width / columnCount);
	const longestKeys = Math.max(...groups.flatMap(({rows, hasLongKeys = false}) => hasLongKeys ? [] : rows.map(({keys}) => keys.length)));
	const keyColumns = Math.min(18, longestKeys + 2, Math.floor(columnWidth / 2));
	const blocks = groups.filter(({rows}) => rows.length > 0).map(({heading, rows}): Lines => [
		...(heading === undefined ? [] : [{text: heading, tone: 'title'} as const]),
		...rows.flatMap(row => rowLines(row, keyColumns, columnWidth)),
	]);
	if (columnCount === 1) {
		return {columns: [stacked(blocks)], keyColumns};
	}

	const divided = blocks.map((_, index) => [stacked(blocks.slice(0, index + 1)), stacked(blocks.slice(index + 1))]);
	const shortest = divided.toSorted((first, second) => heightOf(first) - heightOf(second))[0]!;
	const height = heightOf(shortest);
	return {columns: shortest.map(lines => [...lines, ...Array.from({length: height - lines.length}, () => noLine)]), keyColumns};
};
