import {assert, delay, path} from '../helpers/node.ts';
import type {HistoryEntry} from '../../source/interface/history.ts';
import {createKillable} from '../fuzz/service/killable.ts';
import {createRandom} from '../helpers/terminal/random.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {fieldsOf, type JsonRecord, paths, testOnEach, waitUntil} from './kit.ts';

const apiKey = 'sb_load';

type Timers = {readonly timers: readonly JsonRecord[]};

testOnEach('of two services that are killed around the time of timers, each timer is done once, and noted once', async location => {
	const random = createRandom(11);
	const servers = [0, 1].map(() => createKillable(path.join(import.meta.dirname, 'serve-child.ts'), [location, apiKey]));
	const ask = async <Body>(address: string, method = 'GET', body?: object): Promise<Body> => {
		const response = await fetch(servers[0]!.greeting + address, {
			method,
			headers: {'x-api-key': apiKey, ...(body !== undefined && {'content-type': 'application/json'})},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
		assert.equal(response.status, 200, `${method} ${address}`);
		return (await response.json()) as Body;
	};

	/** The entries of timers that were done, the newest first. */
	const readDone = async (): Promise<readonly string[]> => {
		const {entries} = await ask<{readonly entries: readonly HistoryEntry[]}>('/history?limit=1000');
		return entries.filter(({via}) => via === 'timer').map(({record, field, to}) => `${record} ${field} ${JSON.stringify(to)}`);
	};

	try {
		for (const server of servers) {
			await server.start();
		}

		for (let round = 0; round < 5; round++) {
			const records = await ask<readonly JsonRecord[]>(paths.installed);
			const countBefore = (await readDone()).length;
			const first = Date.now() + 1500;
			const wanted = new Map(records.map(({id, enabled}) => [id, enabled !== true]));
			for (const [index, [id, enabled]] of [...wanted].entries()) {
				await ask(`/timers/${String(id)}/`, 'PUT', {enabled, at: new Date(first + index * 4).toISOString()});
			}

			// At any moment between the first transaction and the last.
			await delay(first - Date.now() + random(records.length * 5));
			const victims = round % 3 === 0 ? servers : [servers[random(2)]!];
			await Promise.all(victims.map(async server => server.kill()));
			for (const server of victims) {
				await server.start();
			}

			await waitUntil(async () => (await ask<Timers>('/timers')).timers.length === 0);
			const done = await readDone();
			assert.deepEqual(
				done.slice(0, done.length - countBefore).toSorted(),
				[...wanted].map(([id, enabled]) => `${String(id)} enabled ${enabled}`).toSorted(),
			);
			const after = await ask<readonly JsonRecord[]>(paths.installed);
			assert.deepEqual(fieldsOf(after, 'id', 'enabled'), [...wanted]);
		}
	} finally {
		await Promise.all(servers.map(async server => server.kill()));
	}

	assert.deepEqual((await checkStore(location)).findings, []);
});
