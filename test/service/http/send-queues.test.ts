import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {
	type AddressInfo,
	connect,
	createServer,
	type Socket,
} from 'node:net';
import {test} from 'node:test';
import {setTimeout as delay} from 'node:timers/promises';
import {connectionName, readSendQueues} from '../../../source/service/http/send-queues.ts';

const untilQueued = async (socket: Socket, isEnough: (bytes: number) => boolean): Promise<void> => {
	while (!isEnough(readSendQueues().get(connectionName(socket)) ?? 0)) {
		await delay(5);
	}
};

test('what the other end has not taken is in the queue of its connection', {skip: !existsSync('/proc/net/tcp')}, async t => {
	for (const host of ['127.0.0.1', '::1']) {
		const server = createServer().listen(0, host);
		try {
			await once(server, 'listening');
		} catch {
			// Without IPv6 there is nothing to look at.
			continue;
		}

		const reader = connect((server.address() as AddressInfo).port, host);
		const [sender] = await once(server, 'connection') as [Socket];
		t.after(() => {
			reader.destroy();
			sender.destroy();
			server.close();
		});
		reader.pause();
		sender.write(Buffer.alloc(16 * 1024 * 1024));
		await untilQueued(sender, bytes => bytes > 0);
		reader.resume();
		await untilQueued(sender, bytes => bytes === 0);
	}
});
