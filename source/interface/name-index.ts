import {foldName} from './fold-name.ts';
import {cleanName} from './records.ts';

/** Records by name, in any case (`CONTRACT.md`, Commands). */
export type NameIndex<Record_> = {
	readonly find: (name: string) => readonly Record_[];
	/** The records that a name which is not found may mean: it is a part of theirs. */
	readonly findNear: (name: string) => readonly Record_[];
};

/** The same text for two names that count as one, as they are shown. */
export const nameIdentity = (name: string): string => foldName(cleanName(name));

/** @param records - with their names as they are shown. */
export const indexNames = <Record_ extends {readonly name: string}>(records: readonly Record_[]): NameIndex<Record_> => {
	const byName = Map.groupBy(records, ({name}) => foldName(name));
	return {
		find: name => byName.get(nameIdentity(name)) ?? [],
		findNear(name) {
			const wanted = nameIdentity(name);
			return wanted.length > 1 ? records.filter(record => foldName(record.name).includes(wanted)) : [];
		},
	};
};
