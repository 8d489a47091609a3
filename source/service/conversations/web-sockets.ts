import type {IncomingMessage} from 'node:http';
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type {RawData, WebSocket, WebSocketServer} from 'ws';
import {maximumFrameBytes} from '../../interface/conversation.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {Caller} from '../callers.ts';
import {callerOf} from '../http/authorize.ts';
import type {KeyWatch} from '../http/key-watch.ts';
import type {Limits} from '../http/limits.ts';
import {refuseFor} from '../http/rate-limits.ts';
import {addressGroupOf, unixProxy} from '../http/senders.ts';
import type {HttpServer} from '../http/server.ts';

/** For the unread data of a client that does not read: several of the longest turns, for a slow connection. */
const maximumUnreadBytes = 160 * 1024;

/** How long a client with too many connections should wait. */
const retryAfterSeconds = 30;

/** A client that does not confirm the end is cut off after this time. */
const closeMilliseconds = 1000;

/** RFC 6455, section 7.4.1. */
const closeCodes = {goingAway: 1001, policyViolation: 1008} as const;

const handshakeKey = /^[\d+/a-z]{22}==$/i;

/** A connection as the rest of the service sees it. */
export type SocketLine = {
	readonly caller: Caller;
	/** Sends a text, unless the connection is over. A client with too much unread data is cut off. */
	send(text: string): void;
	/** Ends the connection because of a change to the key or the agent. */
	refuse(reason: string): void;
};

type Parts = {readonly takeOver: HttpServer['takeOver']; readonly keyWatch: KeyWatch; readonly limits: Limits};

type Sender = {readonly caller: Caller; readonly address: string};

type OpenLine = SocketLine & Sender & {checkAlive(): void; goAway(): void};

type Listeners = {
	/** Called with each text of the client. */
	readonly onText?: (text: string) => void;
	readonly onClose: () => void;
};

/** Accepts WebSocket handshakes, within limits. Connections are pinged, and end when their key does or the service stops. */
export function createWebSockets(app: FastifyInstance, {takeOver, keyWatch, limits}: Parts) {
	const lines = new Set<OpenLine>();
	let server: WebSocketServer | undefined;
	let pinging: NodeJS.Timeout | undefined;
	let isStopping = false;

	const refuseExcess = ({caller: {keyName}, address}: Sender, reply: FastifyReply): void => {
		if ([...lines].filter(({caller}) => caller.keyName === keyName).length >= limits.conversationsPerKey) {
			throw refuseFor(retryAfterSeconds, reply, `This key may have ${limits.conversationsPerKey} conversations at once.`);
		}

		if ([...lines].filter(line => line.address === address).length >= limits.conversationsPerAddress) {
			throw refuseFor(retryAfterSeconds, reply, `An address may have ${limits.conversationsPerAddress} conversations at once.`);
		}

		if (lines.size >= limits.conversations) {
			throw refuseFor(retryAfterSeconds, reply, 'There are too many conversations.');
		}
	};

	const add = (line: OpenLine): void => {
		lines.add(line);
		pinging ??= setInterval(() => {
			for (const each of lines) {
				each.checkAlive();
			}
		}, limits.pingMilliseconds).unref();
		if (isStopping) {
			line.goAway();
		}
	};

	const remove = (line: OpenLine): void => {
		lines.delete(line);
		if (lines.size > 0) {
			return;
		}

		clearInterval(pinging);
		pinging = undefined;
	};

	app.addHook('preClose', async () => {
		isStopping = true;
		for (const line of lines) {
			line.goAway();
		}
	});

	/** Keeps only the sender of the handshake in memory. */
	const open = (socket: WebSocket, sender: Sender, start: (line: SocketLine) => Listeners): void => {
		let aliveAt = performance.now();
		const isInTime = (): boolean => {
			if (socket.bufferedAmount > maximumUnreadBytes) {
				socket.terminate();
			}

			return socket.readyState === socket.OPEN;
		};

		const close = (code: number, reason: string): void => {
			if (!isInTime()) {
				return;
			}

			socket.close(code, reason);
			const cut = setTimeout(() => socket.terminate(), closeMilliseconds);
			socket.once('close', () => clearTimeout(cut));
		};

		const line: OpenLine = {
			...sender,
			send(text) {
				if (isInTime()) {
					socket.send(text);
				}
			},
			refuse: reason => close(closeCodes.policyViolation, reason),
			goAway: () => close(closeCodes.goingAway, 'The service is stopping.'),
			checkAlive() {
				if (performance.now() - aliveAt > limits.pongMilliseconds) {
					socket.terminate();
				} else if (isInTime()) {
					socket.ping();
				}
			},
		};
		// For example a frame that is too long: the connection is closed with its code.
		socket.on('error', () => undefined);
		socket.on('ping', (data: Uint8Array) => {
			if (isInTime()) {
				socket.pong(data);
			}
		});
		socket.on('pong', () => {
			aliveAt = performance.now();
		});
		const {onText = () => undefined, onClose} = start(line);
		socket.on('message', (data: RawData, isBinary: boolean) => {
			if (!isBinary && socket.readyState === socket.OPEN) {
				// eslint-disable-next-line @typescript-eslint/no-base-to-string -- It is a buffer.
				onText(String(data));
			}
		});
		const stopWatchingKey = keyWatch.watch(sender.caller, () => line.refuse('The key was revoked or has expired.'));
		socket.once('close', () => {
			stopWatchingKey();
			remove(line);
			onClose();
		});
		add(line);
	};

	/**
	Answers a handshake, and no other request.

	@param start - called with the connection, before the client's first text is read.
	*/
	return async (request: FastifyRequest, reply: FastifyReply, start: (line: SocketLine) => Listeners): Promise<FastifyReply> => {
		const {raw} = request;
		if (raw.headers.upgrade?.toLowerCase() !== 'websocket' || raw.headers['sec-websocket-version'] !== '13') {
			return reply
				.code(426)
				.headers({upgrade: 'websocket', 'sec-websocket-version': '13'})
				.send({detail: 'This endpoint is a WebSocket (RFC 6455).'});
		}

		checkHandshake(raw);
		// Few services hold conversations.
		server ??= new (await import('ws')).WebSocketServer({
			noServer: true,
			clientTracking: false,
			perMessageDeflate: false,
			maxPayload: maximumFrameBytes,
			autoPong: false,
		});
		const sender = {caller: callerOf(request), address: addressGroupOf(request) ?? unixProxy};
		refuseExcess(sender, reply);
		const head = takeOver(raw);
		if (head === undefined && !raw.socket.destroyed) {
			throw new SwitchboardError('refused', 'The path of a WebSocket handshake must be written plainly, without a host or percent signs.');
		}

		void reply.hijack();
		if (head === undefined) {
			return reply;
		}

		// No subprotocol is chosen, so a list of them is not worth an error.
		delete raw.headers['sec-websocket-protocol'];
		const addHeaders = (headers: string[]): void => {
			headers.push(...Object.entries(reply.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`));
		};

		server.on('headers', addHeaders);
		server.handleUpgrade(raw, raw.socket, head, socket => open(socket, sender, start));
		// The handshake is answered by now.
		server.off('headers', addHeaders);
		return reply;
	};
}

/** @throws SwitchboardError `refused` for an invalid handshake (RFC 6455, section 4.2.1). */
function checkHandshake({headers}: IncomingMessage): void {
	if (!(headers.connection ?? '').split(',').some(option => option.trim().toLowerCase() === 'upgrade')) {
		throw new SwitchboardError('refused', 'The header Connection must be “Upgrade”. A proxy on the way must pass it on.');
	}

	if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
		throw new SwitchboardError('refused', 'A WebSocket handshake has no body.');
	}

	if (!handshakeKey.test(headers['sec-websocket-key'] ?? '')) {
		throw new SwitchboardError('refused', 'The header Sec-WebSocket-Key is missing or not valid.');
	}
}

export type AcceptWebSocket = ReturnType<typeof createWebSockets>;
