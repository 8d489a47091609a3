import {type Buffer, net} from '../helpers/node.ts';
import {setTimeout as sleep} from 'node:timers/promises';

/** As much as a slow line takes at once. */
const sliceLength = 64;

/** A limited line takes no more than this from the sender before it has delivered it. */
const limitedBytes = 1024;

type Direction = {delayMilliseconds: number; bytesPerSecond: number; acceptedCount: number; acceptedBytes: number; deliveredBytes: number};

/** A line to a port of this machine; a fast one at first. */
export async function openSlowLine(toPort: number) {
	const createDirection = (): Direction => ({
		delayMilliseconds: 0,
		bytesPerSecond: Infinity,
		acceptedCount: 0,
		acceptedBytes: 0,
		deliveredBytes: 0,
	});
	const up = createDirection();
	const down = createDirection();
	const sockets = new Set<net.Socket>();

	const connect = (client: net.Socket): void => {
		const server = net.connect(toPort, '127.0.0.1');
		for (const socket of [client, server]) {
			sockets.add(socket);
			socket.setNoDelay(true);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				sockets.delete(socket);
			});
		}

		void carry(client, server, up);
		void carry(server, client, down);
	};

	const listener = net.createServer(connect);
	await new Promise<void>(resolve => {
		listener.listen(0, '127.0.0.1', resolve);
	});
	const cut = (): void => {
		for (const socket of sockets) {
			socket.destroy();
		}
	};

	return {
		port: (listener.address() as net.AddressInfo).port,
		get clientSendCount() {
			return up.acceptedCount;
		},
		get sentBytes() {
			return down.acceptedBytes;
		},
		get receivedBytes() {
			return down.deliveredBytes;
		},
		/** From now on each direction takes this long. */
		delay(milliseconds: number) {
			up.delayMilliseconds = milliseconds;
			down.delayMilliseconds = milliseconds;
		},
		/** From now on the line takes this many bytes a second towards the client. */
		limit(bytesPerSecond: number) {
			down.bytesPerSecond = bytesPerSecond;
		},
		/** Cuts every connection, as a lost network does that both ends notice. */
		cut,
		async [Symbol.asyncDispose]() {
			cut();
			listener.close();
		},
	};
}

/** Delivers what arrives, in order and each chunk after the delay; the end as well. */
async function carry(source: net.Socket, target: net.Socket, direction: Direction): Promise<void> {
	const underWay: Array<{readonly chunk: Buffer | undefined; readonly dueAt: number}> = [];
	const hasRoom = (): boolean =>
		direction.bytesPerSecond === Infinity || direction.acceptedBytes - direction.deliveredBytes <= limitedBytes;
	let wake = Promise.withResolvers<void>();

	const send = (chunk: Buffer | undefined): void => {
		underWay.push({chunk, dueAt: performance.now() + direction.delayMilliseconds});
		direction.acceptedCount++;
		direction.acceptedBytes += chunk?.length ?? 0;
		if (!hasRoom()) {
			source.pause();
		}

		wake.resolve();
	};

	source.on('data', send);
	source.on('close', () => send(undefined));

	const deliver = async (bytes: Buffer): Promise<void> => {
		target.write(bytes);
		direction.deliveredBytes += bytes.length;
		if (hasRoom()) {
			source.resume();
		}

		if (direction.bytesPerSecond < Infinity) {
			await sleep((1000 * bytes.length) / direction.bytesPerSecond);
		}
	};

	while (!target.destroyed) {
		const next = underWay.shift();
		if (next === undefined) {
			wake = Promise.withResolvers();
			await wake.promise;
			continue;
		}

		await sleep(Math.max(0, next.dueAt - performance.now()));
		if (next.chunk === undefined) {
			target.destroySoon();
			return;
		}

		for (let rest = next.chunk; rest.length > 0 && !target.destroyed; ) {
			const length = direction.bytesPerSecond < Infinity ? sliceLength : rest.length;
			await deliver(rest.subarray(0, length));
			rest = rest.subarray(length);
		}
	}
}

export type SlowLine = Awaited<ReturnType<typeof openSlowLine>>;
