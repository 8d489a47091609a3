import {type ResourceList} from '../client/client.ts';
import {foldName} from '../interface/fold-name.ts';
import {listCandidates} from '../interface/list-candidates.ts';
import {cleanName} from '../interface/records.ts';
import {nameIdentity} from './check-names.ts';
import {type Problem} from './problems.ts';
import {type NamedPlace} from './state.ts';

type Named = {readonly id: number; readonly name: string};

/** The records of a list by name, in any case. */
export type NameIndex<Record_ extends Named> = {
	readonly records: readonly Record_[];
	/** False if the list is: then a name that is not in it may still exist. */
	readonly isComplete: boolean;
	readonly find: (name: string) => readonly Record_[];
};

/** @param list - `undefined` if it was not needed, and so not read. */
export const indexNames = <Record_ extends Named>(list: ResourceList<Record_> | undefined): NameIndex<Record_> => {
	const {records = [], isComplete = true} = list ?? {};
	const byName = Map.groupBy(records, ({name}) => foldName(name));
	return {records, isComplete, find: name => byName.get(nameIdentity(name)) ?? []};
};

export const ambiguousName = ({name, place}: NamedPlace, candidates: readonly Named[]): Problem => ({
	place,
	kind: 'ambiguous',
	message: `Several are named “${cleanName(name)}”: ${listCandidates(candidates)}. Rename or delete the others.`,
});

/**
@param noun - what it should be, such as `agent`.
@param indexes - where it was looked for.
*/
export const missingName = ({name, place}: NamedPlace, noun: string, indexes: ReadonlyArray<NameIndex<Named>>): Problem => {
	const wanted = nameIdentity(name);
	const near = indexes.flatMap(({records}) => wanted.length > 1 ? records.filter(record => foldName(record.name).includes(wanted)) : []);
	const isKnown = indexes.every(({isComplete}) => isComplete);
	return {
		place,
		kind: 'not-found',
		message: [
			isKnown ? `There is no ${noun} “${cleanName(name)}”.` : `There is no ${noun} “${cleanName(name)}” in the list, which is incomplete.`,
			...(near.length > 0 ? [`Did you mean one of these? ${listCandidates(near)}`] : []),
		].join(' '),
	};
};
