import {memo, type ReactElement} from 'react';
import {Text} from 'ink';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {problemMark} from '../state/severity.ts';
import {spoken, spokenRow} from '../terminal/spoken-lines.ts';
import {theme, type Tone} from '../theme.ts';
import {fit} from './fit.ts';
import {highlighted} from './highlighted.ts';

export type Cell = {
	readonly column: string;
	readonly text: string;
	readonly width: number;
	readonly tone?: Tone;
	/** UTF-16 units of the text that are highlighted. */
	readonly places?: ReadonlySet<number>;
};

const nowhere: ReadonlySet<number> = new Set();

export type RowProps = {
	readonly isCursor: boolean;
	readonly isMarked: boolean;
	/** True where the last change asked for failed. */
	readonly hasFailed?: boolean;
	/** True where it was changed elsewhere, and perhaps not seen yet. */
	readonly isChanged?: boolean;
	/** The state in a word, with its mark; none where the record has no state. */
	readonly state?: string | undefined;
	readonly stateTone?: Tone | undefined;
	/** True where the record has a state and the service does not show it. */
	readonly isStateHidden?: boolean;
	readonly name: string;
	/** UTF-16 units of the name that are highlighted. */
	readonly places: ReadonlySet<number>;
	readonly nameWidth: number;
	readonly cells: readonly Cell[];
};

/** Columns before the name: the mark and the marker, and the state where the list has one. */
export const markerWidth = 3;
export const stateWidth = 5;

const spokenStates: Readonly<Record<string, string>> = {
	'[x]': 'chosen', '[ ]': 'not chosen', '–': '', '?': '',
};

const spokenAfterName: Readonly<Record<string, string>> = {'–': 'not installed', '?': 'not known whether installed'};

/** The row as it is read out: no text is cut, and marks are words. */
const rowInWords = ({isCursor, isMarked, hasFailed = false, isChanged = false, state = '', isStateHidden = false, name, cells}: RowProps): string => {
	const word = state.replace('~', '');
	return spokenRow(isCursor, spoken(
		`${spokenStates[word] ?? word} ${name}`,
		isStateHidden ? 'state not shown' : spokenAfterName[word] ?? '',
		state.endsWith('~') ? 'not confirmed yet' : '',
		hasFailed ? 'the last change failed' : '',
		isChanged ? 'changed elsewhere' : '',
		isMarked ? 'marked' : '',
		...cells.map(({text}) => text === '–' ? '' : text),
	));
};

/**
One record on one line at any width: mark and marker, the state in a word, the name, then what there is room for. A change
that failed (`!`) or was made elsewhere (`^`) is shown before the row or, where that place is taken, behind the state.
*/
const DrawnRow = ({isCursor, isMarked, hasFailed = false, isChanged = false, state, stateTone = 'plain', isStateHidden = false, name, places, nameWidth, cells}: RowProps): ReactElement => {
	const sign = hasFailed ? problemMark : (isChanged ? '^' : '');
	const cursorLook = isCursor ? theme.current : theme.plain;
	const shownName = cliTruncate(name, nameWidth);
	// The sign that it was cut stays as it is: terminals disagree about its width, and what follows it would be sent again.
	const cut = shownName === name ? '' : shownName.slice(-1);
	const highlightedName = shownName.slice(0, shownName.length - cut.length);
	return (
		<Text wrap='truncate-end' aria-label={rowInWords({
			isCursor, isMarked, hasFailed, isChanged, state, isStateHidden, name, places, nameWidth, cells,
		})}>
			<Text {...(isMarked ? theme.marked : (hasFailed ? theme.error : theme.warning))}>{isMarked ? '*' : (sign || ' ')}</Text>
			<Text {...theme.accent} bold>{isCursor ? '> ' : '  '}</Text>
			{state === undefined ? null : <Text {...theme[stateTone]} {...cursorLook}>{fit(isMarked ? state + sign : state, stateWidth)}</Text>}
			{highlighted(highlightedName, places).map(part => <Text key={part.start} {...(part.isHighlighted ? theme.match : {})} {...cursorLook}>{part.text}</Text>)}
			{cut + fit('', nameWidth - stringWidth(shownName))}
			{cells.map(cell => (
				<Text key={cell.column} {...theme[cell.tone ?? 'plain']}>
					{' '}
					{highlighted(fit(cell.text, cell.width - 1), cell.places ?? nowhere).map(part => part.isHighlighted ? <Text key={part.start} {...theme.match}>{part.text}</Text> : part.text)}
				</Text>
			))}
		</Text>
	);
};

const areSamePlaces = (before = nowhere, after = nowhere): boolean =>
	before === after || (before.size === after.size && before.isSubsetOf(after));

const isSameRow = (before: RowProps, after: RowProps): boolean =>
	before.isCursor === after.isCursor
	&& before.isMarked === after.isMarked
	&& before.hasFailed === after.hasFailed
	&& before.isChanged === after.isChanged
	&& before.state === after.state
	&& before.isStateHidden === after.isStateHidden
	&& before.name === after.name
	&& before.nameWidth === after.nameWidth
	&& areSamePlaces(before.places, after.places)
	&& before.cells.length === after.cells.length
	&& before.cells.every(({text, width, places}, index) => {
		const cell = after.cells[index]!;
		return text === cell.text && width === cell.width && areSamePlaces(places, cell.places);
	});

export const Row = memo(DrawnRow, isSameRow);
