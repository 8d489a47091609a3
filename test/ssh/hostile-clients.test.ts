import {assert, Buffer, test} from '../helpers/node.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {logInRaw, messages, shakeHandsRaw, sshString, uint32, wantReply, type RawClient} from './raw-client.ts';
import {startServer} from './running-server.ts';
import {runClient} from './ssh-client.ts';

/** Sends the same again and again until the line is cut. */
async function flood({socket, closed, send}: RawClient, type: number, ...parts: readonly Buffer[]): Promise<void> {
	while (!socket.destroyed) {
		socket.cork();
		for (let count = 0; count < 500 && !socket.destroyed; count++) {
			send(type, ...parts);
		}

		socket.uncork();

		await Promise.race([
			closed,
			new Promise<void>(resolve => {
				socket.write('', () => {
					setImmediate(resolve);
				});
			}),
		]);
	}
}

const question = [sshString('keepalive@openssh.com'), wantReply] as const;

const userAuth = (method: string, ...parts: readonly Buffer[]): readonly Buffer[] => [
	sshString('ada'),
	sshString('ssh-connection'),
	sshString(method),
	...parts,
];

test('a client that is not in is cut off for anything but logging in, and for too much of that', async () => {
	await using server = await startServer({runCommand: async () => 7});
	for (const [type, parts] of [
		[messages.globalRequest, question],
		[messages.channelOpen, [sshString('session'), uint32(0), uint32(1024), uint32(32_768)]],
		[messages.ignore, [sshString('x'.repeat(1000))]],
	] as const) {
		using client = await shakeHandsRaw(server.port);
		await flood(client, type, ...parts);
	}

	assert.equal((await runClient(server, ['status'])).exitCode, 7);
});

test('log-in requests that do not wait for their answers cut their own line, and nothing else', async () => {
	await using server = await startServer({runCommand: async () => 7});
	using client = await shakeHandsRaw(server.port);
	const key = [sshString('ssh-ed25519'), sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.alloc(32, 1))]))];
	const signature = sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.alloc(64, 1))]));
	client.send(messages.userAuthRequest, ...userAuth('publickey', Buffer.from([1]), ...key, signature));
	client.send(messages.userAuthRequest, ...userAuth('none'));
	client.send(messages.userAuthRequest, ...userAuth('publickey', Buffer.from([0]), ...key));
	await client.closed;
	assert.equal((await runClient(server, ['status'])).exitCode, 7);
});

test('a client that is in, asks and does not read the answers is cut off', async () => {
	await using server = await startServer({
		async runCommand({streams: {stdout}}) {
			stdout.write('x'.repeat(300_000));
			return 7;
		},
	});
	using client = await logInRaw(server.port, server.key);
	const channels = [];
	for (let count = 0; count < 8; count++) {
		channels.push(await client.openSession());
	}

	client.stopReading();
	// Outputs fill the buffers of the system sooner than answers do.
	for (const channel of channels) {
		client.send(messages.channelRequest, uint32(channel!), sshString('exec'), wantReply, sshString('status'));
	}

	await flood(client, messages.globalRequest, ...question);

	assert.equal((await runClient(server, ['status'])).exitCode, 7);
});

test('a client that answers what was not asked is cut off', async () => {
	await using server = await startServer();
	using client = await logInRaw(server.port, server.key);
	client.send(messages.requestFailure);
	await client.closed;
});

test('channels whose packets could hold next to nothing are refused', async () => {
	await using server = await startServer({runCommand: async () => 7});
	using client = await logInRaw(server.port, server.key);
	assert.equal(await client.openSession({packetSize: 0}), undefined);
	assert.equal(await client.openSession({packetSize: 1023}), undefined);
	assert.notEqual(await client.openSession({packetSize: 1024}), undefined);
	assert.equal((await runClient(server, ['status'])).exitCode, 7);
});

test('a client that never opens its window gets nothing, and its command ends', async () => {
	await using server = await startServer({
		async runCommand({streams: {stdout}}) {
			stdout.write('x'.repeat(100_000));
			return 7;
		},
	});
	using client = await logInRaw(server.port, server.key);
	const channel = await client.openSession({window: 0});
	client.send(messages.channelRequest, uint32(channel!), sshString('exec'), wantReply, sshString('status'));
	await waitUntil(() => server.log.some(line => line.includes('exit code 7')), 60_000);
});

test('a connection that is cut before its channel is used ends nothing but itself', async () => {
	await using server = await startServer({runCommand: async () => 7});
	using client = await logInRaw(server.port, server.key);
	assert.notEqual(await client.openSession(), undefined);
	client.socket.destroy();
	await client.closed;
	assert.equal((await runClient(server, ['status'])).exitCode, 7);
});

test('a channel that is closed unused makes room for another; not many stay open', async () => {
	await using server = await startServer();
	using client = await logInRaw(server.port, server.key);
	for (let count = 0; count < 50; count++) {
		const open = await client.openSession();
		assert.notEqual(open, undefined, String(count));
		client.send(messages.channelClose, uint32(open!));
	}

	let count = 0;
	while ((await client.openSession()) !== undefined) {
		count++;
	}

	assert.equal(count, 10);
});
