import {type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';

export type HeadedColumn = {
	readonly title: string;
	/** With the blank that parts it from the next column. */
	readonly width: number;
	/** `undefined` where the list is not ordered by it. */
	readonly order?: 'up' | 'down' | undefined;
};

const arrows = {up: '↑', down: '↓'} as const;

/** The title with its arrow, or without it where there is no room for both. */
const titleOf = ({title, width, order}: HeadedColumn): string => {
	const whole = title + (order === undefined ? '' : arrows[order]);
	return fit(stringWidth(whole) < width ? whole : title, width - 1);
};

/** The names of the columns above a list, with an arrow at the one that it is ordered by. Rows that are read out name nothing twice. */
export const ColumnHeader = ({indent, columns}: {readonly indent: number; readonly columns: readonly HeadedColumn[]}): ReactElement => (
	<Text wrap='truncate-end' aria-hidden {...theme.secondary}>
		{columns.length === 0 ? ' ' : ' '.repeat(indent) + columns.map(column => titleOf(column)).join(' ').trimEnd()}
	</Text>
);
