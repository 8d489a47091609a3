import assert from 'node:assert/strict';
import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {setTimeout as delay} from 'node:timers/promises';
import {isDatabaseUrl} from '../../source/platform/database-url.ts';
import {followChanges} from '../helpers/follow-changes.ts';
import {earlierHome, earlierHomes} from '../helpers/earlier-homes.ts';
import {modeOf} from '../helpers/temporary-folder.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {paths, type JsonRecord} from './running-service.ts';

type Started = {readonly baseAddress: string; readonly notes: readonly string[]};

const start = async (t: TestContext, location: string, version: 'present' | 'next'): Promise<{readonly child: ChildProcess; readonly said: unknown}> => {
	const child = fork(path.join(import.meta.dirname, 'schema-child.ts'), [location, version]);
	t.after(() => {
		child.kill('SIGKILL');
	});
	const [said] = await once(child, 'message');
	return {child, said};
};

const stop = async (child: ChildProcess): Promise<void> => {
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	await exited;
};

const headers = {'x-api-key': earlierHome.key};

/** Where clients send their requests, as a proxy would: all that are ready, in turn. */
type Upstreams = {addresses: readonly string[]};

type Client = {
	/** What the last change that was acknowledged left; `undefined` if nobody knows whether the last one was stored. */
	isEnabled: boolean | undefined;
	acknowledged: number;
	refused: number;
};

/** Switches an installed ability over and over until the signal, and keeps what it was told. */
const load = async (upstreams: Upstreams, {id, enabled}: JsonRecord, client: Client, signal: AbortSignal): Promise<void> => {
	let next = enabled !== true;
	for (let count = 0; !signal.aborted; count++) {
		const address = upstreams.addresses[count % upstreams.addresses.length];
		try {
			const answer = await fetch(address + paths.editInstalled(id), {
				method: 'PUT', headers: {...headers, 'content-type': 'application/json'}, body: JSON.stringify({enabled: next}), signal: AbortSignal.timeout(20_000),
			});
			const body = await answer.json() as JsonRecord;
			if (answer.status === 200) {
				client.isEnabled = next;
				client.acknowledged++;
				next = !next;
			} else {
				assert.deepEqual([answer.status, body['code']], [503, 'nothing-changed'], JSON.stringify(body));
				client.refused++;
			}
		} catch (error) {
			if (error instanceof assert.AssertionError) {
				throw error;
			}

			// No answer: it may have been stored. The same again settles it.
			client.isEnabled = undefined;
			await delay(5);
		}
	}
};

for (const {name, skip, createLocation} of earlierHomes) {
	test(`an upgrade as the help has it loses nothing under load: ${name}`, {skip}, async t => {
		const location = await createLocation();
		const isShared = isDatabaseUrl(location);
		const old = await start(t, location, 'present');
		const oldAddress = (old.said as Started).baseAddress;
		const upstreams: Upstreams = {addresses: [oldAddress]};
		const installed = await (await fetch(oldAddress + paths.installed, {headers})).json() as readonly JsonRecord[];
		const ending = new AbortController();
		t.after(() => {
			ending.abort();
		});
		const clients = installed.slice(0, 4).map((record): Client & {readonly record: JsonRecord} => ({
			record, isEnabled: record['enabled'] === true, acknowledged: 0, refused: 0,
		}));
		const loads = clients.map(async client => load(upstreams, client.record, client, ending.signal));
		const running = Promise.all(loads);
		const progress = async (more: number): Promise<void> => {
			const before = clients.map(({acknowledged}) => acknowledged);
			await Promise.race([running, waitUntil(() => clients.every(({acknowledged}, index) => acknowledged >= before[index]! + more))]);
		};

		await progress(5);
		// A home of an earlier schema has one from the first start.
		const copy = path.join(location, 'switchboard.db.before-1.0.0');
		const hadCopy = existsSync(copy);
		let next = await start(t, location, 'next');
		if (isShared) {
			await using stream = await followChanges(oldAddress, earlierHome.key);
			await stream.ended;
			assert.deepEqual([(await fetch(`${oldAddress}/readyz`)).status, (await fetch(oldAddress + paths.installed, {headers})).status], [503, 200]);
			upstreams.addresses = [oldAddress, (next.said as Started).baseAddress];
			await progress(5);
			assert.ok(clients.every(({refused}) => refused > 0));
			upstreams.addresses = [(next.said as Started).baseAddress];
			await stop(old.child);
		} else {
			// It does not pull the schema away from under the one that runs.
			assert.match((next.said as {readonly message: string}).message, /is open in another process, so it was not brought from version \d+ to \d+/);
			assert.equal(existsSync(copy), hadCopy);
			await progress(5);
			assert.ok(clients.every(({refused}) => refused === 0));
			await stop(old.child);
			next = await start(t, location, 'next');
			upstreams.addresses = [(next.said as Started).baseAddress];
		}

		await progress(5);
		ending.abort();
		await running;
		const {baseAddress, notes} = next.said as Started;
		assert.match(notes[0]!, /^Brought the database in .* from version \d+ to \d+\./);
		const after = await (await fetch(baseAddress + paths.installed, {headers})).json() as readonly JsonRecord[];
		for (const {record, isEnabled} of clients) {
			if (isEnabled !== undefined) {
				assert.equal(after.find(({id}) => id === record['id'])?.['enabled'], isEnabled, String(record['name']));
			}
		}

		assert.deepEqual(after.map(each => each['name']), installed.map(each => each['name']));
		await stop(next.child);
		if (!isShared) {
			assert.equal(modeOf(copy), '600');
		}

		// There is no way back for the earlier version, but by the copy.
		const again = await start(t, location, 'present');
		assert.match((again.said as {readonly message: string}).message, /was written by a newer Switchboard/);
	});
}
