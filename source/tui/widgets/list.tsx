import {inspect} from 'node:util';
import {memo, type ReactElement} from 'react';
import {Text, Box} from 'ink';
import stringWidth from 'string-width';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {theme, type Style} from '../theme.ts';
import {cursorRowOf, topRowOf, type ListState} from '../state/list-state.ts';

export type Part = readonly [text: string, style?: Style];

/** A line as it is drawn, with SGR, and its form for a screen reader. */
export type Line = {readonly text: string; readonly label: string};

const attributes = {dimColor: sgr('dim'), bold: sgr('bold'), underline: sgr('underline'), inverse: sgr('inverse')} as const;

const attributeNames = ['dimColor', 'bold', 'underline', 'inverse'] as const;

/**
Returns a line of parts with different styles. Ink joins, cleans and measures each nested `Text` by itself, at each frame: one text with all
styles in it costs a fraction of that.
*/
export function lineOf(parts: readonly Part[], label: string): Line {
	return {text: parts.map(part => styled(part)).join(''), label};
}

function styled([text, style]: Part): string {
	if (text === '' || style === undefined) {
		return text;
	}

	let drawn = text;
	if (style.color !== undefined) {
		const [start, end] = sgrOfColor(style.color);
		drawn = start + drawn + end;
	}

	if (style.backgroundColor !== undefined) {
		const [start, end] = sgr(`bg${style.backgroundColor[0]!.toUpperCase()}${style.backgroundColor.slice(1)}`);
		drawn = start + drawn + end;
	}

	for (const name of attributeNames) {
		if (style[name] !== true) {
			continue;
		}

		const [start, end] = attributes[name];
		drawn = start + drawn + end;
	}

	return drawn;
}

/** Returns these sequences for a colour, or for a numbered one of the 256. */
function sgrOfColor(color: string): readonly [start: string, end: string] {
	const number = /^ansi256\((?<number>\d+)\)$/.exec(color)?.groups!['number'];
	return number === undefined ? sgr(color) : [`\u{1B}[38;5;${number}m`, '\u{1B}[39m'];
}

/** Returns the sequences that begin and end a style, by its name in Node.js. */
function sgr(name: string): readonly [start: string, end: string] {
	const [start, end] = inspect.colors[name]!;
	return [`\u{1B}[${start}m`, `\u{1B}[${end}m`];
}

const DrawnText = memo(
	({text, label}: Line): ReactElement => (
		<Text wrap="truncate-end" aria-label={label}>
			{text}
		</Text>
	),
);

/**
Returns a row of a list of this width. Under the cursor all of it has one style, to the right edge: a move changes two rows, and each change
of style within them would be sent again.
*/
export function listRowOf(isCursor: boolean, parts: readonly Part[], label: string, width: number): Line {
	if (!isCursor) {
		return lineOf(parts, label);
	}

	const used = stringWidth(parts.map(([text]) => text).join(''));
	const looks = parts.map(
		([text, style]): Required<Part> => [text, style?.underline === true ? {...theme.current, underline: true} : theme.current],
	);
	const {text} = lineOf(joinSameLooks([...looks, [' '.repeat(Math.max(0, width - used)), theme.current]]), label);
	return {text: withCursor('row', text), label};
}

/** Joins neighbours with one style: each part costs Ink its sequences, at each frame. */
function joinSameLooks(parts: ReadonlyArray<Required<Part>>): readonly Part[] {
	const joined: Array<Required<Part>> = [];
	for (const [text, style] of parts) {
		const last = joined.at(-1);
		if (last?.[1] === style) {
			joined[joined.length - 1] = [`${last[0]}${text}`, style];
		} else {
			joined.push([text, style]);
		}
	}

	return joined;
}

/** Draws parts of different styles on one line, cut at its end. */
export function StyledLine({parts, label}: {readonly parts: readonly Part[]; readonly label: string}): ReactElement {
	return <DrawnText {...lineOf(parts, label)} />;
}

/** Draws lines that fit into the width: none is cut. As one text they cost no more than a line. */
export function Lines({lines}: {readonly lines: readonly Line[]}): ReactElement {
	return <DrawnText text={lines.map(({text}) => text).join('\n')} label={lines.map(({label}) => label).join('\n')} />;
}

type ListProps = {
	readonly state: ListState;
	readonly ids: readonly number[];
	readonly visibleRows: number;
	/** Above a box that covers the other rows: the cursor stays within these. */
	readonly uncoveredRows?: number;
	/** Returns the row with this index as a line, no wider than the list. Called only for visible rows. */
	readonly lineOf: (row: number, isCursor: boolean) => Line;
};

/** Draws only the visible rows of a list: ten thousand cost as much as twenty. */
export function List({state, ids, visibleRows, uncoveredRows = visibleRows, lineOf: lineOfRow}: ListProps): ReactElement {
	const topRow = topRowOf(state, ids, uncoveredRows);
	const cursorRow = cursorRowOf(state, ids);
	const count = Math.max(0, Math.min(visibleRows, ids.length - topRow));
	return (
		<Box flexDirection="column" height={visibleRows} flexShrink={0} overflow="hidden">
			<Lines lines={Array.from({length: count}, (_, index) => lineOfRow(topRow + index, topRow + index === cursorRow))} />
		</Box>
	);
}
