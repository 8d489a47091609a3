import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import stringWidth from 'string-width';
import {theme, type Tone} from '../theme.ts';
import {useScroll} from './help.tsx';
import {type Move} from './list/list-state.ts';
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

export type TextScroll = {
	/** The first line on the screen. */
	readonly top: number;
	move(move: Move): void;
	/** Such as “1–20 of 31”; empty where all of it is on the screen. */
	readonly position: string;
};

/** Scrolls a text of so many lines in a place of so many, by the moves of the lists. */
export const useTextScroll = (lineCount: number, height: number): TextScroll => {
	const {top, scroll} = useScroll(lineCount, height);
	const half = Math.max(1, Math.floor(height / 2));
	const page = Math.max(1, height - 1);
	const steps: Readonly<Record<Move, number>> = {
		down: 1,
		up: -1,
		'half-page-down': half,
		'half-page-up': -half,
		'page-down': page,
		'page-up': -page,
		first: -Infinity,
		last: Infinity,
	};
	return {
		top,
		move(move) {
			scroll(steps[move]);
		},
		position: lineCount <= height ? '' : `${top + 1}–${Math.min(lineCount, top + height)} of ${lineCount}`,
	};
};

/** The part of a long text that is on the screen. */
export const ScrollText = ({lines, top, height}: {readonly lines: readonly ScrollLine[]; readonly top: number; readonly height: number}): ReactElement => (
	<Box flexDirection='column' height={height} flexShrink={0} paddingLeft={1} overflow='hidden'>
		{lines.slice(top, top + height).map(({text, tone = 'plain'}, index) => (
			// Lines have no identity but their place.
			<Text key={index} {...theme[tone]} wrap='truncate-end'>{text === '' ? ' ' : text}</Text>
		))}
	</Box>
);
