import {after} from 'node:test';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import type {TestedDatabase} from '../helpers/databases.ts';

export type SharedStore = {readonly location: string; readonly store: Store};

const opened = new Map<TestedDatabase, Promise<SharedStore>>();

after(async () => {
	for (const {store} of await Promise.all(opened.values())) {
		await store.close();
	}
});

/** Opens one store on a database for all tests of a file. */
export async function openSharedStore(database: TestedDatabase): Promise<SharedStore> {
	const open = async (): Promise<SharedStore> => {
		const location = await database.createLocation();
		return {location, store: await openStore(location)};
	};

	const shared = opened.get(database) ?? open();
	opened.set(database, shared);
	return shared;
}

let count = 0;

/** Returns names that no other test of the file uses. */
export function newAccountNames(): {readonly ownName: string; readonly otherName: string} {
	count++;
	return {ownName: `own ${count}`, otherName: `other ${count}`};
}
