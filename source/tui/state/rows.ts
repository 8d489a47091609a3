import {type Filterable, type Match, parseFilter, searchTextOf} from '../../interface/filter.ts';
import type {SearchText} from '../../interface/match.ts';
import type {Sort} from './view.ts';
import {comparisonOf, type Sortable} from './sort.ts';

export type RowData = Filterable & Sortable;

export type FilteredRows = {readonly ids: readonly number[]; readonly isFuzzy: boolean};

type Identified = {readonly id: number};

type RowFilterOptions<Record_> = {
	readonly filter: string;
	readonly sort: Sort;
	/** Its texts must depend only on the record; the rest may change. */
	readonly toRowData: (record: Record_) => RowData;
	/** True for rows that stay in the list even if they do not match. */
	readonly isKept?: ((id: number) => boolean) | undefined;
};

export type RowFilter = <Record_ extends Identified>(records: readonly Record_[], wanted: RowFilterOptions<Record_>) => FilteredRows;

/** The match of a row that stays although it does not match. */
const keptMatch: Match = {fuzzyCount: 0, rank: Infinity};

const anyMatch: Match = {fuzzyCount: 0, rank: 0};

/** The searched text of each record, kept because a list of a hundred thousand is searched at every key. */
type Searched = {readonly records: readonly Identified[]; readonly texts: SearchText[]};

type Found = {readonly records: readonly Identified[]; readonly words: readonly string[]; readonly indexes: readonly number[]};

type Row<Record_> = {readonly index: number; readonly record: Record_; readonly match: Match};

/**
Filters and sorts the rows of one list: the best matches come first, then the sort order. Subsequences count only if the words are a
substring of no record. This is decided when the words are typed and stays so: a refresh removes no row that still matches, and adds none
that would not have counted.
*/
export function createRowFilter(): RowFilter {
	let decided: {readonly words: string; readonly fuzzyCount: number} | undefined;
	let searched: Searched = {records: [], texts: []};
	let found: Found | undefined;

	/** Returns the searched text of each record; if one record changes, the others keep their texts. */
	const textsOf = <Record_ extends Identified>(
		records: readonly Record_[],
		toRowData: (record: Record_) => RowData,
	): readonly SearchText[] => {
		if (searched.records !== records) {
			const before = searched;
			searched = {
				records,
				texts: records.map((record, index) => (record === before.records[index] ? before.texts[index]! : searchTextOf(toRowData(record)))),
			};
		}

		return searched.texts;
	};

	return (records, {filter, sort, toRowData, isKept}) => {
		const {words, match: matchText, allows, hasConditions} = parseFilter(filter);
		type Record_ = (typeof records)[number];

		const matching = (isFuzzy: boolean): ReadonlyArray<Row<Record_>> => {
			const texts = words.length === 0 ? undefined : textsOf(records, toRowData);
			const rows: Array<Row<Record_>> = [];
			// Each further letter of a word leaves fewer records to search.
			const isNarrowed = !isFuzzy && isKept === undefined && found?.records === records && isNarrower(words, found.words);
			const count = (isNarrowed ? found!.indexes : records).length;
			// An iterator would take longer than the search.
			for (let position = 0; position < count; position++) {
				const index = isNarrowed ? found!.indexes[position]! : position;
				const record = records[index]!;
				const match = texts === undefined ? anyMatch : (matchText(texts[index]!, isFuzzy) ?? (isKept?.(record.id) ? keptMatch : undefined));
				if (match !== undefined) {
					rows.push({index, record, match});
				}
			}

			if (!isFuzzy && isKept === undefined && texts !== undefined) {
				found = {records, words, indexes: rows.map(({index}) => index)};
			}

			return rows;
		};

		const key = words.join(' ');
		const known = decided?.words === key ? decided.fuzzyCount : undefined;
		const exact = known === undefined || known === 0 ? matching(false) : [];
		const rows = known === 0 || exact.length > 0 ? exact : matching(true);
		// No subsequences count among the exact matches.
		let least = known ?? (exact.length > 0 ? 0 : Infinity);
		if (known === undefined && exact.length === 0) {
			for (const {
				match: {fuzzyCount},
			} of rows) {
				least = Math.min(least, fuzzyCount);
			}
		}

		decided = least === Infinity ? undefined : {words: key, fuzzyCount: least};
		const isLeft = ({index, record, match}: Row<Record_>): boolean =>
			match.fuzzyCount <= least &&
			(!hasConditions || isKept?.(record.id) === true || allows(toRowData(record), () => textsOf(records, toRowData)[index]!));
		const left = rows === exact && !hasConditions ? rows : rows.filter(row => isLeft(row));
		return {ids: ranked(sorted(left, sort, toRowData)), isFuzzy: least > 0 && least < Infinity};
	};
}

/** True if every text with these words also has the former ones. */
const isNarrower = (words: readonly string[], before: readonly string[]): boolean =>
	before.every(word => words.some(each => each.includes(word)));

/** Returns the best rank first; within a rank the order stays. There are few ranks, and perhaps many rows. */
function ranked<Record_ extends Identified>(rows: ReadonlyArray<Row<Record_>>): readonly number[] {
	const byRank = new Map<number, number[]>();
	let bucket: number[] = [];
	let bucketRank: number | undefined;
	for (const {
		match: {rank},
		record,
	} of rows) {
		if (rank !== bucketRank) {
			bucket = byRank.get(rank) ?? [];
			byRank.set(rank, bucket);
			bucketRank = rank;
		}

		bucket.push(record.id);
	}

	return [...byRank].toSorted(([first], [second]) => first - second).flatMap(([, ids]) => ids);
}

function sorted<Record_>(
	rows: ReadonlyArray<Row<Record_>>,
	sort: Sort,
	toRowData: (record: Record_) => RowData,
): ReadonlyArray<Row<Record_>> {
	const compare = comparisonOf(sort);
	if (compare === undefined) {
		return sort.isReversed ? rows.toReversed() : rows;
	}

	return rows
		.map(row => ({row, data: toRowData(row.record)}))
		.toSorted((first, second) => compare(first.data, second.data))
		.map(({row}) => row);
}
