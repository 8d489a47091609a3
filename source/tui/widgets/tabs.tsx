import {type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {signs} from '../state/signs.ts';
import {spokenText} from '../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {StyledLine} from './lines.tsx';
import {type Part} from './styled-text.ts';

type Tab = {readonly key: string; readonly title: string; readonly isCurrent: boolean};

type TabsProps = {
	readonly width: number;
	readonly tabs: readonly Tab[];
	/** The filter; `undefined` if nothing is filtered. */
	readonly filter: string | undefined;
	readonly isFilterOpen: boolean;
	/** The sort order in words; empty for the service's own order. */
	readonly order: string;
	readonly markedCount: number;
	readonly shownCount: number;
	readonly totalCount: number;
	/** The number of the row under the cursor, from 1, if the list is longer than the screen. */
	readonly cursorRow?: number | undefined;
};

/** The labels. The first one is aligned with the title above, whether it is the current one or not. */
const labelsOf = (tabs: readonly Tab[], isShort: boolean): readonly string[] => {
	const labels = tabs.map(({key, title, isCurrent}) => {
		const text = isShort && !isCurrent ? key : `${key} ${title}`;
		return isCurrent ? `[${text}]` : ` ${text} `;
	});
	return labels.map((label, index) => index === 0 && label.startsWith('[') ? ` ${label}` : label);
};

const separator = ' '.repeat(3);

/** Columns that the end of a filter keeps as long as the counts after it can be shortened. */
const shortestFilter = 6;

/** The counts, from the longest text to the shortest: without the order, then without the row, then without words. */
const countsOf = ({filter, order, markedCount, shownCount, totalCount, cursorRow}: TabsProps): readonly [string, ...string[]] => {
	const marked = markedCount === 0 ? [] : [`${markedCount} marked`];
	const count = filter === undefined ? cursorRow : shownCount;
	const row = filter === undefined || cursorRow === undefined ? [] : [`row ${cursorRow}`];
	const shown = count === undefined ? [] : [`${count} of ${totalCount}`];
	const counts = [...marked, ...row, ...shown].join(', ');
	const withoutRow = [...marked, ...shown].join(', ');
	const short = [...markedCount === 0 ? [] : [`${markedCount}${signs.marked}`], ...count === undefined ? [] : [`${count}/${totalCount}`]].join(' ');
	return [
		[order, counts].filter(text => text !== '').join(', '),
		...(counts === '' ? [] : [counts, withoutRow, short]),
	];
};

/** The filter is cut at its start: what is typed last must be in view. */
const fitRight = (filterText: string, counts: readonly string[], room: number): string => {
	const wanted = filterText === '' ? 0 : Math.min(stringWidth(filterText), shortestFilter) + separator.length;
	const count = counts.find(text => stringWidth(text) + wanted <= room) ?? counts.at(-1)!;
	return filterText === ''
		? cliTruncate(count, room)
		: cliTruncate(filterText, room - stringWidth(count) - separator.length, {position: 'start'}) + separator + count;
};

/** The second line: the screens with their keys, the filter, and how many rows match it. */
export const Tabs = (props: TabsProps): ReactElement => {
	const {width, tabs, filter, isFilterOpen} = props;
	const filterText = filter === undefined ? '' : `${signs.filter}${filter}${isFilterOpen ? signs.typing : ''}`;
	const counts = countsOf(props);
	const whole = [filterText, counts[0]].filter(text => text !== '').join(separator);
	const allLabels = labelsOf(tabs, false);
	const isShort = stringWidth(allLabels.join('')) + stringWidth(whole) + 4 > width;
	const labels = isShort ? labelsOf(tabs, true) : allLabels;
	const used = stringWidth(labels.join(''));
	const room = width - used - 3;
	const shownRight = stringWidth(whole) <= room ? whole : cliTruncate(fitRight(filterText, counts, room), room, {position: 'start'});
	const gap = Math.max(0, width - 1 - used - stringWidth(shownRight));
	const filterInWords = filter === undefined || isFilterOpen ? '' : `filter ${filter}`;
	return (
		<StyledLine
			label={spokenText(...allLabels, filterInWords, countsOf({...props, cursorRow: undefined})[0])}
			parts={[
				...tabs.map(({isCurrent}, index): Part => [labels[index]!, isCurrent ? theme.title : theme.secondary]),
				[' '.repeat(gap)],
				[shownRight, filter === undefined ? theme.secondary : theme.accent],
			]}
		/>
	);
};
