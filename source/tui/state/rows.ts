import {type Sort} from './app-state.ts';
import {parseFilter, type Filter, type Filterable} from './filter.ts';
import {comparisonOf, type Sortable} from './sort.ts';

export type Listable = Filterable & Sortable;

/** The ids of the records that a filter leaves, in the order that a sort asks for. */
export const chooseRows = <Record_ extends {readonly id: number}>(
	records: readonly Record_[],
	{filter, sort, toListable}: {readonly filter: string; readonly sort: Sort; readonly toListable: (record: Record_) => Listable},
): readonly number[] => {
	const {fits}: Filter = parseFilter(filter);
	const compare = comparisonOf(sort);
	const rows = records.map(record => ({id: record.id, listable: toListable(record)}));
	const left = filter.trim() === '' ? rows : rows.filter(({listable}) => fits(listable));
	const ordered = compare === undefined
		? (sort.isReversed ? left.toReversed() : left)
		: left.toSorted((first, second) => compare(first.listable, second.listable));
	return ordered.map(({id}) => id);
};
