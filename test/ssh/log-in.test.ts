import {assert, Buffer, execFileSync, net, once, path, test} from '../helpers/node.ts';
import {appendFileSync, chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import ssh2 from 'ssh2';
import type {RemoteSession} from '../../source/settings/remote-session.ts';
import {openHostKey} from '../../source/ssh/host-key.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {logInRaw, type RawClient} from './raw-client.ts';
import {startServer} from './running-server.ts';
import {makeKey, runClient} from './ssh-client.ts';

/** A program that says who came. */
const whoAmI = {
	async runCommand({streams, fingerprint, profileName, isReadOnly}: RemoteSession) {
		streams.stdout.write(`${JSON.stringify({fingerprint, profileName, isReadOnly})}\n`);
		return 0;
	},
};

test('a listed key lets its owner in, with what its line says', async () => {
	await using server = await startServer({...whoAmI, options: 'profile="work",read-only'});
	const {stdout, stderr, exitCode} = await runClient(server, ['status']);
	const [, fingerprint] = execFileSync('ssh-keygen', ['-l', '-f', server.key.file], {encoding: 'utf8'}).split(' ', 2);
	assert.deepEqual(
		{...(JSON.parse(stdout) as object), stderr, exitCode},
		{fingerprint, profileName: 'work', isReadOnly: true, stderr: '', exitCode: 0},
	);
	await waitUntil(() => server.log.length > 0);
	assert.match(server.log[0]!, /^\S+Z SHA256:\S+ "ada" from 127\.0\.0\.1: status, \d+\.\d s, exit code 0$/);
});

test('keys of every type let their owners in, but an RSA signature with SHA-1 does not', async () => {
	await using server = await startServer(whoAmI);
	for (const words of [
		['-t', 'ecdsa', '-b', '256'],
		['-t', 'ecdsa', '-b', '384'],
		['-t', 'ecdsa', '-b', '521'],
		['-t', 'rsa', '-b', '2048'],
	]) {
		const key = makeKey(server.folder, words.join(''), ...words);
		appendFileSync(server.keysFile, `${key.line}\n`);
		const {exitCode, stderr} = await runClient({port: server.port, key}, ['status']);
		assert.deepEqual({exitCode, stderr}, {exitCode: 0, stderr: ''}, words.join(' '));
		if (words.includes('rsa')) {
			assert.equal(
				(await runClient({port: server.port, key, words: ['-o', 'PubkeyAcceptedAlgorithms=ssh-rsa']}, ['status'])).exitCode,
				255,
			);
		}
	}
});

test('nobody else gets further than the handshake', async () => {
	await using server = await startServer(whoAmI);
	const stranger = makeKey(server.folder, 'stranger');
	const {stdout, stderr, exitCode} = await runClient({port: server.port, key: stranger}, ['status']);
	assert.deepEqual({stdout, exitCode}, {stdout: '', exitCode: 255});
	assert.match(stderr, /Permission denied \(publickey\)/);
	assert.ok(server.log.some(line => line.includes('refused "somebody" from 127.0.0.1: no line lets this key in from there. SHA256:')));
});

test('a password and every other way in is refused without being asked', async () => {
	await using server = await startServer(whoAmI);
	for (const options of [{password: 'secret'}, {password: 'secret', tryKeyboard: true}]) {
		const client = new ssh2.Client();
		const failed = once(client, 'error');
		client.on('error', () => undefined);
		client.connect({host: '127.0.0.1', port: server.port, username: 'root', ...options});
		const [error] = (await failed) as [Error];
		assert.match(error.message, /All configured authentication methods failed/);
	}
});

test('a line with “from” lets nobody in from elsewhere', async () => {
	await using server = await startServer({...whoAmI, options: 'from="10.0.0.0/8"'});
	assert.equal((await runClient(server, ['status'])).exitCode, 255);
	writeFileSync(server.keysFile, `from="127.0.0.0/8" ${server.key.line}\n`);
	assert.equal((await runClient(server, ['status'])).exitCode, 0);
});

test('nobody learns whether a key is listed without signing with it', async () => {
	await using server = await startServer(whoAmI);
	const stranger = makeKey(server.folder, 'stranger');
	for (const key of [server.key, stranger]) {
		const parsed = ssh2.utils.parseKey(readFileSync(`${key.file}.pub`));
		assert.ok(!(parsed instanceof Error));
		// Signs with nothing that fits, as who only knows the public key must.
		const client = new ssh2.Client();
		const asked: string[] = [];
		const failed = once(client, 'error');
		client.on('error', () => undefined);
		client.connect({
			host: '127.0.0.1',
			port: server.port,
			username: 'root',
			agent: Object.assign(Object.create(ssh2.BaseAgent.prototype) as ssh2.BaseAgent, {
				getIdentities(callback: (error: undefined, keys: readonly unknown[]) => void) {
					callback(undefined, [parsed]);
				},
				sign(_key: unknown, _data: unknown, options: unknown, callback?: (error: undefined, signature: Buffer) => void) {
					asked.push('sign');
					(callback ?? (options as NonNullable<typeof callback>))(undefined, Buffer.alloc(64));
				},
			}),
		});
		await failed;
		assert.deepEqual(asked, ['sign']);
	}
});

test('a wrong key hundreds of times lets nobody in, and leaves room for a listed one', async () => {
	await using server = await startServer(whoAmI);
	const {private: wrongKey} = ssh2.utils.generateKeyPairSync('ed25519');
	let tries = 0;
	const tryOnce = async (): Promise<void> => {
		const client = new ssh2.Client();
		const closed = once(client, 'close');
		client.on('error', () => undefined);
		client.on('ready', () => {
			assert.fail('A wrong key is in.');
		});
		client.connect({
			host: '127.0.0.1',
			port: server.port,
			username: 'root',
			authHandler(_methods, _isPartial, next) {
				tries++;
				next({type: 'publickey', username: 'root', key: wrongKey});
			},
		});
		await closed;
	};

	const tryInTurn = async (): Promise<void> => {
		for (let connections = 0; connections < 6; connections++) {
			await tryOnce();
		}
	};

	await Promise.all(Array.from({length: 8}, tryInTurn));
	assert.ok(tries >= 280, String(tries));
	assert.equal((await runClient(server, ['status'])).exitCode, 0);
	// A flood does not fill the disk.
	assert.ok(server.log.length < 50, server.log.slice(-5).join('\n'));
});

test('garbage, half a handshake and silence on the port cost the others nothing', async () => {
	await using server = await startServer(whoAmI);
	const openings = [
		'',
		'GET / HTTP/1.1\r\n\r\n',
		'SSH-2.0-half\r\n',
		'SSH-1.5-old\r\n',
		'x'.repeat(100_000),
		`SSH-2.0-${'y'.repeat(100_000)}`,
		Buffer.concat([Buffer.from('SSH-2.0-big\r\n'), Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(200_000)]),
		Buffer.concat([Buffer.from('SSH-2.0-zeros\r\n'), Buffer.alloc(200_000)]),
	];
	const sockets = openings.map(bytes => {
		const socket = net.connect(server.port, '127.0.0.1');
		socket.on('error', () => undefined);
		socket.resume();
		socket.write(bytes);
		return socket;
	});
	assert.equal((await runClient(server, ['status'])).exitCode, 0);
	for (const socket of sockets) {
		socket.destroy();
	}
});

test('the host key is made once, for its owner alone, and stays', () => {
	const file = path.join(temporaryFolder(), 'host_key');
	const first = openHostKey(file);
	// eslint-disable-next-line no-bitwise -- The bits of the mode.
	assert.equal(statSync(file).mode & 0o777, 0o600);
	assert.equal(execFileSync('ssh-keygen', ['-l', '-f', file], {encoding: 'utf8'}).split(' ', 2)[1], first.fingerprint);
	assert.deepEqual(openHostKey(file), first);
	for (const mode of [0o640, 0o604]) {
		chmodSync(file, mode);
		assert.throws(() => openHostKey(file), /others may read it; run: chmod 600/);
	}

	writeFileSync(file, 'no key', {mode: 0o600});
	chmodSync(file, 0o600);
	assert.throws(() => openHostKey(file), /is not an ed25519 key/);
});

test('a client recognises the server', async () => {
	await using server = await startServer(whoAmI);
	const known = path.join(server.folder, 'known');
	const words = ['-o', `UserKnownHostsFile=${known}`];
	assert.equal((await runClient({...server, words: ['-o', 'StrictHostKeyChecking=accept-new', ...words]}, ['status'])).exitCode, 0);
	assert.equal((await runClient({...server, words: ['-o', 'StrictHostKeyChecking=yes', ...words]}, ['status'])).exitCode, 0);
});

test('whoever occupies the port with silent connections locks nobody out', async () => {
	await using server = await startServer(whoAmI);
	const sockets = Array.from({length: 140}, () => {
		const socket = net.connect(server.port, '127.0.0.1');
		socket.on('error', () => undefined);
		return socket.resume();
	});
	await waitUntil(() => sockets.filter(({closed}) => closed).length >= 108);
	assert.ok(server.log.some(line => line.includes('there are too many connections')));
	assert.equal((await runClient(server, ['status'])).exitCode, 0);
	// Those who say nothing are cut soon in any case.
	await waitUntil(() => sockets.every(({closed}) => closed), 30_000);
});

test('many lines of one key leave room for others, and the key itself loses those without a session', async () => {
	await using server = await startServer({...whoAmI, limits: {connections: 8}});
	const clients: RawClient[] = [];
	for (let count = 0; count < 5; count++) {
		clients.push(await logInRaw(server.port, server.key));
	}

	await clients[0]!.closed;
	const other = makeKey(server.folder, 'bob');
	appendFileSync(server.keysFile, `${other.line}\n`);
	for (const key of [other, server.key]) {
		assert.equal((await runClient({port: server.port, key}, ['status'])).exitCode, 0);
	}

	for (const client of clients) {
		client.socket.destroy();
	}
});

test('of the keys that ssh2 makes, a malformed one is never used', t => {
	const {generateKeyPairSync} = ssh2.utils;
	// One in three hundred is.
	const made = [{private: 'malformed', public: ''}, generateKeyPairSync('ed25519')];
	t.mock.method(ssh2.utils, 'generateKeyPairSync', () => made.shift());
	const file = path.join(temporaryFolder(), 'host_key');
	assert.equal(openHostKey(file).fingerprint, openHostKey(file).fingerprint);
	assert.equal(made.length, 0);
});
