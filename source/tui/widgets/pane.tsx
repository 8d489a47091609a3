import {type ReactElement, useLayoutEffect, useMemo} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {spokenText} from '../../terminal/spoken-text.ts';
import {theme, type Tone} from '../theme.ts';
import type {Move} from '../state/list-state.ts';
import {Lines, StyledLine} from './list.tsx';
import {detailLines, labelColumnsOf, ScrollText, textLines} from './scroll-text.tsx';
import {type ScreenMemory, useTextScroll} from './text-scroll.ts';

/** Returns the scrolling of one record's details, which start at their top. */
export function createPaneScroll(recordId: number) {
	let listener: ((move: Move) => void) | undefined;
	let early: readonly Move[] = [];
	return {
		recordId,
		memory: new Map() as ScreenMemory,
		/** Scrolls the details as soon as they are drawn: the key that moved the cursor to them may arrive in the same chunk. */
		move(move: Move): void {
			if (listener === undefined) {
				early = [...early, move];
			} else {
				listener(move);
			}
		},
		/** Called by the details with each frame. The returned function detaches them. */
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
}

export type PaneScroll = ReturnType<typeof createPaneScroll>;

export type PaneDetails = {
	readonly title: string;
	/** Fields with an empty text are left out. */
	readonly fields: ReadonlyArray<{readonly label: string; readonly text: string; readonly tone?: Tone}>;
	readonly text: string;
	/** Below the list: in the title, such as “daemon” and “id 7”, and in a line below the text. */
	readonly facts: readonly string[];
	readonly notes: readonly string[];
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
Draws details beside a list, behind a border: a title, labelled fields, then a text. If there is no room for all lines they scroll, and the
last line names the visible lines and the scrolling key.
*/
export function Pane({scroll, width, height, title, fields, text, scrollKeys}: Omit<PaneProps, 'facts' | 'notes'>): ReactElement {
	const columns = width - frameColumns;
	const shownFields = fields.filter(field => field.text !== '');
	// A prompt may be long, and the pane is drawn at each key.
	const body = useMemo(() => (text === '' ? [] : ['', ...textLines(text, columns)].map(line => ({text: line}))), [text, columns]);
	const lines = [...detailLines(shownFields, columns), ...body];
	const room = Math.max(0, height - 1);
	// With room for only one line, the text is more useful than its position.
	const hasPosition = lines.length > room && room > 1;
	const shownRows = hasPosition ? room - 1 : room;
	const {top, move, position} = useTextScroll(lines.length, shownRows);
	useLayoutEffect(() => scroll.attach(move));
	const help = top + shownRows < lines.length ? `${scrollKeys.down} scrolls` : `${scrollKeys.up} scrolls back`;
	return (
		<Box
			flexDirection="column"
			width={width}
			height={height}
			flexShrink={0}
			borderStyle="single"
			borderTop={false}
			borderRight={false}
			borderBottom={false}
			borderDimColor
			paddingRight={1}
			overflow="hidden"
		>
			<Text {...theme.title} wrap="truncate-end">{` ${title}`}</Text>
			<ScrollText lines={lines} labelColumns={labelColumnsOf(shownFields, columns)} top={top} height={shownRows} />
			{hasPosition ? <Text {...theme.faint} wrap="truncate-end">{` … ${position}, ${help}`}</Text> : null}
		</Box>
	);
}

type RuleProps = {readonly title: string; readonly text?: string | undefined; readonly words?: string | undefined; readonly width: number};

/**
Draws a rule with a title at its start, then the start of a text, and, if there is room, words at its end, with blanks between them.
Terminals disagree about the width of line characters, so the cursor is positioned at each, and each move would draw another line: half a
kilobyte.
*/
export function Rule({title, text = '', words = '', width}: RuleProps): ReactElement {
	const end = words !== '' && stringWidth(words) + 12 <= width ? ` ${words}${text === '' ? ' ──' : ''}` : '';
	const start = cliTruncate(title, Math.max(1, width - 6 - stringWidth(end)));
	const rest = width - 4 - stringWidth(start) - stringWidth(end);
	const shownText = text === '' || rest < 3 ? '' : cliTruncate(` ${text}`, rest - 2);
	const filling = words + text === '' ? ` ${'─'.repeat(rest)}` : ' ──';
	const blanks = words + text === '' ? '' : ' '.repeat(Math.max(0, rest - 2 - stringWidth(shownText)));
	return (
		<StyledLine
			label={spokenText(title, text, words)}
			parts={[['── ', theme.secondary], [start, theme.title], [filling, theme.secondary], [shownText], [blanks + end, theme.secondary]]}
		/>
	);
}

/**
Draws these details below a list: a rule with the title, the text, and notes, with an ellipsis if there is more to scroll to. In a single
line the rule has the start of the text.
*/
export function LowPane({scroll, width, height, title, text, facts, notes, scrollKeys}: Omit<PaneProps, 'fields'>): ReactElement {
	const lines = useMemo(
		() => [text.trim(), notes.join(' · ')].filter(part => part !== '').flatMap(part => textLines(part, width)),
		[text, notes.join(' · '), width],
	);
	const room = Math.max(0, height - 1);
	const {top, move} = useTextScroll(lines.length, room);
	useLayoutEffect(() => scroll.attach(move));
	const isMore = room > 0 && top + room < lines.length;
	const shown = lines.slice(top, top + room).map((line, index) => (isMore && index === room - 1 ? cliTruncate(`${line} …`, width) : line));
	const scrolling = isMore ? [`${scrollKeys.down} scrolls`] : top > 0 ? [`${scrollKeys.up} scrolls back`] : [];
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{room === 0 ? (
				<Rule title={title} text={lines[0]} words={text.trim() === '' ? '' : notes[0]} width={width} />
			) : (
				<Rule title={title} words={[...facts, ...scrolling].join(' · ')} width={width} />
			)}
			<Lines lines={shown.map(line => ({text: line, label: line}))} />
		</Box>
	);
}
