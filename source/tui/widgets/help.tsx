import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {spoken} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';
import {fit, truncate} from './fit.ts';

export type HelpRow = {readonly keys: string; readonly description: string};

/** All keys with what they do. */
export const Help = ({rows, width, height, top}: {readonly rows: readonly HelpRow[]; readonly width: number; readonly height: number; readonly top: number}): ReactElement => {
	const keysWidth = Math.min(18, Math.max(...rows.map(row => row.keys.length)) + 2, Math.floor(width / 2));
	return (
		<Box flexDirection='column' height={height} flexShrink={0} overflow='hidden'>
			{rows.slice(top, top + height).map(row => (
				<Text key={row.description} wrap='truncate-end' aria-label={spoken(row.keys, row.description)}>
					<Text {...theme.accent}>{` ${fit(row.keys, keysWidth)}`}</Text>
					<Text>{truncate(row.description, width - keysWidth - 2)}</Text>
				</Text>
			))}
		</Box>
	);
};
