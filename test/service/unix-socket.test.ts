import {assert, type IncomingMessage, once, path, process, request, suite, test, type TestContext} from '../helpers/node.ts';
import {chownSync, lstatSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {createFindCaller} from '../../source/service/callers.ts';
import {createApp} from '../../source/service/http/app.ts';
import {startService, type ServiceOptions} from '../../source/service/service.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {appParts, paths, temporaryDataFolder} from './kit.ts';

const ask = async (socketPath: string, key: string, sender = '192.0.2.7'): Promise<number | undefined> => {
	const sent = request({socketPath, path: paths.agents, headers: {'x-api-key': key, 'x-forwarded-for': sender}, agent: false});
	sent.end();
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	answer.resume();
	return answer.statusCode;
};

test('the other end of a Unix socket has no address: it is served, and all wrong keys from there count as from one', {
	skip: process.platform === 'win32',
}, async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	await store.accounts.ensure('default');
	const app = await createApp({
		...appParts,
		store,
		findCaller: createFindCaller(store.accounts, 'sb_unix'),
		requestsPerMinute: 1000,
		trustedProxies: ['10.0.0.1'],
	});
	const socketPath = path.join(dataFolder, 'socket');
	await app.listen({path: socketPath});
	try {
		const statuses = await Promise.all(Array.from({length: 40}, async () => ask(socketPath, 'sb_wrong')));
		assert.deepEqual(
			statuses.toSorted((one, other) => one! - other!),
			[...Array.from({length: 30}, () => 401), ...Array.from({length: 10}, () => 429)],
		);
		assert.equal(await ask(socketPath, 'sb_unix'), 200);
	} finally {
		await app.close();
		await store.close();
	}
});

suite('a service on a Unix socket', {skip: process.platform === 'win32'}, () => {
	/** The path of a socket may be 107 bytes long: a folder in that of the tests may be too deep. */
	const createSocketPath = (t: TestContext): string => {
		const folder = mkdtempSync(path.join(tmpdir(), 'sb-'));
		t.after(() => {
			rmSync(folder, {recursive: true});
		});
		return path.join(folder, 'socket');
	};

	const start = async (socketPath: string, options: Partial<ServiceOptions> = {}) =>
		startService({location: temporaryDataFolder(), ephemeralKey: 'sb_unix', socket: {socketPath}, ...options});

	test('counts the wrong keys of the senders that a proxy names, if it is trusted', async t => {
		const socketPath = createSocketPath(t);
		const service = await start(socketPath, {trustedProxies: ['unix']});
		try {
			const statuses = await Promise.all(Array.from({length: 40}, async () => ask(socketPath, 'sb_wrong')));
			assert.deepEqual(new Set(statuses), new Set([401, 429]));
			assert.equal(await ask(socketPath, 'sb_wrong', '192.0.2.8'), 401);
			assert.equal(await ask(socketPath, 'sb_unix'), 200);
		} finally {
			await service.close();
		}
	});

	test('counts wrong keys as from one where the proxy names no sender', async t => {
		const socketPath = createSocketPath(t);
		const service = await start(socketPath, {trustedProxies: ['unix']});
		try {
			const statuses = await Promise.all(Array.from({length: 31}, async () => ask(socketPath, 'sb_wrong', '')));
			assert.deepEqual(
				statuses.toSorted((one, other) => one! - other!),
				[...Array.from({length: 30}, () => 401), 429],
			);
			assert.equal(await ask(socketPath, 'sb_wrong', '192.0.2.8'), 401);
			assert.equal(await ask(socketPath, 'sb_unix', ''), 200);
		} finally {
			await service.close();
		}
	});

	test('leaves the socket of another program alone that has taken its place', async t => {
		const socketPath = createSocketPath(t);
		const service = await start(socketPath);
		renameSync(socketPath, `${socketPath}.moved`);
		const other = createServer().listen(socketPath);
		await once(other, 'listening');
		await service.close();
		assert.ok(lstatSync(socketPath).isSocket());
		await assert.rejects(start(socketPath), {kind: 'usage', message: `Another program already listens on ${socketPath}.`});
		assert.ok(lstatSync(socketPath).isSocket());
		other.close();
	});

	test("does not take the place of another user's socket", {skip: process.getuid?.() !== 0}, async t => {
		const socketPath = createSocketPath(t);
		const service = await start(socketPath);
		// Nobody listens on it any more.
		renameSync(socketPath, `${socketPath}.left`);
		await service.close();
		renameSync(`${socketPath}.left`, socketPath);
		chownSync(socketPath, 65_534, 65_534);
		await assert.rejects(start(socketPath), {kind: 'usage', message: `${socketPath} is the socket of another user (nobody).`});
		assert.ok(lstatSync(socketPath).isSocket());
		chownSync(socketPath, 0, 0);
		const successor = await start(socketPath);
		assert.equal(await ask(socketPath, 'sb_unix'), 200);
		await successor.close();
		assert.equal(lstatSync(socketPath, {throwIfNoEntry: false}), undefined);
	});
});
