import type {ReactElement, ReactNode} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type {ScreenSize, Question} from '../state/app-state.ts';
import {roomyRows} from '../state/layout.ts';
import {typingEnd, withMark} from '../../words/signs.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {spokenRow} from '../../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import type {Hint} from '../../words/keymap.ts';
import {fit, wrapText} from '../../terminal/wrap.ts';
import {HintLine} from './notice.tsx';

/** On such a low screen, and if there is no room for all of a question, its keys are above it. */
const lowRows = 5;

/** Why a key did not answer a question: it means neither Yes nor No, or came too early. */
export type Obstacle = 'no-answer' | 'early';

/** With the typed part of its word, `undefined` until one is expected, and the help after a key that did not answer. */
type AskedQuestion = Question & {readonly typed?: string | undefined; readonly help?: string};

type QuestionProps = {readonly asked: AskedQuestion; readonly size: ScreenSize};

/** Draws a question on a separate screen: for screen readers, and if there is no room for a box. */
export function WholeQuestion({asked, size, isSpoken}: QuestionProps & {readonly isSpoken: boolean}): ReactElement {
	const title = wrapText(titleOf(asked), size.columns - 2);
	const {word, typed} = asked;
	const isWordSpoken = isSpoken && word !== undefined;
	const answers = <HintLine width={size.columns} hints={isWordSpoken ? answersOf(asked).slice(1) : fitAnswers(asked, size.columns)} />;
	const wanted = title.length + 2 + asked.details.flatMap(line => wrapText(line, size.columns - 4)).length;
	const isLow = size.rows <= lowRows || wanted > size.rows;
	const details = fitDetails(asked.details, size.columns - 4, Math.max(0, size.rows - title.length - (isLow ? 1 : 2)));
	return (
		<Box flexDirection="column" height={size.rows} overflow="hidden">
			{isLow ? answers : null}
			<Box flexShrink={0} paddingLeft={1}>
				<Text {...styleOf(asked)} bold>
					{withCursor('question', title.join('\n'))}
				</Text>
			</Box>
			{isLow ? null : <Text> </Text>}
			<Box flexDirection="column" flexGrow={1} paddingLeft={3} overflow="hidden">
				{details.map((line, index) => (
					// A line is identified only by its number, because details may become known while the question is open.
					<Text key={index} wrap="truncate-end">
						{line}
					</Text>
				))}
			</Box>
			{isLow ? null : answers}
			{isWordSpoken && typed !== undefined ? <Text>{spokenRow(true, `Type ${word}: ${typed}`)}</Text> : null}
		</Box>
	);
}

/** A question about an action that cannot be undone is marked like an error. */
const titleOf = ({question, isFinal = false, help = ''}: AskedQuestion): string =>
	(isFinal ? withMark('error', question) : question) + help;

const answersOf = (asked: AskedQuestion, yes = asked.yes, no = 'no'): readonly Hint[] =>
	asked.word === undefined
		? [
				{key: 'y', label: yes},
				{key: 'n', label: no},
			]
		: [
				{key: `type ${asked.word}:`, label: fieldOf(asked)},
				{key: 'enter', label: yes},
				{key: 'esc', label: no},
			];

/** The typed part of a word, with its end in view. It is as wide as the word, so that nothing moves. */
const fieldOf = ({word = '', typed}: AskedQuestion): string =>
	fit(typed === undefined ? '' : cliTruncate(typed, word.length, {position: 'start'}) + typingEnd, word.length + 1);

/** Returns the answers, shortened to one line, because the person must see both. */
function fitAnswers(asked: AskedQuestion, width: number): readonly Hint[] {
	const {word, yes} = asked;
	const shorter = [
		...[yes, yes.split(' ', 1)[0]!, ...(word === undefined ? ['yes'] : [''])].map(label => answersOf(asked, label)),
		answersOf(asked, '', ''),
		answersOf(asked).slice(0, 1),
	];
	return shorter.find(each => stringWidth(lineOfAnswers(each)) < width) ?? [{key: `${word}:`, label: fieldOf(asked)}];
}

const lineOfAnswers = (answers: readonly Hint[]): string =>
	answers.map(({key, label}) => (label === '' ? key : `${key} ${label}`)).join('  ');

/** Returns the details in full if there is room, else one line each and the number of omitted ones. */
function fitDetails(details: readonly string[], width: number, room: number): readonly string[] {
	const wrapped = details.flatMap(line => wrapText(line, width));
	if (wrapped.length <= room || details.length === 1) {
		return wrapped.slice(0, room);
	}

	return details.length <= room ? details : [...details.slice(0, Math.max(0, room - 1)), `… and ${details.length - room + 1} more`];
}

const styleOf = ({isFinal = false}: Question) => (isFinal ? theme.error : theme.warning);

/** Columns and rows of a box around its text: the border, and a blank on each side. */
const frameColumns = 4;

const frameRows = 2;

/** A longer line is hard to read. */
const mostTextColumns = 72;

/** Header, tabs, on a roomy screen the names of the columns, and a row of the list stay in view. */
const rowsLeft = (rows: number): number => (rows >= roomyRows ? 4 : 3);

/** Returns the sentences after a key that does not answer a question. */
export function helpsOf(word: string | undefined): Readonly<Record<Obstacle, string>> {
	return word === undefined
		? {'no-answer': ' Press y or n.', early: ' Press y again.'}
		: {'no-answer': ` Type ${word}, then press Enter.`, early: ' Press Enter again.'};
}

const longestHelp = (word: string | undefined): string =>
	Object.values(helpsOf(word)).reduce((longest, help) => (help.length > longest.length ? help : longest));

export function hasBox(asked: AskedQuestion, size: ScreenSize): boolean {
	return boxTextOf(asked, size) !== undefined;
}

/** Returns the line of the screen, from 0, on which the box of a question begins at the highest; `undefined` without a box. */
export function boxTop(asked: AskedQuestion, size: ScreenSize): number | undefined {
	const text = boxTextOf({...asked, help: longestHelp(asked.word)}, size);
	return text && topOf(text, size);
}

const heightOf = (text: BoxText): number => text.title.length + bodyOf(text).length + 1 + frameRows;

function bodyOf({details, isRoomy}: BoxText): readonly string[] {
	const gap = isRoomy ? [''] : [];
	return details.length === 0 ? gap : [...gap, ...details, ...gap];
}

const topOf = (text: BoxText, size: ScreenSize): number => endBoxTop(size, heightOf(text) - frameRows);

/** Returns the line of the screen, from 0, on which a box of some lines begins. */
export function endBoxTop({rows}: ScreenSize, lineCount: number): number {
	return Math.max(0, rows - lineCount - frameRows - (rows >= roomyRows ? 2 : 0));
}

type EndBoxProps = {
	readonly size: ScreenSize;
	/** The width of its text. */
	readonly width: number;
	readonly lineCount: number;
	readonly color: string | undefined;
	readonly isDouble?: boolean;
	readonly children: ReactNode;
};

/** Draws a box over the end of the screen. */
export function EndBox({size, width, lineCount, color, isDouble = false, children}: EndBoxProps): ReactElement {
	return (
		<Box
			position="absolute"
			flexDirection="column"
			top={endBoxTop(size, lineCount)}
			left={Math.max(0, Math.floor((size.columns - width - frameColumns) / 2))}
			width={width + frameColumns}
			height={lineCount + frameRows}
			borderStyle={isDouble ? 'double' : 'single'}
			borderColor={color}
		>
			{children}
		</Box>
	);
}

type BoxText = {
	readonly title: readonly string[];
	readonly details: readonly string[];
	readonly answers: string;
	readonly width: number;
	readonly isRoomy: boolean;
};

/** Returns the text of the box; `undefined` if the screen has no room for it. */
function boxTextOf(asked: AskedQuestion, {columns, rows}: ScreenSize): BoxText | undefined {
	const answers = lineOfAnswers(answersOf(asked));
	const mostWidth = Math.min(mostTextColumns, columns - frameColumns - 2);
	const title = wrapText(titleOf(asked), mostWidth);
	const details = asked.details.flatMap(line => wrapText(line, mostWidth));
	const isRoomy = rows >= roomyRows;
	const room = rows - rowsLeft(rows) - frameRows - title.length - 1 - (isRoomy ? 4 : 0);
	if (stringWidth(answers) > mostWidth || details.length > room) {
		return undefined;
	}

	// Its width does not change with the help.
	const widest = wrapText(titleOf({...asked, help: longestHelp(asked.word)}), mostWidth);
	const width = Math.min(mostWidth, Math.max(...[...widest, ...title, ...details, answers].map(line => stringWidth(line))));
	return {title, details, answers, width, isRoomy};
}

/**
Draws a question in a box over the end of the screen. If the action cannot be undone the border is double, which is visible without colour.
*/
export function QuestionBox({asked, size}: QuestionProps): ReactElement | undefined {
	const text = boxTextOf(asked, size);
	if (text === undefined) {
		return undefined;
	}

	const {title, answers, width} = text;
	/** Each line is as wide as the box, so that nothing below shows through. */
	const lineOf = (line: string): string => ` ${fit(line, width)} `;
	const body = bodyOf(text);
	return (
		<EndBox size={size} width={width} lineCount={heightOf(text) - frameRows} color={styleOf(asked).color} isDouble={asked.isFinal === true}>
			<Text {...styleOf(asked)} bold>{` ${withCursor(
				'question',
				title
					.map(line => lineOf(line))
					.join('\n')
					.slice(1),
			)}`}</Text>
			{body.length === 0 ? null : <Text>{body.map(line => lineOf(line)).join('\n')}</Text>}
			<Text {...theme.accent}>{lineOf(answers)}</Text>
		</EndBox>
	);
}
