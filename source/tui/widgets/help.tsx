import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {spoken} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
import {FoundText} from './found-text.tsx';
import {type TextSearch} from './use-text-search.ts';
import {wrapText} from './wrap.ts';

export type HelpRow = {readonly keys: string; readonly description: string};

/** What belongs together, with a heading where it has one. */
export type HelpGroup = {readonly heading?: string; readonly rows: readonly HelpRow[]};

/** One line of the help: a heading, or a part of a row. What a row says is read out with its first. */
export type HelpLine = {readonly heading: string; readonly keys: string; readonly description: string; readonly spoken: string};

const noLine: HelpLine = {
	heading: '', keys: '', description: '', spoken: '',
};

const keyColumns = (groups: readonly HelpGroup[], width: number): number =>
	Math.min(18, Math.max(...groups.flatMap(({rows}) => rows.map(row => row.keys.length))) + 2, Math.floor(width / 2));

/** A row in lines: keys and description each go on below themselves where they are longer. */
const rowLines = (row: HelpRow, keysWidth: number, width: number): readonly HelpLine[] => {
	const keys = wrapText(row.keys, keysWidth - 1);
	const description = wrapText(row.description, width - keysWidth - 2);
	return Array.from({length: Math.max(1, keys.length, description.length)}, (_, index) => ({
		...noLine,
		keys: fit(keys[index] ?? '', keysWidth),
		description: description[index] ?? '',
		spoken: index === 0 ? spoken(row.keys, row.description) : '',
	}));
};

const groupLines = ({heading, rows}: HelpGroup, keysWidth: number, width: number): readonly HelpLine[] => [
	...(heading === undefined ? [] : [{...noLine, heading, spoken: heading}]),
	...rows.flatMap(row => rowLines(row, keysWidth, width)),
];

/** Groups one below the other, with an empty line between two. */
const stacked = (groups: ReadonlyArray<readonly HelpLine[]>): readonly HelpLine[] =>
	groups.flatMap((lines, index) => index === 0 ? lines : [noLine, ...lines]);

/** Columns of the same height. */
const levelled = (columns: ReadonlyArray<readonly HelpLine[]>): ReadonlyArray<readonly HelpLine[]> => {
	const height = Math.max(...columns.map(({length}) => length));
	return columns.map(lines => [...lines, ...Array.from({length: height - lines.length}, () => noLine)]);
};

/** All groups, beside one another in as many columns, one or two, as are asked for: the shortest that come of it. */
export const helpColumns = (groups: readonly HelpGroup[], width: number, columnCount: 1 | 2): ReadonlyArray<readonly HelpLine[]> => {
	const columnWidth = Math.floor(width / columnCount);
	const keysWidth = keyColumns(groups, columnWidth);
	const blocks = groups.filter(({rows}) => rows.length > 0).map(group => groupLines(group, keysWidth, columnWidth));
	if (columnCount === 1) {
		return [stacked(blocks)];
	}

	const choices = blocks.map((_, index) => [stacked(blocks.slice(0, index + 1)), stacked(blocks.slice(index + 1))] as const);
	const heightOf = (columns: ReadonlyArray<readonly HelpLine[]>): number => Math.max(...columns.map(({length}) => length));
	return levelled(choices.toSorted((first, second) => heightOf(first) - heightOf(second))[0]!);
};

export type HelpProps = {
	readonly columns: ReadonlyArray<readonly HelpLine[]>;
	readonly width: number;
	readonly height: number;
	readonly top: number;
	/** What fits a search in a line, as `helpTexts` counts them. */
	readonly partsIn: TextSearch['partsIn'];
};

/** The lines as they are searched, those of one column after the other. */
export const helpTexts = (columns: ReadonlyArray<readonly HelpLine[]>): readonly string[] =>
	columns.flat().map(({heading, keys, description}) => heading === '' ? keys + description : heading);

/** The part of the help that is on the screen. */
export const Help = ({columns, width, height, top, partsIn}: HelpProps): ReactElement => (
	<Box height={height} flexShrink={0} overflow='hidden'>
		{columns.map((lines, column) => (
			<Box key={column} flexDirection='column' width={Math.floor(width / columns.length)} flexShrink={0}>
				{lines.slice(top, top + height).map((line, index) => {
					const parts = partsIn((column * lines.length) + top + index);
					return (
						// Lines have no identity but their place.
						<Text key={index} wrap='truncate-end' aria-hidden={line.spoken === ''} aria-label={line.spoken}>
							{line.heading === ''
								? (
									<>
										<Text {...theme.accent}> <FoundText text={line.keys} parts={parts}/></Text>
										<Text><FoundText text={line.description} parts={parts} offset={line.keys.length}/></Text>
									</>
								)
								: <Text {...theme.title}> <FoundText text={line.heading} parts={parts}/></Text>}
						</Text>
					);
				})}
			</Box>
		))}
	</Box>
);
