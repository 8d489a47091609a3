import assert from 'node:assert/strict';
import process from 'node:process';
import {test} from 'node:test';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {type NewAbility} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {type ListChange, type Store} from '../../source/service/store/store.ts';
import {sharedPostgres, skipWithoutPostgres as skip} from '../helpers/postgres.ts';
import {waitUntil} from '../helpers/wait-until.ts';

const lamps: NewAbility = {
	name: 'lamps',
	category: 'skill',
	description: '',
	triggerPhrases: [],
	files: [{path: 'main.py', bytes: new Uint8Array(1)}],
	installedAs: true,
	changedAt: new Date('2026-01-02T03:04:05Z'),
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What a collection leaves. */
const heldBytes = (): number => {
	collect();
	return process.memoryUsage().heapUsed;
};

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** Waits until a store listens, and knows what there is. */
const waitForListening = async (url: string): Promise<void> => {
	const {administer} = await sharedPostgres();
	await waitUntil(async () => {
		const rows = await administer(`select 1 from pg_stat_activity where datname = '${databaseOf(url)}' and state = 'idle' and query ilike 'listen%'`);
		return rows.length > 0;
	});
};

const toggle = async (store: Store, accountId: number, id: number) => (await store.installed.change(accountId, id, ({enabled}) => ({enabled: !enabled}))).versions;

test('a watcher is told once of each change by any process, and of nothing once it has stopped', {skip}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	const [here, there] = [await openStore(url), await openStore(url)];
	const accountId = await here.accounts.ensure('home');
	const {result: id} = await here.abilities.add(accountId, lamps, () => undefined);
	const told: ListChange[] = [];
	const unwatch = here.watch(change => {
		told.push(change);
	});
	await waitForListening(url);
	const {installed} = await toggle(here, accountId, id);
	assert.deepEqual(told, [{accountId, list: 'installed', version: installed}]);

	const {versions} = await there.installed.remove(accountId, id);
	await waitUntil(() => told.length >= 3);
	assert.deepEqual(told.slice(1).toSorted((a, b) => a.list.localeCompare(b.list)), [
		{accountId, list: 'abilities', version: versions.abilities},
		{accountId, list: 'installed', version: versions.installed},
	]);
	// Each notice has come by now, as one of a later change has.
	const other = await there.accounts.ensure('other');
	await there.abilities.add(other, lamps, () => undefined);
	await waitUntil(() => told.some(change => change.accountId === other));
	assert.equal(told.filter(change => change.accountId === accountId).length, 3);

	unwatch();
	const count = told.length;
	await there.installed.add(accountId, id);
	await here.installed.list(accountId);
	assert.equal(told.length, count);
	await Promise.all([here.close(), there.close()]);
});

test('a change whose notice is lost is told all the same, and so is one while the connection was lost', {skip}, async () => {
	const server = await sharedPostgres();
	const url = await server.createDatabase();
	const store = await openStore(url);
	const accountId = await store.accounts.ensure('home');
	const told: string[] = [];
	store.watch(({version}) => {
		told.push(version);
	});
	await waitForListening(url);
	// As a process that was killed between its commit and its notice.
	await server.administer('update switchboard.accounts set agents_version = \'lost\'', url);
	await waitUntil(() => told.includes('lost'));

	await server.administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseOf(url)}'`);
	await server.administer('update switchboard.accounts set agents_version = \'missed\'', url);
	await waitUntil(() => told.includes('missed'));
	await waitForListening(url);
	await server.administer(`select pg_notify('switchboard', '["another", ${accountId}, "abc123", "", ""]'), pg_notify('switchboard', 'no notice')`, url);
	await waitUntil(() => told.includes('abc123'));
	await store.close();
});

test('a flood of forged notices is neither told nor kept, and a true one in it is told', {skip}, async () => {
	const server = await sharedPostgres();
	const url = await server.createDatabase();
	const store = await openStore(url);
	const accountId = await store.accounts.ensure('home');
	const told: ListChange[] = [];
	store.watch(change => {
		told.push(change);
	});
	await waitForListening(url);
	// The first comparison is over when a later one tells.
	await server.administer('update switchboard.accounts set agents_version = \'compared\'', url);
	await waitUntil(() => told.length > 0);
	const before = heldBytes();
	await server.administer(`
		select pg_notify('switchboard', format('["another", %s, "%s", "%s", "%s"]', 1000000 + number, md5(number::text), md5('a' || number), md5('b' || number)))
		from generate_series(1, 200000) as number;
		select pg_notify('switchboard', format('["%s%s", ${accountId}, "f00d", "", ""]', repeat('x', 7000), number)) from generate_series(1, 1000) as number;
		select pg_notify('switchboard', '["another", ${accountId}, "abc123", "", ""]')`, url);
	await waitUntil(() => told.some(({version}) => version === 'abc123'));
	assert.deepEqual(told.slice(0, 5).map(({version}) => version), ['compared', 'abc123']);
	const grown = heldBytes() - before;
	assert.ok(grown < 10_000_000, `${grown} bytes more are held`);
	await store.close();
});
