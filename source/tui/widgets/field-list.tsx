import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
import {type FieldLine} from './field-list-lines.ts';
import {FoundText} from './found-text.tsx';
import {type TextSearch} from './use-text-search.ts';

export type FieldListProps = {
	readonly lines: readonly FieldLine[];
	readonly labelColumns: number;
	readonly width: number;
	/** The first line on the screen. */
	readonly top: number;
	readonly height: number;
	/** What fits a search in a line, which is searched as its label, a space and its text. */
	readonly partsIn: TextSearch['partsIn'];
};

/** The part of a list of labelled values that is on the screen. */
export const FieldList = ({lines, labelColumns, width, top, height, partsIn}: FieldListProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={1} overflow='hidden'>
		{lines.slice(top, top + height).map(({label, text, tone, isHeading}, index) => (
			// Lines have no identity but their place.
			<Text key={index} wrap='truncate-end'>
				{isHeading
					? <Text {...theme.title}><> </><FoundText text={cliTruncate(text, width - 1)} parts={partsIn(top + index)} offset={1}/></Text>
					: (
						<>
							<Text {...theme.secondary}><> </><FoundText text={fit(cliTruncate(label, labelColumns - 1), labelColumns)} parts={partsIn(top + index)}/></Text>
							<Text {...theme[tone]}><FoundText text={text} parts={partsIn(top + index)} offset={label.length + 1}/></Text>
						</>
					)}
			</Text>
		))}
	</Box>
);
