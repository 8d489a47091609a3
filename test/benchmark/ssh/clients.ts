import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import process from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import ssh, {type Client, type ClientChannel} from 'ssh2';
import {algorithms, type ClientOrder} from './client-process.ts';

/*
Many people at their terminals, in a process of their own so that their work is not counted as the server's. It does what its
parent asks for, and answers with what it measured.
*/

/** Opens a session as a terminal of 80×24 does, and resolves when it shows what is waited for. */
async function openSession(port: number, privateKey: string, shown: string): Promise<ClientChannel> {
	const client: Client = new ssh.Client();
	client.connect({host: '127.0.0.1', port, username: 'someone', privateKey, algorithms, readyTimeout: 60_000});
	await once(client, 'ready');
	// As the client of OpenSSH does for a terminal.
	client.setNoDelay(true);
	const channel = await new Promise<ClientChannel>((resolve, reject) => {
		client.shell({term: 'xterm-256color', cols: 80, rows: 24}, {env: {LANG: 'C.UTF-8'}}, (error, opened) => {
			if (error === undefined) {
				resolve(opened);
			} else {
				reject(error);
			}
		});
	});
	let output = Buffer.alloc(0);
	for await (const chunk of channel.iterator({destroyOnReturn: false}) as AsyncIterable<Buffer>) {
		output = Buffer.concat([output, chunk]);
		if (output.includes(shown)) {
			channel.resume();
			return channel;
		}
	}

	throw new Error(`A session ended with: ${output.toString()}`);
}

/** Presses keys at a steady pace, down and up in turn. Milliseconds from each key to the first bytes after it. */
async function pressKeys(channel: ClientChannel, count: number, pauseMilliseconds: number): Promise<readonly number[]> {
	const latencies: number[] = [];
	let unanswered: number[] = [];
	const noteAnswer = (): void => {
		latencies.push(...unanswered.map(pressed => performance.now() - pressed));
		unanswered = [];
	};

	channel.on('data', noteAnswer);
	const start = performance.now();
	for (let index = 0; index < count; index++) {
		await delay(Math.max(0, start + index * pauseMilliseconds - performance.now()));
		unanswered.push(performance.now());
		channel.write(index % 2 === 0 ? 'j' : 'k');
	}

	while (unanswered.length > 0) {
		await once(channel, 'data');
	}

	channel.off('data', noteAnswer);
	return latencies;
}

const channels: ClientChannel[] = [];

async function obey(order: ClientOrder): Promise<readonly number[]> {
	if ('press' in order) {
		const {sessions, count, pauseMilliseconds} = order.press;
		const all = await Promise.all(
			channels.slice(0, sessions).map(async (channel, index) => {
				await delay((index * pauseMilliseconds) / sessions);
				return pressKeys(channel, count, pauseMilliseconds);
			}),
		);
		return all.flat();
	}

	for (const key of order.open.privateKeys) {
		channels.push(await openSession(order.open.port, key, order.open.shown));
	}

	return [];
}

async function answer(order: ClientOrder): Promise<void> {
	process.send!(await obey(order));
}

process.on('message', (order: ClientOrder) => {
	void answer(order);
});
process.on('disconnect', () => {
	process.exit();
});
