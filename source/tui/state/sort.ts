import {categoryLabel} from '../../interface/categories.ts';
import type {ScreenName, Sort, SortColumn} from './view.ts';

export type Sortable = {
	readonly name: string;
	readonly category?: string;
	readonly agents?: readonly string[] | undefined;
	readonly isEnabled?: boolean | undefined;
	readonly changedAt?: number | undefined;
	readonly triggerPhrases?: readonly string[];
	readonly onCount?: number | undefined;
	readonly id?: number;
	readonly prompt?: string;
};

let names: Intl.Collator | undefined;

/** On before off before records without a state. */
const stateRank = ({isEnabled}: Sortable): number => (isEnabled === undefined ? 2 : isEnabled ? 0 : 1);

/** Alphabetically, empty texts last. */
const compareTexts = (first = '', second = ''): number =>
	first === '' || second === '' ? Number(first === '') - Number(second === '') : compareNames(first, second);

export type ListColumn = Exclude<SortColumn, 'none'>;

const comparisons: Readonly<Record<ListColumn, (first: Sortable, second: Sortable) => number>> = {
	name: (first, second) => compareNames(first.name, second.name),
	state: (first, second) => stateRank(first) - stateRank(second),
	category: (first, second) => compareNames(categoryLabel(first.category ?? ''), categoryLabel(second.category ?? '')),
	agents: (first, second) => compareTexts(first.agents?.join(', '), second.agents?.join(', ')),
	phrases: (first, second) => compareTexts(first.triggerPhrases?.join(', '), second.triggerPhrases?.join(', ')),
	// The most first, unknown ones last.
	abilities: (first, second) => (second.onCount ?? -1) - (first.onCount ?? -1),
	id: (first, second) => (first.id ?? 0) - (second.id ?? 0),
	prompt: (first, second) => compareTexts(first.prompt?.trimStart(), second.prompt?.trimStart()),
	// The newest first.
	changed: (first, second) => (second.changedAt ?? 0) - (first.changedAt ?? 0),
};

/** Compares by a column; equal records stay in the service's order. */
export function comparisonOf({column, isReversed}: Sort): ((first: Sortable, second: Sortable) => number) | undefined {
	if (column === 'none') {
		return undefined;
	}

	const compare = comparisons[column];
	return isReversed ? (first, second) => compare(second, first) : compare;
}

/** The columns that first sort in descending order: the most and the newest first. */
const descendingColumns: ReadonlySet<SortColumn> = new Set(['abilities', 'changed']);

/** Tells whether the values of the column ascend or descend from the top of the list. */
export function directionOf({column, isReversed}: Sort): 'up' | 'down' {
	return descendingColumns.has(column) === isReversed ? 'up' : 'down';
}

/** The columns of each list from the left; all of them can be sorted by. */
export const sortColumns: Readonly<Record<ScreenName, readonly ListColumn[]>> = {
	agents: ['name', 'abilities', 'id', 'prompt'],
	abilities: ['state', 'name', 'agents', 'phrases', 'changed', 'category'],
	installed: ['state', 'name', 'agents', 'phrases', 'changed', 'category'],
};

/** Returns the next column in a cycle that ends with the service's own order. */
export function nextSort({column}: Sort, screen: ScreenName): Sort {
	const cycle = sortCycle(screen);
	return {column: cycle[(cycle.indexOf(column) + 1) % cycle.length]!, isReversed: false};
}

/** The cycle of the sort key: the name first, which is wanted most. */
const sortCycle = (screen: ScreenName): readonly SortColumn[] => [
	'none',
	'name',
	...sortColumns[screen].filter(column => column !== 'name'),
];

const longNames: Readonly<Partial<Record<SortColumn, string>>> = {changed: 'last change', abilities: 'abilities that are on'};

/** Returns the sort order in words, such as “by name” or “by state, reversed”; empty for the service's own. */
export function sortText({column, isReversed}: Sort): string {
	return [...(column === 'none' ? [] : [`by ${longNames[column] ?? column}`]), ...(isReversed ? ['reversed'] : [])].join(', ');
}

/** Returns the prompt for a sort column, with the number of each, even of columns for which the list has no room. */
export function sortPrompt(screen: ScreenName, {column}: Sort): string {
	const choices = sortColumns[screen].map((name, index) => `${index + 1} ${name}${name === column ? ' (again: reverse)' : ''}`);
	return `Sort by: ${[...choices, '0 as listed'].join(', ')}.`;
}

/** Loading the rules of a language takes a tenth of the start's time, and most lists are in the service's own order. */
function compareNames(first: string, second: string): number {
	names ??= new Intl.Collator(undefined, {sensitivity: 'base', numeric: true});
	return names.compare(first, second);
}
