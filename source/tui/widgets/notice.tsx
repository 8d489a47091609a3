import {createContext, memo, type ReactElement, useContext} from 'react';
import {Box, Text} from 'ink';
import stringWidth from 'string-width';
import type {Hint} from '../../words/keymap.ts';
import {severityTone, withMark, type Severity} from '../../words/signs.ts';
import {spokenKeys} from '../../terminal/spoken-text.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {theme, type Tone} from '../theme.ts';
import {StyledLine, type Part} from './list.tsx';
import {wrapTextWithin} from '../../terminal/wrap.ts';

export type NoticeProps = {
	readonly width: number;
	readonly height: number;
	readonly tone: Tone;
	readonly title: string;
	readonly hint?: string | undefined;
};

const padding = 3;

/** Draws a notice in place of a list that is loading, empty, failed, or has no matches. With little room the hint stays whole. */
export function Notice({width, height, tone, title, hint = ''}: NoticeProps): ReactElement {
	const columns = Math.max(1, width - 2 * padding);
	const hintLines = wrapTextWithin(hint, columns, Math.max(1, height - 1));
	const titleLines = wrapTextWithin(title, columns, Math.max(1, height - hintLines.length));
	return (
		<Box flexDirection="column" height={height} flexShrink={0} paddingX={padding} overflow="hidden">
			<Text {...theme[tone]}>{withCursor('text', titleLines.join('\n'))}</Text>
			{hintLines.length === 0 ? null : <Text {...theme.secondary}>{hintLines.join('\n')}</Text>}
		</Box>
	);
}

type MessageLineProps = {readonly width: number; readonly height: number; readonly text: string; readonly level: Severity};

export const MessageLine = memo(
	({width, height, text, level}: MessageLineProps): ReactElement => (
		<Box height={height} flexShrink={0} paddingLeft={1} overflow="hidden">
			<Text aria-label={withMark(level, text)} {...theme[severityTone[level]]}>
				{wrapTextWithin(withMark(level, text), width - 1, height).join('\n')}
			</Text>
		</Box>
	),
);

const separator = '  ';

/** Up to this width a kept key loses its label if that makes room for another hint. */
const narrow = 40;

/** True while a question is open: none of these keys works then. */
export const AreHintsHiddenContext = createContext(false);

/** Draws the keys that work now, as many as there is room for on one line. */
export function HintLine({width, hints}: {readonly width: number; readonly hints: readonly Hint[]}): ReactElement {
	if (useContext(AreHintsHiddenContext)) {
		return <Text aria-hidden> </Text>;
	}

	const shown = fitHints(hints, width);
	return (
		<StyledLine
			label={spokenKeys(...hints.map(hint => textOf(hint)))}
			parts={[
				[' '],
				...shown.flatMap((hint, index): readonly Part[] => [
					[hint.key, theme.accent],
					[`${textOf(hint).slice(hint.key.length)}${index === shown.length - 1 ? '' : separator}`, theme.faint],
				]),
			]}
		/>
	);
}

function fitHints(hints: readonly Hint[], width: number): readonly Hint[] {
	const labelled = dropLast(hints, width);
	const bare = dropLast(
		hints.map(hint => (hint.isKept ? {...hint, label: ''} : hint)),
		width,
	);
	return width <= narrow && bare.length > labelled.length ? bare : labelled;
}

/** Returns the hints for which there is room: the last ones are dropped first, except kept ones. */
function dropLast(hints: readonly Hint[], width: number): readonly Hint[] {
	const last = hints.findLastIndex(({isKept = false}) => !isKept);
	return widthOf(hints) <= width || last === -1 ? hints : dropLast(hints.toSpliced(last, 1), width);
}

const widthOf = (hints: readonly Hint[]): number => stringWidth(` ${hints.map(hint => textOf(hint)).join(separator)}`);

const textOf = ({key, label}: Hint): string => (label === '' ? key : `${key} ${label}`);
