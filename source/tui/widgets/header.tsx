import {memo, type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {Text} from 'ink';
import {type ProfileMark, signs, typingEnd} from '../../words/signs.ts';
import {spokenRow, spokenText} from '../../terminal/spoken-text.ts';
import {theme, type Tone} from '../theme.ts';
import {StyledLine, type Part} from './list.tsx';
import {spread, fit} from '../../terminal/wrap.ts';

const programTitle = ' Switchboard';

/** Columns that the name of a profile always keeps. */
const shortestName = 6;

/** Columns of the conversations: an agent may have a long name. */
const widestTalk = 30;

type HeaderProps = {
	readonly width: number;
	readonly profileName: string;
	readonly profileMark: ProfileMark | undefined;
	/** The people who look at the account, the reader first: they take the place of the address. */
	readonly people?: readonly string[];
	readonly hostLabel: string;
	readonly badges: readonly string[];
	/** The open conversations. */
	readonly talking?: string;
	readonly status: string;
	readonly statusTone: Tone;
	/** After the status, if there is room. */
	readonly counts: string;
	/** The defects of the list, after the counts. */
	readonly flaws: readonly string[];
};

/** Draws the first line: the profile and its service, and the freshness of the list. */
export function Header({
	width,
	profileName,
	profileMark,
	people = [],
	hostLabel,
	badges,
	talking = '',
	status,
	statusTone,
	counts,
	flaws,
}: HeaderProps): ReactElement {
	const badge = badges.map(text => ` ${text}`).join('');
	const essential = [status, ...flaws].join(' · ');
	const right = [status, ...(counts === '' ? [] : [counts]), ...flaws].join(' · ');
	const talk = talking === '' ? '' : ` [${cliTruncate(talking, widestTalk)}]`;
	const profile = profileMark === undefined ? profileName : `${profileMark.sign} ${profileName}`;
	const [first = hostLabel, ...others] = people;
	const places = [...new Set([[first, ...others].join(', '), others.length > 1 ? `${first} +${others.length}` : first, first])];
	// Without room for all, these go first to last: other people, address, counts, conversations, the name of the program, the end of the
	// profile's.
	const candidates = [
		...places.map(place => [programTitle, `  ${profile}`, ` · ${place}${badge}${talk}`, right] as const),
		[programTitle, `  ${profile}`, badge + talk, right],
		[programTitle, `  ${profile}`, badge + talk, essential],
		[programTitle, `  ${profile}`, badge, essential],
		['', ` ${profile}`, badge, essential],
		// The status is more useful than the end of a name.
		['', cliTruncate(` ${profile}`, Math.max(shortestName, width - stringWidth(badge + essential) - 3)), badge, essential],
	] as const;
	const [start, name, rest, wanted] = candidates.find(parts => stringWidth(parts.join('')) + 3 <= width) ?? candidates.at(-1)!;
	const line = spread(start + name + rest, wanted, width - 1);
	const nameEnd = start.length + name.length;
	return (
		// A screen reader does not get the counts: they would repeat the message of each switch.
		<StyledLine
			label={spokenText('Switchboard', `${profileName}${badge}`, places[0]!, talking, status, ...flaws)}
			parts={[
				[line.left.slice(0, start.length), theme.title],
				[line.left.slice(start.length, nameEnd), profileMark === undefined ? theme.accent : {color: profileMark.color, bold: true}],
				[line.left.slice(nameEnd), theme.accent],
				[line.gap],
				[line.right.slice(0, status.length), theme[statusTone]],
				[line.right.slice(status.length), theme.secondary],
			]}
		/>
	);
}

const separator = ' '.repeat(3);

/** Columns that the end of a filter keeps as long as the counts after it can be shortened. */
const shortestFilter = 6;

type Tab = {readonly key: string; readonly title: string; readonly isCurrent: boolean};

type TabsProps = {
	readonly width: number;
	readonly tabs: readonly Tab[];
	/** The filter of the list; `undefined` without one. */
	readonly filter: string | undefined;
	readonly isFilterOpen: boolean;
	/** The current screen is in brackets if no colours are drawn; otherwise it is underlined. */
	readonly isColorless: boolean;
	/** The sort order in words; empty for the service's own order. */
	readonly order: string;
	readonly markedCount: number;
	readonly shownCount: number;
	readonly totalCount: number;
	/** The number of the row under the cursor, from 1, if the list is longer than the screen. */
	readonly cursorRow?: number | undefined;
};

type FilterLineProps = Pick<TabsProps, 'width' | 'isFilterOpen' | 'shownCount' | 'totalCount' | 'cursorRow'> & {readonly filter: string};

/**
Draws the filter, from the first column on, and the number of matching rows. It is cut at its start, because the text typed last must be in
view.
*/
export function FilterLine({width, filter, isFilterOpen, shownCount, totalCount, cursorRow}: FilterLineProps): ReactElement {
	const text = `${signs.filter}${filter}${isFilterOpen ? typingEnd : ''}`;
	const counts = [
		...(cursorRow === undefined ? [] : [`row ${cursorRow}, ${shownCount} of ${totalCount}`]),
		`${shownCount} of ${totalCount}`,
		`${shownCount}/${totalCount}`,
	];
	const room = width - 1 - separator.length;
	const wanted = Math.min(stringWidth(text), shortestFilter);
	const count = counts.find(each => stringWidth(each) + wanted <= room) ?? counts.at(-1)!;
	return (
		<StyledLine
			label={spokenRow(true, `${signs.filter}${filter}`)}
			parts={[
				[cliTruncate(text, Math.max(1, room - stringWidth(count)), {position: 'start'}), theme.accent],
				[separator + count, theme.secondary],
			]}
		/>
	);
}

type SentenceLineProps = {readonly width: number; readonly sentence: string; readonly isOpen: boolean; readonly outcome: string};

/** Draws the sentence and its outcome. The sentence is cut at its start, and keeps half of the line. */
export function SentenceLine({width, sentence, isOpen, outcome}: SentenceLineProps): ReactElement {
	const text = `${signs.sentence}${sentence}${isOpen ? typingEnd : ''}`;
	const room = width - 1 - separator.length;
	const shown = cliTruncate(text, Math.max(1, Math.ceil(room / 2), room - stringWidth(outcome)), {position: 'start'});
	return (
		<StyledLine
			label={isOpen ? spokenRow(true, spokenText(signs.sentence + sentence, outcome)) : spokenText(`sentence ${sentence}`, outcome)}
			parts={[
				[shown, theme.accent],
				[separator + cliTruncate(outcome, Math.max(1, room - stringWidth(shown))), theme.secondary],
			]}
		/>
	);
}

/** Returns the index of the tab in a column of the line; -1 if there is none. */
export function tabAt(props: TabsProps, column: number): number {
	return columnAt(
		layTabs(props).labels.map(label => ({width: stringWidth(label)})),
		column,
	);
}

/** Returns the index of the part of a line that holds a column; -1 if there is none. */
export function columnAt(parts: ReadonlyArray<{readonly width: number}>, column: number): number {
	let end = 0;
	return parts.findIndex(({width}) => {
		end += width;
		return column < end;
	});
}

function layTabs(props: TabsProps) {
	const {width, tabs, isColorless} = props;
	const counts = countsOf(props);
	const isRoomFor = (labels: readonly string[], count: string): boolean => stringWidth(labels.join('') + count) + 4 <= width;
	const allLabels = labelsOf(tabs, 'title', isColorless);
	const letters = labelsOf(tabs, 'letters', isColorless);
	const labels = isRoomFor(allLabels, counts[0])
		? allLabels
		: isRoomFor(letters, counts.at(-1)!)
			? letters
			: labelsOf(tabs, 'key', isColorless);
	const used = stringWidth(labels.join(''));
	const room = width - used - 3;
	const shownRight = cliTruncate(counts.find(text => stringWidth(text) <= room) ?? counts.at(-1)!, room);
	return {labels, shownRight, gap: Math.max(0, width - 1 - used - stringWidth(shownRight))};
}

/**
Returns the counts, from the longest text to the shortest: without the order, then without words. Beside a filter these are the counts of
its rows.
*/
function countsOf({filter, order, markedCount, totalCount, cursorRow}: TabsProps): readonly [string, ...string[]] {
	const isRowShown = filter === undefined && cursorRow !== undefined;
	const marked = markedCount === 0 ? [] : [`${markedCount} marked`];
	const counts = [...marked, ...(isRowShown ? [`${cursorRow} of ${totalCount}`] : [])].join(', ');
	const short = [
		...(markedCount === 0 ? [] : [`${markedCount}${signs.marked}`]),
		...(isRowShown ? [`${cursorRow}/${totalCount}`] : []),
	].join(' ');
	return [[order, counts].filter(text => text !== '').join(', '), ...(counts === '' ? [] : [counts, short])];
}

/** Returns the labels. The first one is aligned with the title above, current or not. */
function labelsOf(tabs: readonly Tab[], form: 'title' | 'letters' | 'key', isColorless: boolean): readonly string[] {
	const labels = tabs.map(({key, title, isCurrent}, index) => {
		const shown = isCurrent || form === 'title' ? title : form === 'letters' ? lettersOf(tabs, index) : '';
		const text = `${key} ${shown}`.trimEnd();
		return isCurrent && isColorless ? `[${text}]` : ` ${text} `;
	});
	return labels.map((label, index) => (index === 0 && label.startsWith('[') ? ` ${label}` : label));
}

/** Returns the fewest letters of a title that are not those of an earlier tab: `A`, `Ab`. */
function lettersOf(tabs: readonly Tab[], index: number): string {
	const earlier = tabs.slice(0, index).map((_, before) => lettersOf(tabs, before));
	const {title} = tabs[index]!;
	const lengths = [...title].map((_, length) => length + 1);
	return title.slice(
		0,
		lengths.find(length => !earlier.includes(title.slice(0, length))),
	);
}

/**
Draws the second line: the screens with their keys, the order, the marked rows and the cursor's row. A screen reader gets the filter with
them.
*/
export function Tabs(props: TabsProps): ReactElement {
	const {tabs, filter, isFilterOpen, isColorless, shownCount, totalCount} = props;
	const {labels, shownRight, gap} = layTabs(props);
	const filterInWords = filter === undefined || isFilterOpen ? '' : `filter ${filter}`;
	const countInWords = filter === undefined ? '' : `${shownCount} of ${totalCount}`;
	return (
		<StyledLine
			label={spokenText(...labelsOf(tabs, 'title', true), filterInWords, countsOf({...props, cursorRow: undefined})[0], countInWords)}
			parts={[
				...tabs.flatMap(({isCurrent}, index): readonly Part[] => {
					const label = labels[index]!;
					const start = label.length - label.trimStart().length;
					// The blanks beside it are not underlined.
					return [
						[label.slice(0, start)],
						[label.trim(), isCurrent ? (isColorless ? theme.title : theme.tab) : theme.faint],
						[label.slice(start + label.trim().length)],
					];
				}),
				[' '.repeat(gap)],
				[shownRight, theme.secondary],
			]}
		/>
	);
}

const arrows = {up: signs.rising, down: signs.falling} as const;

type HeadedColumn = {
	readonly title: string;
	readonly indent: number;
	/** Includes these blanks, and the one before the next column. */
	readonly width: number;
	readonly order: 'up' | 'down' | undefined;
	/** The key that chooses the column while one is being chosen; `undefined` otherwise. */
	readonly number: number | undefined;
};

/** Draws the names of the columns above a list, with an arrow at the sorted one. A screen reader does not get them. */
export const ColumnHeader = memo(
	({columns}: {readonly columns: readonly HeadedColumn[]}): ReactElement => (
		<Text wrap="truncate-end" aria-hidden {...(columns.some(({number}) => number !== undefined) ? theme.accent : theme.faint)}>
			{columns
				.map(column => titleOf(column))
				.join(' ')
				.trimEnd() || ' '}
		</Text>
	),
);

/** Returns the title with its number and its arrow, or without the arrow if there is no room for both. */
function titleOf({title, indent, width, order, number}: HeadedColumn): string {
	// The number replaces blanks, if there are any.
	const start = number === undefined ? ' '.repeat(indent) : `${' '.repeat(Math.max(0, indent - 2))}${number} `;
	const whole = start + title + (order === undefined ? '' : arrows[order]);
	return fit(stringWidth(whole) < width ? whole : start + title, width - 1);
}
