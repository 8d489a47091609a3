import {type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {signs} from '../state/signs.ts';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';

export type HeadedColumn = {
	readonly title: string;
	/** Blanks before the title. */
	readonly indent: number;
	/** With those blanks, and the one before the next column. */
	readonly width: number;
	/** Whether its values rise or fall down the list; `undefined` if the list is not sorted by it. */
	readonly order: 'up' | 'down' | undefined;
	/** The key that chooses it while a column is chosen; `undefined` otherwise. */
	readonly number: number | undefined;
};

const arrows = {up: signs.rising, down: signs.falling} as const;

/** The title with its number and its arrow, or without the arrow if there is no room for both. */
const titleOf = ({title, indent, width, order, number}: HeadedColumn): string => {
	// The number replaces blanks, if there are any.
	const start = number === undefined ? ' '.repeat(indent) : `${' '.repeat(Math.max(0, indent - 2))}${number} `;
	const whole = start + title + (order === undefined ? '' : arrows[order]);
	return fit(stringWidth(whole) < width ? whole : start + title, width - 1);
};

/** The names of the columns above a list, with an arrow at the one that it is sorted by. They are not read out. */
export const ColumnHeader = ({columns}: {readonly columns: readonly HeadedColumn[]}): ReactElement => (
	<Text wrap='truncate-end' aria-hidden {...(columns.some(({number}) => number !== undefined) ? theme.accent : theme.secondary)}>
		{columns.map(column => titleOf(column)).join(' ').trimEnd() || ' '}
	</Text>
);
