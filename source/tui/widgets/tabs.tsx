import {type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {spoken} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';
import {truncate, truncateStart} from './fit.ts';

export type Tab = {readonly key: string; readonly title: string; readonly isCurrent: boolean};

export type TabsProps = {
	readonly width: number;
	readonly tabs: readonly Tab[];
	/** The filter as it is typed, with its cursor; `undefined` where nothing is filtered. */
	readonly filter: string | undefined;
	readonly isFilterOpen: boolean;
	/** Such as “3 of 12”. */
	readonly count: string;
};

const label = ({key, title, isCurrent}: Tab, isShort: boolean): string => {
	const text = isShort && !isCurrent ? key : `${key} ${title}`;
	return isCurrent ? `[${text}]` : ` ${text} `;
};

/** The second line: the screens with their keys, the filter while there is one, and how much it leaves. */
export const Tabs = ({width, tabs, filter, isFilterOpen, count}: TabsProps): ReactElement => {
	const filterText = filter === undefined ? '' : `/${filter}${isFilterOpen ? '_' : ''}`;
	const right = [filterText, count].filter(text => text !== '').join(' '.repeat(3));
	const widthOf = (isShort: boolean): number => tabs.reduce((sum, tab) => sum + stringWidth(label(tab, isShort)), 0);
	const isShort = widthOf(false) + stringWidth(right) + 4 > width;
	const room = width - widthOf(isShort) - 3;
	// What is typed last must be seen: the filter is cut from its beginning.
	const shownRight = filterText === '' ? truncate(right, room) : truncateStart(right, room);
	const gap = Math.max(0, width - 1 - widthOf(isShort) - stringWidth(shownRight));
	const filterInWords = filter === undefined || isFilterOpen ? '' : `filter ${filter}`;
	return (
		<Text wrap='truncate-end' aria-label={spoken(...tabs.map(tab => label(tab, false)), filterInWords, count)}>
			{tabs.map(tab => <Text key={tab.key} {...(tab.isCurrent ? theme.title : theme.secondary)}>{label(tab, isShort)}</Text>)}
			<Text>{' '.repeat(gap)}</Text>
			<Text {...(filter === undefined ? theme.secondary : theme.accent)}>{shownRight}</Text>
		</Text>
	);
};
