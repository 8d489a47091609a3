import type {after} from 'node:test';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import type {TestedDatabase} from '../helpers/databases.ts';

export type SharedStore = {readonly location: string; readonly store: Store};

/**
Opens one store on each database for all tests of a file.

@param hooks - those of the file, after which the stores are closed.
*/
export function shareStores(hooks: {readonly after: typeof after}): (database: TestedDatabase) => Promise<SharedStore> {
	const opened = new Map<TestedDatabase, Promise<SharedStore>>();
	const open = async (database: TestedDatabase): Promise<SharedStore> => {
		const location = await database.createLocation();
		return {location, store: await openStore(location)};
	};

	hooks.after(async () => {
		for (const {store} of await Promise.all(opened.values())) {
			await store.close();
		}
	});
	return async database => {
		const shared = opened.get(database) ?? open(database);
		opened.set(database, shared);
		return shared;
	};
}

let count = 0;

/** Returns names that no other test of the file uses. */
export function newAccountNames(): {readonly ownName: string; readonly otherName: string} {
	count++;
	return {ownName: `own ${count}`, otherName: `other ${count}`};
}
