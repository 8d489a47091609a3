import {addTo, assert, test} from '../helpers/node.ts';
import type {ListChange, Written} from '../../source/service/store/changes.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import {fieldsOf, newAbility, noAgent, paths, startTestService, testOnEach, waitUntil} from './kit.ts';

/* Changes of one account that wait for each other are stored as one: each is answered as if it were alone. */

type Home = {readonly store: Store; readonly accountId: number; readonly abilityIds: readonly number[]};

const quotaBytes = 50_000;

const testEach = (title: string, work: (home: Home) => Promise<void>): void =>
	testOnEach(title, async location => {
		const store = await openStore(location, {quotaBytes});
		try {
			const accountId = await store.accounts.ensure('own');
			const abilityIds: number[] = [];
			for (const ability of ['lamps', 'blinds', 'radio']) {
				const {result} = await store.abilities.add(accountId, newAbility({name: ability}), noAgent);
				abilityIds.push(result);
			}

			await work({store, accountId, abilityIds});
		} finally {
			await store.close();
		}
	});

const installedNow = async ({store, accountId}: Home) => store.installed.list(accountId);

testEach('of changes that wait for each other, one that is refused leaves the others alone', async home => {
	const {store, accountId, abilityIds} = home;
	const [lamps, blinds, radio] = abilityIds;
	const outcomes = await Promise.allSettled([
		store.installed.change(accountId, lamps!, () => ({enabled: false})),
		store.installed.change(accountId, 999_999, () => ({enabled: false})),
		store.installed.change(accountId, blinds!, () => {
			throw new Error('Refused');
		}),
		store.installed.change(accountId, radio!, () => ({enabled: true})),
		store.installed.change(accountId, lamps!, before => ({enabled: before.enabled, trigger_words: ['dim']})),
		store.installed.change(accountId, radio!, () => ({enabled: false})),
	]);
	assert.deepEqual(
		outcomes.map(outcome =>
			outcome.status === 'fulfilled' ? [outcome.value.result.name, outcome.value.result.enabled] : (outcome.reason as Error).message,
		),
		[['lamps', false], 'There is no installed ability with the id 999999.', 'Refused', ['radio', true], ['lamps', false], ['radio', false]],
	);
	const {records} = await installedNow(home);
	assert.deepEqual(fieldsOf(records, 'name', 'enabled', 'trigger_words'), [
		['lamps', false, ['dim']],
		['blinds', true, []],
		['radio', false, []],
	]);
	const last = outcomes.at(-2) as PromiseFulfilledResult<Written<unknown>>;
	assert.deepEqual(last.value.result, records[0], 'what is answered is what is stored');
});

testEach('each of the changes that wait for each other has a version of its own, and those that change nothing have none', async home => {
	const {store, accountId, abilityIds} = home;
	const told: ListChange[] = [];
	const before = await installedNow(home);
	const end = store.watch(addTo(told));
	const written = await Promise.all(
		Array.from({length: 200}, async (_, index) =>
			store.installed.change(accountId, abilityIds[index % 3]!, () => ({enabled: index % 2 === 1})),
		),
	);
	const after = await installedNow(home);
	const formers = new Map(
		written.flatMap(({versions, former}) => (versions.installed === undefined ? [] : [[versions.installed, former.installed]])),
	);
	assert.equal(formers.size, written.filter(({versions}) => versions.installed !== undefined).length, 'no version is given twice');
	assert.ok(formers.size > 100);
	assert.equal(written[1]!.versions.installed, undefined);

	let {version} = after;
	for (let steps = 0; version !== before.version; steps++) {
		assert.ok(steps <= formers.size, 'the changes go in a circle');
		assert.ok(formers.has(version), 'the changes lead from one list to the other');
		version = formers.get(version)!;
	}

	await waitUntil(() => told.at(-1)?.version === after.version);
	assert.ok(told.length < formers.size / 2, 'they are stored together');
	end();
});

testEach('of changes that wait for each other, only those for which there is no room are refused', async home => {
	const {store, accountId, abilityIds} = home;
	const [lamps, blinds, radio] = abilityIds;
	const outcomes = await Promise.allSettled([
		store.installed.change(accountId, lamps!, () => ({enabled: false})),
		store.installed.change(accountId, blinds!, () => ({enabled: false, trigger_words: ['x'.repeat(quotaBytes)]})),
		store.installed.change(accountId, radio!, () => ({enabled: false})),
	]);
	assert.deepEqual(fieldsOf(outcomes, 'status'), ['fulfilled', 'rejected', 'fulfilled']);
	assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /over its limit/);
	const {records} = await installedNow(home);
	assert.deepEqual(fieldsOf(records, 'enabled'), [false, true, false]);
});

test('changes whose length is not said, many at once from one address, are all made', async () => {
	await using service = await startTestService();
	const records = (await service.read(paths.installed, service.key)).slice(0, 10);
	const statuses = await Promise.all(
		records.flatMap(({id}) =>
			[false, true].map(async enabled => {
				const body = new Blob([JSON.stringify({enabled})]).stream();
				const headers = {'x-api-key': service.key, 'content-type': 'application/json'};
				const answer = await fetch(service.baseAddress + paths.editInstalled(id), {method: 'PUT', headers, body, duplex: 'half'});
				return answer.status;
			}),
		),
	);
	assert.deepEqual(new Set(statuses), new Set([200]));
});
