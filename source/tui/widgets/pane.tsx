import {type ReactElement, useLayoutEffect, useMemo} from 'react';
import {Box, Text} from 'ink';
import {theme} from '../theme.ts';
import type {Move} from './list-state.ts';
import {
	detailLines,
	labelColumnsOf,
	ScrollText,
	textLines,
} from './scroll-text.tsx';
import {type ScreenMemory, useTextScroll} from './text-scroll.ts';

/** The scrolling of one record's details, which start at their top. */
export const createPaneScroll = (recordId: number) => {
	let listener: ((move: Move) => void) | undefined;
	let early: readonly Move[] = [];
	return {
		recordId,
		memory: new Map() as ScreenMemory,
		/** Scrolls the details, as soon as they are drawn: the key that moved the cursor to them may come in the same chunk. */
		move(move: Move): void {
			if (listener === undefined) {
				early = [...early, move];
			} else {
				listener(move);
			}
		},
		/** Called by the details with each frame. The function returned detaches them. */
		attach(onMove: (move: Move) => void) {
			listener = onMove;
			const missed = early;
			early = [];
			for (const move of missed) {
				onMove(move);
			}

			return () => {
				listener = undefined;
			};
		},
	};
};

export type PaneScroll = ReturnType<typeof createPaneScroll>;

export type PaneDetails = {
	readonly title: string;
	/** Fields with an empty text are left out. */
	readonly fields: ReadonlyArray<{readonly label: string; readonly text: string}>;
	readonly text: string;
};

type PaneProps = PaneDetails & {
	readonly scroll: PaneScroll;
	readonly width: number;
	readonly height: number;
	readonly scrollKeys: {readonly down: string; readonly up: string};
};

/** The border between list and details, and a blank on each side of the text. */
const frameColumns = 3;

/**
Details beside a list, behind a border: a title, labelled fields, then a text. If they have more lines than there is
room for they scroll, and the last line says which lines are shown and which key scrolls.
*/
export const Pane = ({scroll, width, height, title, fields, text, scrollKeys}: PaneProps): ReactElement => {
	const columns = width - frameColumns;
	const shownFields = fields.filter(field => field.text !== '');
	// A prompt may be long, and the pane is drawn at each key.
	const body = useMemo(() => text === '' ? [] : ['', ...textLines(text, columns)].map(line => ({text: line})), [text, columns]);
	const lines = [...detailLines(shownFields, columns), ...body];
	const room = Math.max(0, height - 1);
	// If there is room for one line only, the text is worth more than its position.
	const hasPosition = lines.length > room && room > 1;
	const shownRows = hasPosition ? room - 1 : room;
	const {top, move, position} = useTextScroll(lines.length, shownRows);
	useLayoutEffect(() => scroll.attach(move));
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
