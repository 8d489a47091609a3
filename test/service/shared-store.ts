import {type after, test} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {type TestedDatabase, testedDatabases} from '../helpers/databases.ts';
import {noAgent} from '../helpers/new-ability.ts';
import type {Store} from '../../source/service/store/store.ts';

let count = 0;

/**
Tests on one store of each database, which all tests of a file share, with two new accounts for each test.

@param hooks - those of the file, after which the stores are closed.
@param ability - what the first account has; the other has its agent alone.
*/
export function testsOnShared(hooks: {readonly after: typeof after}, ability: Parameters<Store['abilities']['add']>[1]) {
	const opened = new Map<TestedDatabase, Promise<{readonly location: string; readonly store: Store}>>();
	const open = async (database: TestedDatabase) => {
		const location = await database.createLocation();
		return {location, store: await openStore(location)};
	};

	hooks.after(async () => {
		for (const {store} of await Promise.all(opened.values())) {
			await store.close();
		}
	});
	const openHome = async (database: TestedDatabase) => {
		const shared = opened.get(database) ?? open(database);
		opened.set(database, shared);
		const {location, store} = await shared;
		count++;
		const [ownName, otherName] = [`own ${count}`, `other ${count}`];
		const own = await store.accounts.ensure(ownName);
		const {result: abilityId} = await store.abilities.add(own, ability, noAgent);
		return {location, store, own, ownName, abilityId, other: await store.accounts.ensure(otherName), otherName};
	};

	return (title: string, work: (home: Awaited<ReturnType<typeof openHome>>) => Promise<void>): void => {
		for (const database of testedDatabases) {
			test(`${database.name}: ${title}`, {skip: database.skip}, async () => work(await openHome(database)));
		}
	};
}

export type SharedHome = Parameters<Parameters<ReturnType<typeof testsOnShared>>[1]>[0];
