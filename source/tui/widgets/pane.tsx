import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
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
	/** How the rest is seen where the room ends before the text does. */
	readonly more: string;
};

type PaneLine = {readonly label?: string; readonly text: string};

const labelWidth = 11;
const paddingLeft = 2;
const paddingRight = 1;

const fieldLines = ({label, text}: PaneField, width: number): readonly PaneLine[] =>
	wrapText(text, Math.max(1, width - labelWidth)).map((line, index) => ({label: index === 0 ? label : '', text: line}));

/** Details beside a list: a title, labelled fields, then a text; where the room ends before it, the last line says so. */
export const Pane = ({width, height, title, fields, text, more}: PaneProps): ReactElement => {
	const room = width - paddingLeft - paddingRight;
	const lines: readonly PaneLine[] = [
		...fields.flatMap(field => fieldLines(field, room)),
		...(text === '' ? [] : ['', ...textLines(text, room)].map(line => ({text: line}))),
	];
	const visible = Math.max(0, height - 1);
	const isCut = lines.length > visible;
	return (
		<Box flexDirection='column' width={width} height={height} flexShrink={0} paddingLeft={paddingLeft} paddingRight={paddingRight} overflow='hidden'>
			<Text {...theme.title} wrap='truncate-end'>{title}</Text>
			{lines.slice(0, isCut ? visible - 1 : visible).map((line, index) => (
				// Lines have no identity but their place.
				<Text key={index} wrap='truncate-end'>
					{line.label === undefined ? null : <Text {...theme.secondary}>{fit(line.label, labelWidth)}</Text>}
					{line.text === '' ? ' ' : line.text}
				</Text>
			))}
			{isCut ? <Text {...theme.secondary} wrap='truncate-end'>{`… ${more}`}</Text> : null}
		</Box>
	);
};
