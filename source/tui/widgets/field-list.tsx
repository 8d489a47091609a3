import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';
import {fit, truncate} from './fit.ts';
import {type FieldLine} from './field-list-lines.ts';

export type FieldListProps = {
	readonly lines: readonly FieldLine[];
	readonly labelColumns: number;
	readonly width: number;
	/** The first line on the screen. */
	readonly top: number;
	readonly height: number;
};

/** The part of a list of labelled values that is on the screen. */
export const FieldList = ({lines, labelColumns, width, top, height}: FieldListProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={1} overflow='hidden'>
		{lines.slice(top, top + height).map(({label, text, tone, isHeading}, index) => (
			// Lines have no identity but their place.
			<Text key={index} wrap='truncate-end'>
				{isHeading
					? <Text {...theme.title}>{` ${truncate(text, width - 1)}`}</Text>
					: (
						<>
							<Text {...theme.secondary}>{` ${fit(truncate(label, labelColumns - 1), labelColumns)}`}</Text>
							<Text {...theme[tone]}>{text}</Text>
						</>
					)}
			</Text>
		))}
	</Box>
);
