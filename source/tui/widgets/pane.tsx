import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
import {usePaneScroll} from './pane-scroll.ts';
import {textLines} from './scroll-text.tsx';
import {wrapText} from './wrap.ts';

export type PaneField = {readonly label: string; readonly text: string};

export type PaneProps = {
	readonly width: number;
	readonly height: number;
	readonly title: string;
	/** Those with an empty text are left out. */
	readonly fields: readonly PaneField[];
	readonly text: string;
	/** The keys that scroll it, as they are named in a sentence. */
	readonly scrollKeys: {readonly down: string; readonly up: string};
};

type PaneLine = {readonly label?: string; readonly text: string};

const labelWidth = 11;
/** The line between list and details, and the blanks on its right and at the end. */
const borderColumns = 1;
const padding = 1;

const fieldLines = ({label, text}: PaneField, width: number): readonly PaneLine[] =>
	wrapText(text, Math.max(1, width - labelWidth)).map((line, index) => ({label: index === 0 ? label : '', text: line}));

/**
Details beside a list, with a line between the two: a title, labelled fields, then a text. What has no room is scrolled to; then the last line says which
lines are shown, and the key for the others.
*/
export const Pane = ({width, height, title, fields, text, scrollKeys}: PaneProps): ReactElement => {
	const room = width - borderColumns - (2 * padding);
	const lines: readonly PaneLine[] = [
		...fields.flatMap(field => fieldLines(field, room)),
		...(text === '' ? [] : ['', ...textLines(text, room)].map(line => ({text: line}))),
	];
	const visible = Math.max(0, height - 1);
	// On a line alone the text is worth more than where it is.
	const isTold = lines.length > visible && visible > 1;
	const shown = isTold ? visible - 1 : visible;
	const {top, position} = usePaneScroll(lines.length, shown);
	const help = top + shown < lines.length ? `${scrollKeys.down} scrolls` : `${scrollKeys.up} scrolls back`;
	return (
		<Box
			flexDirection='column'
			width={width}
			height={height}
			flexShrink={0}
			borderStyle='single'
			borderTop={false}
			borderRight={false}
			borderBottom={false}
			borderDimColor
			paddingX={padding}
			overflow='hidden'
		>
			<Text {...theme.title} wrap='truncate-end'>{title}</Text>
			{lines.slice(top, top + shown).map((line, index) => (
				// Lines have no identity but their place.
				<Text key={index} wrap='truncate-end'>
					{line.label === undefined ? null : <Text {...theme.secondary}>{fit(line.label, labelWidth)}</Text>}
					{line.text === '' ? ' ' : line.text}
				</Text>
			))}
			{isTold ? <Text {...theme.secondary} wrap='truncate-end'>{`… ${position}, ${help}`}</Text> : null}
		</Box>
	);
};
