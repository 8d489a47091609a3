import {assert, type IncomingMessage, once, path, process, request, suite, test, type TestContext} from '../helpers/node.ts';
import {chownSync, lstatSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {connect as connectTls, type ConnectionOptions} from 'node:tls';
import {formatBaseAddress} from '../../source/service/http/listen.ts';
import {type ServiceOptions, startService} from '../../source/service/service.ts';
import {createCertificate, paths, startTestService, temporaryDataFolder} from './kit.ts';

test('the service listens on this machine only by default', async () => {
	await using service = await startTestService();
	assert.match(service.baseAddress, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('an IPv6 address is printed in brackets', () => {
	assert.equal(formatBaseAddress('http', '::1', 8787), 'http://[::1]:8787');
	assert.equal(formatBaseAddress('https', 'localhost', 443), 'https://localhost:443');
});

test('a used port or a foreign host is reported with what to do, and does not lock the folder', async () => {
	await using service = await startTestService();
	const dataFolder = temporaryDataFolder();
	const port = Number(new URL(service.baseAddress).port);
	await assert.rejects(startService({location: dataFolder, port}), {
		kind: 'usage',
		field: 'port',
		message: `Another program already listens on port ${port} of 127.0.0.1.`,
	});
	await assert.rejects(startService({location: dataFolder, host: '203.0.113.1'}), {kind: 'usage', field: 'host'});
	await assert.rejects(startService({location: dataFolder, tls: {cert: 'no certificate', key: 'no key'}}), {kind: 'usage', field: 'tls'});
	const working = await startService({location: dataFolder});
	await working.close();
});

async function ask(socketPath: string, key: string, sender = '192.0.2.7'): Promise<number | undefined> {
	const sent = request({socketPath, path: paths.agents, headers: {'x-api-key': key, 'x-forwarded-for': sender}, agent: false});
	sent.end();
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	answer.resume();
	return answer.statusCode;
}

suite('a service on a Unix socket', {skip: process.platform === 'win32'}, () => {
	/** The path of a socket may be 107 bytes long: a folder in that of the tests may be too deep. */
	const createSocketPath = (t: TestContext): string => {
		const folder = mkdtempSync(path.join(tmpdir(), 'sb-'));
		t.after(() => rmSync(folder, {recursive: true}));
		return path.join(folder, 'socket');
	};

	const start = async (t: TestContext, socketPath: string, options: Partial<ServiceOptions> = {}) => {
		const service = await startService({location: temporaryDataFolder(), ephemeralKey: 'sb_unix', socket: {socketPath}, ...options});
		t.after(async () => service.close());
		return service;
	};

	for (const [title, trustedProxies, sender, statusOfOthers] of [
		['counts the wrong keys of the senders that a proxy names, if it is trusted', ['unix'], '192.0.2.7', 401],
		['counts wrong keys as from one where the proxy names no sender', ['unix'], '', 401],
		['counts all wrong keys as from one where the proxy is not trusted', ['10.0.0.1'], '192.0.2.7', 429],
	] as const) {
		test(title, async t => {
			const socketPath = createSocketPath(t);
			await start(t, socketPath, {trustedProxies});
			const statuses = await Promise.all(Array.from({length: 31}, async () => ask(socketPath, 'sb_wrong', sender)));
			assert.deepEqual(
				statuses.toSorted((one, other) => one! - other!),
				[...Array.from({length: 30}, () => 401), 429],
			);
			assert.equal(await ask(socketPath, 'sb_wrong', '192.0.2.8'), statusOfOthers);
			assert.equal(await ask(socketPath, 'sb_unix', sender), 200);
		});
	}

	test('leaves the socket of another program alone that has taken its place', async t => {
		const socketPath = createSocketPath(t);
		const service = await start(t, socketPath);
		renameSync(socketPath, `${socketPath}.moved`);
		const other = createServer().listen(socketPath);
		await once(other, 'listening');
		await service.close();
		assert.ok(lstatSync(socketPath).isSocket());
		await assert.rejects(start(t, socketPath), {kind: 'usage', message: `Another program already listens on ${socketPath}.`});
		assert.ok(lstatSync(socketPath).isSocket());
		other.close();
	});

	test("does not take the place of another user's socket", {skip: process.getuid?.() !== 0}, async t => {
		const socketPath = createSocketPath(t);
		const service = await start(t, socketPath);
		// Nobody listens on it any more.
		renameSync(socketPath, `${socketPath}.left`);
		await service.close();
		renameSync(`${socketPath}.left`, socketPath);
		chownSync(socketPath, 65_534, 65_534);
		await assert.rejects(start(t, socketPath), {kind: 'usage', message: `${socketPath} is the socket of another user (nobody).`});
		assert.ok(lstatSync(socketPath).isSocket());
		chownSync(socketPath, 0, 0);
		const successor = await start(t, socketPath);
		assert.equal(await ask(socketPath, 'sb_unix'), 200);
		await successor.close();
		assert.equal(lstatSync(socketPath, {throwIfNoEntry: false}), undefined);
	});
});

/** The protocol and the cipher of a handshake, or the code of the error that ended it. */
async function shakeHands(baseAddress: string, options: ConnectionOptions): Promise<string> {
	const {hostname, port} = new URL(baseAddress);
	const socket = connectTls({host: hostname, port: Number(port), rejectUnauthorized: false, ...options});
	try {
		await once(socket, 'secureConnect');
		return `${socket.getProtocol()!} ${socket.getCipher().name}`;
	} catch (error) {
		return String((error as NodeJS.ErrnoException).code);
	} finally {
		socket.destroy();
	}
}

const refusedHandshake = /^ERR_SSL_(?:SSL\/TLS|SSLV3|TLSV1)_ALERT_(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION)$|^ECONNRESET$/;

const cbc =
	'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:AES128-SHA:AES256-SHA:AES128-SHA256:AES256-SHA256';

test('TLS takes ciphers with authentication alone, with a renewed certificate too', async () => {
	const service = await startService({location: temporaryDataFolder(), ephemeralKey: 'sb_own', tls: createCertificate()});
	const check = async (): Promise<void> => {
		assert.match(await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2', ciphers: cbc}), refusedHandshake);
		assert.match(
			await shakeHands(service.baseAddress, {minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0'}),
			/^ERR_SSL_/,
		);
		assert.match(
			await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384'}),
			refusedHandshake,
		);
		assert.match(await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2'}), /^TLSv1\.2 ECDHE-(?:RSA|ECDSA)-AES\d+-GCM-SHA\d+$/);
		assert.match(await shakeHands(service.baseAddress, {}), /^TLSv1\.3 TLS_/);
	};

	try {
		await check();
		service.renewCertificate(createCertificate());
		await check();
	} finally {
		await service.close();
	}
});
