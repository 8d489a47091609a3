import {sharedPostgres, skipWithoutPostgres} from './postgres.ts';
import {temporaryDataFolder} from './temporary-folder.ts';

export type TestedDatabase = {
	readonly name: string;
	/** Why it is not tested here; for `test(…, {skip})`. */
	readonly skip: string | false;
	/** Where a new store can be opened (`openStore`). */
	createLocation(): Promise<string>;
};

/** The databases that a store may be on: what it promises is tested on each. */
export const testedDatabases: readonly TestedDatabase[] = [
	{name: 'SQLite', skip: false, createLocation: async () => temporaryDataFolder()},
	{name: 'PostgreSQL', skip: skipWithoutPostgres, createLocation: async () => (await sharedPostgres()).createDatabase()},
];
