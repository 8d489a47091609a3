import {type ScreenName, type Sort, type SortColumn} from './app-state.ts';

/** What a list can be ordered by in a record. */
export type Sortable = {
	readonly name: string;
	readonly category?: string;
	readonly isEnabled?: boolean | undefined;
	readonly changedAt?: number | undefined;
};

const names = new Intl.Collator(undefined, {sensitivity: 'base', numeric: true});

/** On before off before what has no state. */
const stateRank = ({isEnabled}: Sortable): number => isEnabled === undefined ? 2 : (isEnabled ? 0 : 1);

const comparisons: Readonly<Record<Exclude<SortColumn, 'none'>, (first: Sortable, second: Sortable) => number>> = {
	name: (first, second) => names.compare(first.name, second.name),
	state: (first, second) => stateRank(first) - stateRank(second),
	category: (first, second) => names.compare(first.category ?? '', second.category ?? ''),
	// The newest first.
	changed: (first, second) => (second.changedAt ?? 0) - (first.changedAt ?? 0),
};

/** Compares by a column; what is equal there stays in the service's order. */
export const comparisonOf = ({column, isReversed}: Sort): ((first: Sortable, second: Sortable) => number) | undefined => {
	if (column === 'none') {
		return undefined;
	}

	const compare = comparisons[column];
	return isReversed ? (first, second) => compare(second, first) : compare;
};

/** What each list can be ordered by, in the round that the key goes. */
export const sortColumnsOf: Readonly<Record<ScreenName, readonly SortColumn[]>> = {
	agents: ['none', 'name'],
	abilities: ['none', 'name', 'state', 'category', 'changed'],
	installed: ['none', 'name', 'state', 'category', 'changed'],
};

/** The next column to sort by, in a round that ends with the service's own order. */
export const nextSort = ({column}: Sort, columns: readonly SortColumn[]): Sort => ({
	column: columns[(columns.indexOf(column) + 1) % columns.length] ?? 'none',
	isReversed: false,
});

/** How an order is said, such as “by name” or “by state, reversed”; empty for the service's own. */
export const sortText = ({column, isReversed}: Sort): string => {
	const what: Readonly<Record<SortColumn, string>> = {
		none: '',
		name: 'by name',
		state: 'by state',
		category: 'by category',
		changed: 'by last change',
	};
	return column === 'none' ? (isReversed ? 'reversed' : '') : what[column] + (isReversed ? ', reversed' : '');
};
