import {test, type TestContext} from 'node:test';
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

/** Tests a behaviour on a new store of each database, of which the title then begins with the name. */
export function testOnEach(title: string, work: (location: string, t: TestContext, database: TestedDatabase) => Promise<void>): void {
	for (const database of testedDatabases) {
		test(`${database.name}: ${title}`, {skip: database.skip}, async t => work(await database.createLocation(), t, database));
	}
}

/** Tests on PostgreSQL what is different there. */
export function testOnPostgres(title: string, work: (location: string, t: TestContext) => Promise<void>): void {
	test(`PostgreSQL: ${title}`, {skip: skipWithoutPostgres}, async t => work(await (await sharedPostgres()).createDatabase(), t));
}
