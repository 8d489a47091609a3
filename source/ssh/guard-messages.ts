import type {Socket} from 'node:net';
import type {Connection} from 'ssh2';
import {protocolOf} from './inside-ssh2.ts';

const userAuthRequest = 50;

/** What a client may send before it is in (RFC 4250, section 4.1.2): disconnect, ignore, unimplemented, debug, service, extensions, keys, log-in. */
const beforeLogIn: ReadonlySet<number | undefined> = new Set([1, 2, 3, 4, 5, 7, 20, userAuthRequest]);

/** More than all the keys of an agent need, each with its question and its signature. */
const mostBeforeLogIn = {messages: 256, bytes: 512 * 1024, unsentBytes: 64 * 1024};

/** Ten sessions have 5 MB under way at the most. */
const mostUnsentBytes = 8 * 1024 * 1024;

/** Messages that get an answer each: new keys, requests and channels (RFC 4250, section 4.1.2). */
const asking: ReadonlySet<number | undefined> = new Set([20, 80, 90, 98]);

/** How much a client may ask before it takes the answers. Each is small, and costs far more memory than it has bytes. */
const mostUnsentAnswers = 1000;

/**
Every client takes packets of 32 KiB (RFC 4253, section 6.1), and those for the smallest machines some kilobytes. For less, an output
would be cut into countless packets; for nothing, it would never end.
*/
const smallestPacketBytes = 1024;

/** `SSH_OPEN_RESOURCE_SHORTAGE` */
const resourceShortage = 4;

/**
Cuts the line of a client that sends what none needs, or that lets the answers pile up, and refuses channels that could not be
served. Must be called before the first message.
*/
export const guardMessages = (connection: Connection, socket: Socket): void => {
	const protocol = protocolOf(connection);
	const {_handlers: handlers} = protocol;
	const receive = protocol._onPayload;
	const {CHANNEL_OPEN: openChannel} = handlers;
	let count = 0;
	let unsentAnswers = 0;

	const isTooMuch = (type: number | undefined): boolean => {
		if (protocol._authenticated) {
			unsentAnswers = socket.writableLength === 0 ? 0 : unsentAnswers + (asking.has(type) ? 1 : 0);
			return unsentAnswers > mostUnsentAnswers || socket.writableLength > mostUnsentBytes;
		}

		count++;
		return !beforeLogIn.has(type)
			|| count > mostBeforeLogIn.messages
			|| socket.writableLength > mostBeforeLogIn.unsentBytes
			// The library would answer several in another order than it was asked, and throw where nobody catches it.
			|| (type === userAuthRequest && protocol._authsQueue.length > 0);
	};

	protocol._onPayload = payload => {
		if (socket.destroyed || isTooMuch(payload[0])) {
			socket.destroy();
			// Tells the library to leave the rest of what came with it.
			return Infinity;
		}

		return receive(payload);
	};

	// During the key exchange, messages take another way.
	socket.on('data', () => {
		if (!protocol._authenticated && socket.bytesRead > mostBeforeLogIn.bytes) {
			socket.destroy();
		}
	});

	handlers.CHANNEL_OPEN = (_, request) => {
		if (request.packetSize < smallestPacketBytes) {
			protocol.channelOpenFail(request.sender, resourceShortage, '');
		} else {
			openChannel(_, request);
		}
	};
};
