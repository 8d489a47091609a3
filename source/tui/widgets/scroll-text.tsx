import type {ReactElement} from 'react';
import {Text, Box} from 'ink';
import stringWidth from 'string-width';
import {cursorMark, cursorMarkEnd, withCursor} from '../../terminal/cursor-mark.ts';
import {theme, type Tone} from '../theme.ts';
import type {FoundPart, TextSearch} from './text-search.ts';
import {fit, wrapText} from '../../terminal/wrap.ts';

export type ScrollLine = {
	readonly text: string;
	/** Shown before the text, in a column of labels; empty if the text continues the line above. */
	readonly label?: string;
	readonly tone?: Tone | undefined;
	/** The words that a change has replaced, in UTF-16 units. */
	readonly changed?: ReadonlyArray<{readonly start: number; readonly end: number}> | undefined;
};

/**
Returns a text of several lines, broken to a width. A line that fits stays as it is; a longer line keeps its indentation on each of its
parts, so that lists still read as lists.
*/
export function textLines(text: string, width: number): readonly string[] {
	return text.split('\n').flatMap(line => {
		if (stringWidth(line) <= width) {
			return [line.trimEnd()];
		}

		const indentation = /^ */.exec(line)![0].slice(0, Math.floor(width / 2));
		return wrapText(line, width - indentation.length).map(part => indentation + part);
	});
}

export function searchedText({label, text}: ScrollLine): string {
	return label === undefined ? text : `${label} ${text}`;
}

type ScrollTextProps = {
	readonly lines: readonly ScrollLine[];
	readonly labelColumns?: number;
	readonly top: number;
	readonly height: number;
	readonly partsIn?: TextSearch['partsIn'] | undefined;
};

/** Draws the visible part of a long text. */
export function ScrollText({lines, labelColumns = 0, top, height, partsIn = () => []}: ScrollTextProps): ReactElement {
	return (
		<Box flexDirection="column" height={height} flexShrink={0} paddingLeft={1} overflow="hidden">
			{lines.slice(top, top + height).map((line, index) => (
				// A line is identified only by its number.
				<Line key={index} line={line} isFirst={index === 0} labelColumns={labelColumns} parts={partsIn(top + index)} />
			))}
		</Box>
	);
}

type LineProps = Required<Pick<ScrollTextProps, 'labelColumns'>> & {
	readonly line: ScrollLine;
	readonly isFirst: boolean;
	readonly parts: readonly FoundPart[];
};

const Line = ({line: {text, label, tone = 'plain', changed = []}, isFirst, labelColumns, parts}: LineProps): ReactElement => (
	<Text {...(label === undefined && theme[tone])} wrap="truncate-end">
		{isFirst ? cursorMark('text') : ''}
		{label === undefined ? (
			text === '' ? (
				' '
			) : (
				<FoundText text={text} parts={parts.length === 0 ? changed : parts} />
			)
		) : (
			<>
				<Text {...theme.secondary}>
					<FoundText text={`${fit(label, labelColumns - 1)} `} parts={parts} />
				</Text>
				<Text {...theme[tone]}>
					<FoundText text={text} parts={parts} offset={label.length + 1} />
				</Text>
			</>
		)}
		{isFirst ? cursorMarkEnd : ''}
	</Text>
);

/** A match of a search, or without `isCurrent` a changed word. */
type ShownPart = Pick<FoundPart, 'start' | 'end'> & Partial<Pick<FoundPart, 'isCurrent'>>;

type FoundTextProps = {readonly text: string; readonly parts: readonly ShownPart[]; readonly offset?: number};

/** Draws a line, or a part of one, with the matches of a search highlighted. */
function FoundText({text, parts, offset = 0}: FoundTextProps): ReactElement {
	let drawn = 0;
	const pieces: ReactElement[] = [];
	for (const part of parts) {
		const start = Math.max(drawn, part.start - offset);
		const end = Math.min(text.length, part.end - offset);
		if (!(end > start)) {
			continue;
		}

		pieces.push(
			<Text key={`before ${start}`}>{text.slice(drawn, start)}</Text>,
			part.isCurrent ? (
				<Text key={start} {...theme.currentMatch}>
					{withCursor('row', text.slice(start, end))}
				</Text>
			) : (
				<Text key={start} {...(part.isCurrent === undefined ? theme.changedWord : theme.match)}>
					{text.slice(start, end)}
				</Text>
			),
		);
		drawn = end;
	}

	return (
		<>
			{pieces}
			{text.slice(drawn)}
		</>
	);
}

/** A labelled value, or a heading above several. */
export type DetailField = {readonly label: string; readonly text: string; readonly tone?: Tone | undefined} | {readonly heading: string};

const mostLabelColumns = 24;

/** Returns the columns for labels: as many as the longest label needs, up to two fifths of the width. */
export function labelColumnsOf(fields: readonly DetailField[], width: number): number {
	// A hostile record may have more fields than a call can have arguments.
	let longest = 0;
	for (const field of fields) {
		longest = Math.max(longest, 'label' in field ? stringWidth(field.label) : 0);
	}

	return Math.min(longest, mostLabelColumns, Math.floor(width * 0.4)) + 2;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const mostTextColumns = 100;

/** Returns the fields as lines of at most `width` columns; long values continue below themselves. */
export function detailLines(fields: readonly DetailField[], width: number): readonly ScrollLine[] {
	const textColumns = Math.max(1, Math.min(mostTextColumns, width - labelColumnsOf(fields, width)));
	return fields.flatMap((field): readonly ScrollLine[] => {
		if ('heading' in field) {
			return [{text: ''}, {text: field.heading, tone: 'title'}];
		}

		const lines = field.text.split('\n').flatMap(line => (line.trim() === '' ? [''] : wrapText(line, textColumns)));
		return lines.map((text, index) => ({label: index === 0 ? field.label : '', text, tone: field.tone}));
	});
}
