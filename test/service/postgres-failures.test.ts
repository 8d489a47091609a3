import {assert, assertNone, delay, net, once, test, type TestContext} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store} from '../../source/service/store/store.ts';
import {type PostgresServer, skipWithoutPostgres as skip, startPostgres} from '../helpers/postgres.ts';
import {named, newAbility, noAgent, paths, readEntries, startTestService, waitUntil} from './kit.ts';

let own: Promise<PostgresServer> | undefined;

/** The server of this file, which stops it. */
async function ownPostgres(): Promise<PostgresServer> {
	own ??= startPostgres();
	return own;
}

type Home = {readonly store: Store; readonly accountId: number; readonly abilityId: number};

async function openHome(url: string): Promise<Home> {
	const store = await openStore(url);
	const accountId = await store.accounts.ensure('home');
	const {result: abilityId} = await store.abilities.add(accountId, newAbility(), noAgent);
	return {store, accountId, abilityId};
}

const addPhrase = async ({store, accountId, abilityId}: Home, phrase: string): Promise<unknown> =>
	store.installed.change(accountId, abilityId, ({trigger_words}) => ({enabled: true, trigger_words: [...trigger_words, phrase]}));

const phrasesOf = async ({store, accountId, abilityId}: Home): Promise<readonly string[]> =>
	(await store.installed.get(accountId, abilityId)).trigger_words;

test('while the database is restarted reads wait for it, and a change is stored once, refused or of unknown outcome', {skip}, async () => {
	const server = await ownPostgres();
	const home = await openHome(await server.createDatabase());
	const progress = {isOver: false, reads: 0};
	const stored: string[] = [];
	const unknown: string[] = [];
	const refused: string[] = [];
	const impatient: unknown[] = [];
	const read = async (): Promise<void> => {
		while (!progress.isOver) {
			try {
				const phrases = await phrasesOf(home);
				assert.equal(new Set(phrases).size, phrases.length);
				await home.store.agents.list(home.accountId);
				progress.reads++;
				await delay(5);
			} catch (error) {
				impatient.push(error);
			}
		}
	};

	const write = async (): Promise<void> => {
		for (let turn = 0; !progress.isOver || turn < 5; turn++) {
			const phrase = `phrase ${turn}`;
			try {
				await addPhrase(home, phrase);
				stored.push(phrase);
				await delay(5);
			} catch (error) {
				const {trouble} = error as {readonly trouble?: string};
				assert.ok(trouble === 'unreachable' || trouble === 'unknown-outcome', String(error));
				(trouble === 'unreachable' ? refused : unknown).push(phrase);
			}
		}
	};

	const working = Promise.all([read(), read(), read(), write()]);
	for (const restart of [
		async () => server.restart(),
		async () => {
			await server.kill();
			await server.start();
		},
	]) {
		const before = [progress.reads, stored.length, impatient.length] as const;
		const start = performance.now();
		await restart();
		// On a machine that is very busy it may be away for longer than they wait.
		assert.deepEqual(performance.now() - start < 3000 ? impatient.slice(before[2]) : [], []);
		await waitUntil(() => progress.reads > before[0] + 20 && stored.length > before[1] + 20);
	}

	progress.isOver = true;
	await working;
	const phrases = await phrasesOf(home);
	assertNone(stored, phrase => !phrases.includes(phrase));
	assertNone(phrases, phrase => refused.includes(phrase));
	assertNone(phrases, phrase => !stored.includes(phrase) && !unknown.includes(phrase));
	assert.equal(new Set(phrases).size, phrases.length);
	await home.store.close();
});

test('a timer that is due while the database is away is done once it is back, and the trouble is told once', {skip}, async () => {
	const server = await ownPostgres();
	await using service = await startTestService({location: await server.createDatabase()});
	const {id} = named(await service.read(paths.installed), 'nightwatch');
	assert.equal((await service.ask('PUT', `/timers/${String(id)}/`, {body: {enabled: true, for: 1}})).status, 200);
	await server.stop();
	await waitUntil(() => service.told.length > 0);
	await server.start();
	await waitUntil(async () => named(await service.read(paths.installed), 'nightwatch')['enabled'] === true);
	assert.equal(service.told.length, 1, service.told.join('\n'));
	const [fired, ...others] = (await readEntries(service)).filter(({via}) => via === 'timer');
	assert.deepEqual([fired?.field, others], ['enabled', []]);
});

test('connections that the server ends are replaced, the idle and the busy ones', {skip}, async () => {
	const server = await ownPostgres();
	const url = await server.createDatabase();
	const home = await openHome(url);
	const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and application_name = 'switchboard'`;
	await server.administer(end);
	assert.deepEqual(await phrasesOf(home), []);
	const changes = Promise.all(
		Array.from({length: 50}, async (_, index) =>
			addPhrase(home, `phrase ${index}`)
				.then(() => true)
				.catch(() => false),
		),
	);
	await server.administer(end);
	const phrases = (await changes).flatMap((isStored, index) => (isStored ? [`phrase ${index}`] : []));
	const found = await phrasesOf(home);
	assertNone(phrases, phrase => !found.includes(phrase));
	assert.equal(new Set(found).size, found.length);
	await home.store.close();
});

test('a database that is away is named as the reason, and is used again when it is back', {skip}, async () => {
	const server = await ownPostgres();
	const url = await server.createDatabase();
	const home = await openHome(url);
	await home.store.ready();
	await server.stop();
	try {
		const refused = {
			name: 'SwitchboardError',
			kind: 'unreachable',
			trouble: 'unreachable',
			message: /^The database postgres:\/\/switchboard@127\.0\.0\.1:\d+\/test_\w+ cannot be used: /,
		};
		await assert.rejects(home.store.ready(), refused);
		const start = performance.now();
		await Promise.all([
			assert.rejects(phrasesOf(home), refused),
			assert.rejects(addPhrase(home, 'refused'), refused),
			assert.rejects(openStore(url), refused),
			// Those that wait behind one do not wait for as long once more.
			...Array.from({length: 20}, async () => assert.rejects(home.store.installed.add(home.accountId, home.abilityId), refused)),
		]);
		assert.ok(performance.now() - start < 30_000);
	} finally {
		await server.start();
	}

	await home.store.ready();
	await addPhrase(home, 'stored');
	assert.deepEqual(await phrasesOf(home), ['stored']);
	await home.store.close();
});

test('a server that cannot be reached is named by the host, port or socket that did not answer', async t => {
	const server = net.createServer(socket => {
		socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
	});
	t.after(() => {
		server.close();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as net.AddressInfo;
	const closed = net.createServer().listen(0, '127.0.0.1');
	await once(closed, 'listening');
	const {port: free} = closed.address() as net.AddressInfo;
	closed.close();
	await Promise.all(
		Object.entries({
			[`127.0.0.1:${free}`]: `nothing listens on port ${free} of 127.0.0.1`,
			[`localhost:${free}`]: `nothing listens on port ${free} of (?:127.0.0.1|::1)`,
			'%2Fnosuch': 'there is no socket /nosuch/.s.PGSQL.5432',
			[`127.0.0.1:${port}`]: 'the connection was closed',
		}).map(async ([place, reason]) =>
			assert.rejects(openStore(`postgres://op:secret@${place}/home`), {
				message: new RegExp(`^The database postgres://op@${place}/home cannot be used: ${reason}.$`),
				nextStep: 'Check its host and port, and that PostgreSQL runs there.',
			}),
		),
	);
});

test('a server that answers, but takes no connection, is not looked for at another port', {skip}, async () => {
	const server = await ownPostgres();
	const url = await server.createDatabase();
	const name = new URL(url).pathname.slice(1);
	for (const [setting, reason] of [
		[`alter database ${name} connection limit 0`, /cannot be used: too many connections for database "\w+"\.$/],
		[`alter database ${name} allow_connections false`, /cannot be used: database "\w+" is not currently accepting connections\.$/],
	] as const) {
		await server.administer(setting);
		await assert.rejects(openStore(url), {
			kind: 'unreachable',
			message: reason,
			nextStep: 'Try again in a moment; the log of the server may say more.',
		});
	}
});

test('clients are told with 503 that nothing was changed, or that it may have been', {skip}, async t => {
	const server = await ownPostgres();
	const relay = await startCuttingRelay(t, await server.createDatabase());
	await using service = await startTestService({location: relay.url});
	const [row] = await service.read(paths.installed);
	const change = async (enabled: boolean) => {
		const {status, headers, json} = await service.ask('PUT', paths.editInstalled(row!['id']), {body: {enabled}});
		return [status, headers.get('retry-after'), json];
	};

	// The service has other transactions meanwhile.
	relay.cutAtCommit('after', 'insert into history');
	assert.deepEqual(await change(row!['enabled'] !== true), [
		503,
		'1',
		{
			detail:
				'The connection to its database was lost while it stored this, so the change may or may not have been made. Look before you try again.',
		},
	]);
	assert.equal((await service.read(paths.installed))[0]!['enabled'], row!['enabled'] !== true);

	await server.stop();
	try {
		const away = [
			503,
			'1',
			{detail: 'Its database cannot be used now, so nothing was changed. Try again in a moment.', code: 'nothing-changed'},
		];
		const list = service.ask('GET', paths.installed);
		assert.deepEqual(await change(true), away);
		assert.equal((await list).status, 503);
	} finally {
		await server.start();
	}

	assert.equal((await change(true))[0], 200);
});

/** Between a store and its database; cuts the line at a commit when it is told to: of any transaction, or of the next with these words in it. */
async function startCuttingRelay(t: TestContext, url: string) {
	const sockets = new Set<net.Socket>();
	let wanted: {readonly when: 'before' | 'after'; readonly words: string} | undefined;
	const relay = net.createServer(client => {
		const server = net.connect(Number(new URL(url).port), '127.0.0.1');
		let isCut = false;
		// What is wanted, once its words were seen here: words from before it was asked for do not count.
		let seen: typeof wanted;
		for (const socket of [client, server]) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				client.destroy();
				server.destroy();
			});
		}

		client.on('data', chunk => {
			if (wanted && chunk.includes(wanted.words)) {
				seen = wanted;
			}

			if (!chunk.includes('commit\0')) {
				server.write(chunk);
				return;
			}

			isCut = wanted !== undefined && seen === wanted;
			if (isCut && wanted?.when === 'before') {
				client.destroy();
			} else {
				server.write(chunk);
			}

			wanted = isCut ? undefined : wanted;
			seen = undefined;
		});
		server.on('data', chunk => {
			if (isCut) {
				client.destroy();
			} else {
				client.write(chunk);
			}
		});
	});
	await once(relay.listen(0, '127.0.0.1'), 'listening');
	t.after(async () => {
		for (const socket of sockets) {
			socket.destroy();
		}

		relay.close();
		await once(relay, 'close');
	});
	const through = new URL(url);
	through.port = String((relay.address() as net.AddressInfo).port);
	return {
		url: through.href,
		cutAtCommit(when: 'before' | 'after', words = '') {
			wanted = {when, words};
		},
	};
}

test('a change whose commit is not answered has an unknown outcome, and is not made twice', {skip}, async t => {
	const server = await ownPostgres();
	const relay = await startCuttingRelay(t, await server.createDatabase());
	const home = await openHome(relay.url);
	for (const [when, phrases] of [
		['before', []],
		['after', ['after']],
	] as const) {
		relay.cutAtCommit(when);
		await assert.rejects(addPhrase(home, when), {
			trouble: 'unknown-outcome',
			isOutcomeUnknown: true,
			message: /^The connection to the database .* was lost while a change was stored, so it may or may not be there/,
		});
		assert.deepEqual(await phrasesOf(home), phrases);
	}

	relay.cutAtCommit('before');
	// A read may be done again, whatever became of it.
	assert.equal((await home.store.agents.list(home.accountId)).records.length, 1);
	await home.store.close();
});

test('a store that is closed finishes what is under way', {skip}, async () => {
	const server = await ownPostgres();
	const url = await server.createDatabase();
	const home = await openHome(url);
	const changes = Promise.all(Array.from({length: 30}, async (_, index) => addPhrase(home, `phrase ${index}`)));
	await home.store.close();
	await changes;
	const again = await openStore(url);
	assert.equal((await phrasesOf({...home, store: again})).length, 30);
	await again.close();
	const connections = `select * from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`;
	await waitUntil(async () => (await server.administer(connections)).length === 0);
});
