import {type Sort} from './view.ts';
import {
	parseFilter,
	searchTextOf,
	type Filterable,
	type Match,
} from './filter.ts';
import {type SearchText} from './match.ts';
import {comparisonOf, type Sortable} from './sort.ts';

export type RowData = Filterable & Sortable;

type Identified = {readonly id: number};

export type RowFilterOptions<Record_> = {
	readonly filter: string;
	readonly sort: Sort;
	/** Its texts hang on the record alone; the rest of it may be another one each time. */
	readonly toRowData: (record: Record_) => RowData;
	/** True for what stays in the list whether it fits or not. */
	readonly isKept?: ((id: number) => boolean) | undefined;
};

export type FilteredRows = {
	readonly ids: readonly number[];
	/** True where nothing fits better than by letters with others between. */
	readonly isFuzzy: boolean;
};

export type RowFilter = <Record_ extends Identified>(records: readonly Record_[], wanted: RowFilterOptions<Record_>) => FilteredRows;

/** What is searched of each record, in their order: a list of a hundred thousand is searched with every key. */
type Searched = {readonly records: readonly Identified[]; readonly texts: SearchText[]};

type Row<Record_> = {readonly index: number; readonly record: Record_; readonly fit: Match};

const sorted = <Record_>(rows: ReadonlyArray<Row<Record_>>, sort: Sort, toRowData: (record: Record_) => RowData): ReadonlyArray<Row<Record_>> => {
	const compare = comparisonOf(sort);
	if (compare === undefined) {
		return sort.isReversed ? rows.toReversed() : rows;
	}

	return rows
		.map(row => ({row, listable: toRowData(row.record)}))
		.toSorted((first, second) => compare(first.listable, second.listable))
		.map(({row}) => row);
};

/** The best first, in the order that they have within a rank. There are few ranks, and perhaps many rows. */
const ranked = <Record_ extends Identified>(rows: ReadonlyArray<Row<Record_>>): readonly number[] => {
	const byRank = new Map<number, number[]>();
	for (const {fit: {rank}, record} of rows) {
		const ids = byRank.get(rank);
		if (ids === undefined) {
			byRank.set(rank, [record.id]);
		} else {
			ids.push(record.id);
		}
	}

	return [...byRank].toSorted(([first], [second]) => first - second).flatMap(([, ids]) => ids);
};

/** What fits in no way, and stays all the same. */
const keptFit: Match = {apartCount: 0, rank: Infinity};

const anyFit: Match = {apartCount: 0, rank: 0};

/**
Chooses and orders the rows of one list: what fits the words best comes first, then the order that was asked for. Letters
with others between count only where the words stand in no record. That is found out when words are typed and holds for
as long as they stay: a list that is read again takes nothing away that still fits, and brings nothing that did not count.
*/
export const createRowFilter = (): RowFilter => {
	let decided: {readonly words: string; readonly apartCount: number} | undefined;
	let searched: Searched = {records: [], texts: []};

	/** Made once for each record: a list that changed in one of them has the others as they were. */
	const textsOf = <Record_ extends Identified>(records: readonly Record_[], toRowData: (record: Record_) => RowData): readonly SearchText[] => {
		if (searched.records !== records) {
			const before = searched;
			searched = {records, texts: records.map((record, index) => record === before.records[index] ? before.texts[index]! : searchTextOf(toRowData(record)))};
		}

		return searched.texts;
	};

	return (records, {filter, sort, toRowData, isKept = () => false}) => {
		const {words, match: fitOf, allows, hasConditions} = parseFilter(filter);
		type Record_ = typeof records[number];

		const fitting = (isFuzzy: boolean): ReadonlyArray<Row<Record_>> => {
			const texts = words.length === 0 ? undefined : textsOf(records, toRowData);
			const rows: Array<Row<Record_>> = [];
			for (const [index, record] of records.entries()) {
				const fit = texts === undefined ? anyFit : fitOf(texts[index]!, isFuzzy) ?? (isKept(record.id) ? keptFit : undefined);
				if (fit !== undefined) {
					rows.push({index, record, fit});
				}
			}

			return rows;
		};

		const key = words.join(' ');
		const known = decided?.words === key ? decided.apartCount : undefined;
		const standing = known === undefined || known === 0 ? fitting(false) : [];
		const rows = known === 0 || standing.length > 0 ? standing : fitting(true);
		let least = known ?? Infinity;
		if (known === undefined) {
			for (const {fit: {apartCount}} of rows) {
				least = Math.min(least, apartCount);
			}
		}

		decided = least === Infinity ? undefined : {words: key, apartCount: least};
		const left = rows.filter(({index, record, fit}) =>
			fit.apartCount <= least && (!hasConditions || isKept(record.id) || allows(toRowData(record), () => textsOf(records, toRowData)[index]!)));
		return {ids: ranked(sorted(left, sort, toRowData)), isFuzzy: least > 0 && least < Infinity};
	};
};
