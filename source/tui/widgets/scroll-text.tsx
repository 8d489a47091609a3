import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import stringWidth from 'string-width';
import {theme, type Tone} from '../theme.ts';
import {FoundText} from './found-text.tsx';
import {type TextSearch} from './use-text-search.ts';
import {wrapText} from './wrap.ts';

export type ScrollLine = {readonly text: string; readonly tone?: Tone};

/**
A text of several lines, broken to a width. A line that fits stays as it is; one that does not keeps its indentation on
each of its parts, so that lists still read as lists.
*/
export const textLines = (text: string, width: number): readonly string[] => text.split('\n').flatMap(line => {
	if (stringWidth(line) <= width) {
		return [line.trimEnd()];
	}

	const indentation = /^ */.exec(line)![0].slice(0, Math.floor(width / 2));
	return wrapText(line, width - indentation.length).map(part => indentation + part);
});

export type ScrollTextProps = {
	readonly lines: readonly ScrollLine[];
	readonly top: number;
	readonly height: number;
	/** What fits a search in a line. */
	readonly partsIn?: TextSearch['partsIn'] | undefined;
};

/** The part of a long text that is on the screen. */
export const ScrollText = ({lines, top, height, partsIn = () => []}: ScrollTextProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		{lines.slice(top, top + height).map(({text, tone = 'plain'}, index) => (
			// Lines have no identity but their place.
			<Text key={index} {...theme[tone]} wrap='truncate-end'>{text === '' ? ' ' : <FoundText text={text} parts={partsIn(top + index)}/>}</Text>
		))}
	</Box>
);
