import {assert, Buffer, net, once, test, writeFileSync} from '../helpers/node.ts';
import type ssh2 from 'ssh2';
import type {RemoteSession} from '../../source/settings/remote-session.ts';
import {hangUp} from '../../source/ssh/connection.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {connectClient, connectHolding} from './held-requests.ts';
import {startServer} from './running-server.ts';

test('a channel that was open before the key was restricted gets what the key may do now', async () => {
	await using server = await startServer({
		async runCommand({streams: {stdout}, profileName, isReadOnly}: RemoteSession) {
			stdout.write(`${profileName} ${isReadOnly}`);
			return 0;
		},
	});
	const {client, open} = await connectHolding(server);
	const ask = await open('status');
	writeFileSync(server.keysFile, `read-only,profile="other" ${server.key.line}\n`);
	assert.deepEqual(await ask(), {stdout: 'other true', stderr: '', exitCode: 0});
	client.end();
});

test('a channel that was open before the key was removed starts nothing, even while other sessions still end', async () => {
	const {promise: lookedUp, resolve: lookUp} = Promise.withResolvers<void>();
	const started: string[] = [];
	let isAborted = false;
	await using server = await startServer({
		async runCommand({signal, streams: {stdout}}, [name = '']) {
			started.push(name);
			stdout.write('running');
			signal.addEventListener('abort', () => {
				isAborted = true;
			});
			await lookedUp;
			return 3;
		},
	});
	const {client, open} = await connectHolding(server);
	const closed = once(client, 'close');
	const [watch, atOnce, later] = [await open('watch'), await open('enable'), await open('disable')];
	const watching = watch();
	await waitUntil(() => started.length > 0);
	writeFileSync(server.keysFile, '# gone\n');
	const refused = {stdout: '', stderr: 'Your key was removed from this server.\n', exitCode: 3};
	assert.deepEqual(await atOnce(), refused);
	await waitUntil(() => isAborted);
	assert.deepEqual(await later(), refused);
	await assert.rejects(open('status'), /open failure/);
	lookUp();
	assert.equal((await watching).exitCode, 3);
	assert.deepEqual(started, ['watch']);
	await closed;
});

test('what is typed after the key was removed reaches nobody', async () => {
	const {promise: lookedUp, resolve: lookUp} = Promise.withResolvers<void>();
	let queued = 0;
	let typed = '';
	let isAborted = false;
	await using server = await startServer({
		async runCommand({signal, streams: {stdin}}) {
			signal.addEventListener('abort', () => {
				isAborted = true;
				stdin.on('data', chunk => {
					typed += String(chunk);
				});
			});
			stdin.read(0);
			await waitUntil(() => stdin.readableLength > 0);
			queued = stdin.readableLength;
			await lookedUp;
			return 3;
		},
	});
	const client = await connectClient(server);
	const {promise: opened, resolve: open} = Promise.withResolvers<ssh2.ClientChannel>();
	client.exec('apply -', (error, channel) => {
		assert.ifError(error);
		open(channel);
	});
	const channel = await opened;
	channel.write('before');
	await waitUntil(() => queued === 'before'.length);
	writeFileSync(server.keysFile, '# gone\n');
	await waitUntil(() => isAborted);
	channel.write('after');
	// The answer comes after the server has taken all that was sent before.
	const {promise: taken, resolve: take} = Promise.withResolvers<void>();
	client.openssh_noMoreSessions(() => take());
	await taken;
	lookUp();
	await once(channel.resume(), 'close');
	assert.equal(typed, '');
});

test('a channel on which nothing is asked for is closed, and makes room', async () => {
	await using server = await startServer({runCommand: async () => 7, limits: {requestMilliseconds: 50}});
	const {client, open} = await connectHolding(server);
	let opened = 0;
	// More than fit at once, unless those before were closed.
	await waitUntil(async () => {
		try {
			await open('status');
			opened++;
		} catch {}

		return opened > 15;
	});
	client.end();
});

test('a line is ended even if the other end never reads what was sent', async () => {
	const listener = net.createServer({pauseOnConnect: true}).listen(0, '127.0.0.1');
	await once(listener, 'listening');
	const client = net.connect((listener.address() as net.AddressInfo).port, '127.0.0.1');
	client.on('error', () => undefined);
	const [socket] = (await once(listener, 'connection')) as [net.Socket];
	client.pause();
	socket.on('error', () => undefined);
	socket.write(Buffer.alloc(64 * 1024 * 1024));
	const closed = once(socket, 'close');
	hangUp({end: () => socket.end()}, socket);
	await closed;
	client.destroy();
	listener.close();
});
