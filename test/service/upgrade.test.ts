import {assert, type ChildProcess, delay, execFileSync, existsSync, fork, once, path, test, type TestContext} from '../helpers/node.ts';
import {isDatabaseUrl} from '../../source/platform/secret-variables.ts';
import {type RunningServe, startServe} from '../end-to-end/start-serve.ts';
import {earlierHome, earlierHomes} from '../helpers/earlier-homes.ts';
import {buildEarlierProgram, skipWithoutHistory} from '../helpers/earlier-program.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {type Program, runCommand} from '../helpers/run-command.ts';
import {modeOf} from '../helpers/temporary-folder.ts';
import {fieldsOf, followChanges, type JsonRecord, paths, waitUntil} from './kit.ts';

type Started = {readonly baseAddress: string; readonly notes: readonly string[]};

async function start(
	t: TestContext,
	location: string,
	version: 'present' | 'next',
): Promise<{readonly child: ChildProcess; readonly said: unknown}> {
	const child = fork(path.join(import.meta.dirname, 'schema-child.ts'), [location, version]);
	t.after(() => {
		child.kill('SIGKILL');
	});
	const [said] = (await once(child, 'message')) as [unknown];
	return {child, said};
}

async function stop(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	await exited;
}

const headers = {'x-api-key': earlierHome.key};

type Client = {
	readonly record: JsonRecord;
	/** The state after the last change that was acknowledged; `undefined` if nobody knows whether the last one was stored. */
	isEnabled: boolean | undefined;
	acknowledged: number;
	refused: number;
};

/** The installed abilities of an earlier home (`earlier-homes.ts`). */
async function readInstalled(address: string): Promise<readonly JsonRecord[]> {
	return (await fetch(address + paths.installed, {headers})).json() as Promise<readonly JsonRecord[]>;
}

/**
Four clients that each switch an installed ability over and over until the signal, and keep what they were told.

@param upstreams - where they send their requests in turn, as a proxy would: to all addresses that are ready.
*/
async function startLoad(upstreams: {addresses: readonly string[]}, signal: AbortSignal) {
	const installed = await readInstalled(upstreams.addresses[0]!);
	const clients = installed
		.slice(0, 4)
		.map((record): Client => ({record, isEnabled: record['enabled'] === true, acknowledged: 0, refused: 0}));

	const switchOver = async (client: Client): Promise<void> => {
		let next = client.isEnabled !== true;
		for (let count = 0; !signal.aborted; count++) {
			// Leaves the programs that start meanwhile some of the machine.
			await delay(20);
			const address = upstreams.addresses[count % upstreams.addresses.length]!;
			try {
				const answer = await fetch(address + paths.editInstalled(client.record['id']), {
					method: 'PUT',
					headers: {...headers, 'content-type': 'application/json'},
					body: JSON.stringify({enabled: next}),
					signal: AbortSignal.timeout(20_000),
				});
				const body = (await answer.json()) as JsonRecord;
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

	const running = Promise.all(clients.map(async client => switchOver(client)));
	return {
		clients,
		running,
		/** Waits until each client had that many more of its changes acknowledged. */
		async progress(more: number): Promise<void> {
			const before = clients.map(({acknowledged}) => acknowledged);
			await Promise.race([running, waitUntil(() => clients.every(({acknowledged}, index) => acknowledged >= before[index]! + more))]);
		},
		/** Compares the home with what the clients were told; they have ended. */
		async compare(address: string): Promise<void> {
			const after = await readInstalled(address);
			for (const {record, isEnabled} of clients) {
				if (isEnabled !== undefined) {
					assert.equal(after.find(({id}) => id === record['id'])?.['enabled'], isEnabled, String(record['name']));
				}
			}

			assert.deepEqual(fieldsOf(after, 'name'), fieldsOf(installed, 'name'));
		},
	};
}

// The oldest is upgraded from its program below.
for (const {name, skip, createLocation} of earlierHomes.slice(1)) {
	test(`an upgrade to a made-up next version loses nothing under load: ${name}`, {skip}, async t => {
		const location = await createLocation();
		const isShared = isDatabaseUrl(location);
		const old = await start(t, location, 'present');
		const oldAddress = (old.said as Started).baseAddress;
		const upstreams = {addresses: [oldAddress]};
		const ending = new AbortController();
		t.after(() => ending.abort());
		const {clients, running, progress, compare} = await startLoad(upstreams, ending.signal);
		await progress(5);
		// A home of an earlier schema has one from the first start.
		const copy = path.join(location, 'switchboard.db.before-1.1.0');
		const hadCopy = existsSync(copy);
		let next = await start(t, location, 'next');
		if (isShared) {
			await using stream = await followChanges(oldAddress, earlierHome.key);
			await stream.ended;
			assert.deepEqual(
				[
					(await fetch(`${oldAddress}/readyz`)).status,
					(await fetch(oldAddress + paths.installed, {headers: {'x-api-key': earlierHome.key}})).status,
				],
				[503, 200],
			);
			upstreams.addresses = [oldAddress, (next.said as Started).baseAddress];
			await progress(5);
			assert.ok(clients.every(({refused}) => refused > 0));
			upstreams.addresses = [(next.said as Started).baseAddress];
			await stop(old.child);
		} else {
			// It does not pull the schema away from under the one that runs.
			assert.match(
				(next.said as {readonly message: string}).message,
				/is open in another process, so it was not brought from version \d+ to \d+/,
			);
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
		await compare(baseAddress);
		await stop(next.child);
		if (!isShared) {
			assert.equal(modeOf(copy), '600');
		}

		// There is no way back for the earlier version, but by the copy.
		const again = await start(t, location, 'present');
		assert.match((again.said as {readonly message: string}).message, /was written by a newer Switchboard/);
	});
}

for (const {name, skip, isOfEarlierProgram, createLocation} of earlierHomes) {
	if (!isOfEarlierProgram) {
		continue;
	}

	test(`an upgrade from the program before this one, as the help has it, loses nothing under load: ${name}`, {
		skip: skip === false ? skipWithoutHistory : skip,
		// The first builds the earlier program, which may install its packages.
		timeout: 300_000,
	}, async t => {
		const program = buildEarlierProgram();
		const location = await createLocation();
		const isShared = isDatabaseUrl(location);
		const {folder, env} = createIsolatedHome();
		const home = {folder, env: isShared ? {...env, SWITCHBOARD_DATABASE_URL: location} : env};
		const place = isShared ? [] : ['--data', location];
		const run = async (words: readonly string[], used?: Program): Promise<string> => {
			const {exitCode, stdout, stderr} = await runCommand(words, {env: home.env, cwd: home.folder, program: used});
			assert.equal(exitCode, 0, `${words.join(' ')}\n${stderr}`);
			return stdout + stderr;
		};

		const serve = async (used?: Program): Promise<RunningServe> => {
			const service = await startServe(home, ['--port', '0', ...place], used);
			t.after(() => service.kill());
			return service;
		};

		const old = await serve(program);
		const upstreams = {addresses: [old.baseAddress]};
		const ending = new AbortController();
		t.after(() => ending.abort());
		const {clients, running, progress, compare} = await startLoad(upstreams, ending.signal);
		await progress(5);
		if (isShared) {
			execFileSync('pg_dump', ['--dbname', location, '--file', path.join(home.folder, 'home.sql')]);
		} else {
			await run(['backup', 'home.db', ...place], program);
		}

		await run(['check', ...place], program);
		assert.match(await run(['migrate', '--dry-run', ...place]), /version/);
		await progress(5);
		await old[Symbol.asyncDispose]();
		const next = await serve();
		// A second one, where the database is one that several share.
		const others = isShared ? [await serve()] : [];
		upstreams.addresses = [next, ...others].map(({baseAddress}) => baseAddress);
		await progress(5);
		await run(['check', ...place]);
		ending.abort();
		await running;
		assert.ok(clients.every(({refused}) => refused === 0));
		await compare(next.baseAddress);
	});
}
