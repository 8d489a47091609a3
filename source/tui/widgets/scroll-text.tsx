import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import stringWidth from 'string-width';
import {theme, type Tone} from '../theme.ts';
import {fit} from './fit.ts';
import {FoundText} from './found-text.tsx';
import {type FoundPart, type TextSearch} from './use-text-search.ts';
import {wrapText} from './wrap.ts';

export type ScrollLine = {
	readonly text: string;
	/** Stands before the text, in a column of labels; empty where the text continues the line above. */
	readonly label?: string;
	readonly tone?: Tone | undefined;
};

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

/** A line as it is searched. */
export const searchedText = ({label, text}: ScrollLine): string => label === undefined ? text : `${label} ${text}`;

type LineProps = {
	readonly line: ScrollLine;
	readonly labelColumns: number;
	readonly parts: readonly FoundPart[];
};

const Line = ({line: {text, label, tone = 'plain'}, labelColumns, parts}: LineProps): ReactElement => label === undefined
	? <Text {...theme[tone]} wrap='truncate-end'>{text === '' ? ' ' : <FoundText text={text} parts={parts}/>}</Text>
	: (
		<Text wrap='truncate-end'>
			<Text {...theme.secondary}><FoundText text={`${fit(label, labelColumns - 1)} `} parts={parts}/></Text>
			<Text {...theme[tone]}><FoundText text={text} parts={parts} offset={label.length + 1}/></Text>
		</Text>
	);

export type ScrollTextProps = {
	readonly lines: readonly ScrollLine[];
	/** Columns for the labels and the spaces after them. */
	readonly labelColumns?: number | undefined;
	/** The first line on the screen. */
	readonly top: number;
	readonly height: number;
	/** What matches a search in a line. */
	readonly partsIn?: TextSearch['partsIn'] | undefined;
};

/** The part of a long text that is on the screen. */
export const ScrollText = ({lines, labelColumns = 0, top, height, partsIn = () => []}: ScrollTextProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		{lines.slice(top, top + height).map((line, index) => (
			// A line has no identity but its number.
			<Line key={index} line={line} labelColumns={labelColumns} parts={partsIn(top + index)}/>
		))}
	</Box>
);
