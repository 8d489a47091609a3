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
	/** Stands before the text, in a column of labels; empty if the text continues the line above. */
	readonly label?: string;
	readonly tone?: Tone | undefined;
	/** What is read out for the line; nothing if it is empty. The line itself unless given. */
	readonly spoken?: string;
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

const spokenProps = (spoken: string | undefined) => spoken === undefined ? {} : {'aria-hidden': spoken === '', 'aria-label': spoken};

/** A line as it is searched. */
export const searchedText = ({label, text}: ScrollLine): string => label === undefined ? text : `${label} ${text}`;

type LineProps = Required<Pick<ScrollTextProps, 'labelColumns' | 'labelTone'>> & {
	readonly line: ScrollLine;
	readonly parts: readonly FoundPart[];
};

const Line = ({line: {text, label, tone = 'plain', spoken}, labelColumns, labelTone, parts}: LineProps): ReactElement => label === undefined
	? <Text {...theme[tone]} {...spokenProps(spoken)} wrap='truncate-end'>{text === '' ? ' ' : <FoundText text={text} parts={parts}/>}</Text>
	: (
		<Text {...spokenProps(spoken)} wrap='truncate-end'>
			<Text {...theme[labelTone]}><FoundText text={`${fit(label, labelColumns - 1)} `} parts={parts}/></Text>
			<Text {...theme[tone]}><FoundText text={text} parts={parts} offset={label.length + 1}/></Text>
		</Text>
	);

type ScrollTextProps = {
	readonly lines: readonly ScrollLine[];
	/** Columns for the labels and the spaces after them. */
	readonly labelColumns?: number;
	readonly labelTone?: Tone;
	/** The first line on the screen. */
	readonly top: number;
	readonly height: number;
	/** What matches a search in a line. */
	readonly partsIn?: TextSearch['partsIn'] | undefined;
};

/** The part of a long text that is on the screen. */
export const ScrollText = ({lines, labelColumns = 0, labelTone = 'secondary', top, height, partsIn = () => []}: ScrollTextProps): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		{lines.slice(top, top + height).map((line, index) => (
			// A line has no identity but its number.
			<Line key={index} line={line} labelColumns={labelColumns} labelTone={labelTone} parts={partsIn(top + index)}/>
		))}
	</Box>
);
