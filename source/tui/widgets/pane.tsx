import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';
import {detailLines, labelColumnsOf} from './detail-lines.ts';
import {usePaneScroll} from './pane-scroll.ts';
import {ScrollText, textLines} from './scroll-text.tsx';

export type PaneDetails = {
	readonly title: string;
	/** Fields with an empty text are left out. */
	readonly fields: ReadonlyArray<{readonly label: string; readonly text: string}>;
	readonly text: string;
};

type PaneProps = PaneDetails & {
	readonly width: number;
	readonly height: number;
	/** The names of the keys that scroll it. */
	readonly scrollKeys: {readonly down: string; readonly up: string};
};

/** The border between list and details, and a blank on each side of the text. */
const frameColumns = 3;

/**
Details beside a list, behind a border: a title, labelled fields, then a text. If they have more lines than there is
room for they scroll, and the last line says which lines are shown and which key scrolls.
*/
export const Pane = ({width, height, title, fields, text, scrollKeys}: PaneProps): ReactElement => {
	const columns = width - frameColumns;
	const shownFields = fields.filter(field => field.text !== '');
	const lines = [
		...detailLines(shownFields, columns),
		...(text === '' ? [] : ['', ...textLines(text, columns)].map(line => ({text: line}))),
	];
	const room = Math.max(0, height - 1);
	// If there is room for one line only, the text is worth more than its position.
	const hasPosition = lines.length > room && room > 1;
	const shownRows = hasPosition ? room - 1 : room;
	const {top, position} = usePaneScroll(lines.length, shownRows);
	const help = top + shownRows < lines.length ? `${scrollKeys.down} scrolls` : `${scrollKeys.up} scrolls back`;
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
			paddingRight={1}
			overflow='hidden'
		>
			<Text {...theme.title} wrap='truncate-end'>{` ${title}`}</Text>
			<ScrollText lines={lines} labelColumns={labelColumnsOf(shownFields, columns)} top={top} height={shownRows}/>
			{hasPosition ? <Text {...theme.secondary} wrap='truncate-end'>{` … ${position}, ${help}`}</Text> : null}
		</Box>
	);
};
