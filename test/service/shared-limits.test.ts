import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sharedPostgres, skipWithoutPostgres as skip} from '../helpers/postgres.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {paths, startTestService, type TestService} from './running-service.ts';

/* Three services on one database, between which clients are spread as by a load balancer. */

/** As many as three services accept from one address. */
const connectionCount = 48;

type Services = AsyncDisposable & {
	readonly all: readonly TestService[];
	readonly key: string;
	/** Statuses of requests that are sent to each in turn. */
	ask(count: number, key: string, isAtOnce: boolean): Promise<readonly number[]>;
};

const startThree = async (requestsPerMinute?: number): Promise<Services> => {
	const location = await (await sharedPostgres()).createDatabase();
	const all: TestService[] = [];
	for (let count = 0; count < 3; count++) {
		all.push(await startTestService({location, requestsPerMinute}));
	}

	return {
		all,
		key: all[0]!.key,
		async ask(count, key, isAtOnce) {
			const statuses: number[] = [];
			const askOne = async (index: number): Promise<void> => {
				const {status, headers} = await all[index % 3]!.ask('GET', paths.agents, {key});
				statuses.push(status);
				assert.match(headers.get('retry-after') ?? '', status === 429 ? /^(?:[1-9]|[1-5]\d|60)$/ : /^$/);
			};

			let next = 0;
			const askInTurn = async (): Promise<void> => {
				while (next < count) {
					await askOne(next++);
				}
			};

			await Promise.all(Array.from({length: isAtOnce ? connectionCount : 1}, askInTurn));
			return statuses;
		},
		async [Symbol.asyncDispose]() {
			await Promise.all(all.map(async service => service.close()));
		},
	};
};

const numberOf = (status: number, statuses: readonly number[]): number => statuses.filter(each => each === status).length;

const assertWithinTenPercent = (count: number, limit: number): void => {
	const text = `${count} were let through where ${limit} are allowed`;
	assert.ok(count >= limit * 0.9, text);
	assert.ok(count <= limit * 1.1, text);
};

test('a key that is used at three services at once gets through as often as at one', {skip}, async () => {
	await using services = await startThree(300);
	const other = await services.all[0]!.createKey('other');
	// Opens their connections to the database: a first exchange that has to wait for them may count as a database that is away.
	await services.ask(48, other, true);
	const statuses = [...await services.ask(360, services.key, true)];
	assert.deepEqual(new Set(statuses), new Set([200, 429]));
	assertWithinTenPercent(numberOf(200, statuses), 300);
	// Once they have told each other, all of them refuse it; until then no more than a tenth passes.
	await waitUntil(async () => {
		const more = await services.ask(3, services.key, true);
		statuses.push(...more);
		return numberOf(429, more) === 3;
	});
	assertWithinTenPercent(numberOf(200, statuses), 300);
	assert.deepEqual(await services.ask(3, other, true), [200, 200, 200]);
});

test('a key that is used steadily, at one service after the other, gets through as often as at one', {skip}, async () => {
	await using services = await startThree(60);
	const statuses = await services.ask(80, services.key, false);
	assert.deepEqual(new Set(statuses), new Set([200, 429]));
	assertWithinTenPercent(numberOf(200, statuses), 60);
});

test('a key that has used most of its requests at one service gets the rest at the others', {skip}, async () => {
	await using services = await startThree(100);
	const [first, ...others] = services.all as [TestService, ...TestService[]];
	const statuses = [];
	for (let count = 0; count < 90; count++) {
		statuses.push((await first.ask('GET', paths.agents)).status);
	}

	assert.equal(numberOf(200, statuses), 90);
	const rest = await Promise.all(Array.from({length: 40}, async (_, index) => others[index % 2]!.ask('GET', paths.agents, {key: first.key})));
	assertWithinTenPercent(90 + numberOf(200, rest.map(({status}) => status)), 100);
});

for (const isAtOnce of [true, false]) {
	test(`wrong keys from one address to three services count together, ${isAtOnce ? 'all at once' : 'one after the other'}; right ones always pass`, {skip}, async () => {
		await using services = await startThree();
		const statuses = await services.ask(48, 'sb_wrong', isAtOnce);
		assert.deepEqual(new Set(statuses), new Set([401, 429]));
		assertWithinTenPercent(numberOf(401, statuses), 30);
		assert.deepEqual(await services.ask(6, services.key, true), Array.from({length: 6}, () => 200));
	});
}
