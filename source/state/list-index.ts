import {type ResourceList} from '../client/client.ts';
import {listCandidates} from '../interface/list-candidates.ts';
import {indexNames, type NameIndex} from '../interface/name-index.ts';
import {didYouMean, nearestNames} from '../interface/nearest-word.ts';
import {cleanName, type DecodedRecord} from '../interface/records.ts';
import {type Problem} from './problems.ts';
import {type NamedPlace} from './state.ts';

type Named = {readonly id: number; readonly name: string};

/** The records of a list, by name. */
export type ListIndex<Record_ extends Named> = NameIndex<Record_> & {
	readonly records: readonly Record_[];
	/** False if the list is not: then a name that is not in it may still exist. */
	readonly isComplete: boolean;
};

/** The names of the abilities that a state creates. */
export type CreatedNames = NameIndex<{readonly name: string}> & Pick<ListIndex<Named>, 'isComplete'>;

/** @param list - `undefined` if it was not needed, and so not read. */
export const indexList = <Record_ extends Named>(list: ResourceList<Record_> | undefined): ListIndex<Record_> => {
	const {records = [], isComplete = true} = list ?? {};
	return {...indexNames(records), records, isComplete};
};

/** True if a name that is not found is no record's. Creating one that is there already would make two. */
export const showsAllNames = ({records, isComplete}: Pick<ListIndex<DecodedRecord>, 'records' | 'isComplete'>): boolean =>
	isComplete && records.every(({raw: {name}}) => typeof name === 'string' && name !== '');

export const ambiguousName = ({name, place}: NamedPlace, candidates: readonly Named[]): Problem => ({
	place,
	kind: 'ambiguous',
	message: `Several are named “${cleanName(name)}”: ${listCandidates(candidates)}. Rename or delete the others.`,
});

/**
@param noun - what it should be, such as `agent`.
@param indexes - where it was looked for.
*/
export const missingName = ({name, place}: NamedPlace, noun: string, indexes: ReadonlyArray<Pick<ListIndex<Named>, 'findNear' | 'isComplete'>>): Problem => {
	const near = nearestNames(name, indexes.flatMap(index => index.findNear(name)));
	const isKnown = indexes.every(({isComplete}) => isComplete);
	return {
		place,
		kind: 'not-found',
		message: [
			isKnown ? `There is no ${noun} “${cleanName(name)}”.` : `There is no ${noun} “${cleanName(name)}” in the list, which is incomplete.`,
			didYouMean(near) ?? '',
		].join(' ').trimEnd(),
	};
};
