import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {spoken} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
import {FoundText} from './found-text.tsx';
import {type TextSearch} from './use-text-search.ts';
import {wrapText} from './wrap.ts';

export type HelpRow = {readonly keys: string; readonly description: string};

/** One line of the help; what a row says is read out with its first. */
export type HelpLine = HelpRow & {readonly row: HelpRow; readonly isFirst: boolean};

const keyColumns = (rows: readonly HelpRow[], width: number): number =>
	Math.min(18, Math.max(...rows.map(row => row.keys.length)) + 2, Math.floor(width / 2));

/** All rows in lines of a width: keys and description each go on below themselves where they are longer. */
export const helpLines = (rows: readonly HelpRow[], width: number): readonly HelpLine[] => {
	const keysWidth = keyColumns(rows, width);
	return rows.flatMap(row => {
		const keys = wrapText(row.keys, keysWidth - 1);
		const description = wrapText(row.description, width - keysWidth - 2);
		return Array.from({length: Math.max(1, keys.length, description.length)}, (_, index) => ({
			row,
			isFirst: index === 0,
			keys: fit(keys[index] ?? '', keysWidth),
			description: description[index] ?? '',
		}));
	});
};

/** A line as it is searched. */
export const helpText = ({keys, description}: HelpLine): string => keys + description;

export type HelpProps = {
	readonly lines: readonly HelpLine[];
	readonly height: number;
	readonly top: number;
	/** What fits a search in a line. */
	readonly partsIn: TextSearch['partsIn'];
};

/** The part of the help that is on the screen. */
export const Help = ({lines, height, top, partsIn}: HelpProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} overflow='hidden'>
		{lines.slice(top, top + height).map(({row, isFirst, keys, description}, index) => (
			// Lines have no identity but their place.
			<Text key={index} wrap='truncate-end' aria-hidden={!isFirst} aria-label={spoken(row.keys, row.description)}>
				<Text {...theme.accent}> <FoundText text={keys} parts={partsIn(top + index)}/></Text>
				<Text><FoundText text={description} parts={partsIn(top + index)} offset={keys.length}/></Text>
			</Text>
		))}
	</Box>
);
