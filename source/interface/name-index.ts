import {foldName} from './fold-name.ts';
import {nearestNames} from './nearest-word.ts';
import {cleanName} from './records.ts';

/** Records by name, in any case (`CONTRACT.md`, Commands). */
export type NameIndex<Record_> = {
	readonly find: (name: string) => readonly Record_[];
	/** The names that one which is not found may mean. */
	readonly findNear: (name: string) => readonly string[];
};

/** The same text for two names that count as one, as they are shown. */
export const nameIdentity = (name: string): string => foldName(cleanName(name));

/** The record that already has a name which another one is to get; `undefined` too if that one has it now. */
export const findNamesake = <Record_ extends {readonly id: number; readonly name: string}>(records: readonly Record_[], {id, name}: Record_, newName: string): Record_ | undefined => {
	const wanted = nameIdentity(newName);
	return foldName(name) === wanted ? undefined : records.find(record => record.id !== id && foldName(record.name) === wanted);
};

/** Each looks at every name. A state file with more wrong names is for another service, and the rest of its problems is not shown. */
const maximumNearLookups = 50;

/** @param records - with their names as they are shown. */
export const indexNames = <Record_ extends {readonly name: string}>(records: readonly Record_[]): NameIndex<Record_> => {
	const byName = Map.groupBy(records, ({name}) => foldName(name));
	let nearLookupCount = 0;
	return {
		find: name => byName.get(nameIdentity(name)) ?? [],
		findNear(name) {
			nearLookupCount++;
			return nearLookupCount > maximumNearLookups ? [] : nearestNames(cleanName(name), records.map(record => record.name));
		},
	};
};
