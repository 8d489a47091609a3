import {AsyncLocalStorage} from 'node:async_hooks';
import {type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {type Socket} from 'node:net';
import {addressGroup} from './address-group.ts';
import {
	findIdlest,
	hasLateBody,
	isTooSlow,
	type Connection,
	type Exchange,
} from './connection-pace.ts';
import {
	beginExchange,
	underWayOn,
	type EndedExchange,
	type UnderWay,
} from './exchanges.ts';
import {type LineLimits} from './line-limits.ts';
import {readSendQueues} from './send-queues.ts';
import {takeListeners} from './take-listeners.ts';
import {createProxyCheck} from './trusted-proxies.ts';

/** A `WeakMap` of the requests slows the garbage collector: short answers took 6 % longer. */
const exchangeOf = Symbol('exchange');

declare module 'node:http' {
	// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- An interface is what can be extended.
	interface IncomingMessage {
		[exchangeOf]?: Exchange;
	}
}

export type Connections = {
	/** Begins when all earlier requests of the connection are answered, at once if they are: a client that reads no answers takes the memory of one. */
	takeTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
	/** What is under way on a connection. */
	underWay(socket: Socket): UnderWay;
	/** What was sent on a connection is refused with this status, past the response of its request. */
	tellRefusal(socket: Socket, status: number): void;
	/** The key of the request was right, so its body may take longer. */
	acceptKey(request: IncomingMessage): void;
	/** The answer to the request says little for as long as the client stays: it may be slow, but not silent. */
	keepOpen(request: IncomingMessage): void;
	/** Ends every connection without an answer in progress, even one that has never sent a request, and each other one after its answer. */
	endIdle(): void;
	endAll(): void;
};

/**
Tracks which connections of a server are open and which of them have an answer in progress, and closes those that take more
than their share: too many of an address, too many requests at once, or bytes that move too slowly or not at all. Node.js can
end idle connections too, but counts one that was opened and never used as busy: it would delay a stop until its timeout.

@param trustedProxies - what comes from them comes from many senders, so only the limit for all counts.
@param onEnd - is told of every request that was taken, once it has ended.
*/
export const trackConnections = (server: Server, limits: LineLimits, trustedProxies: readonly string[], onEnd?: (ended: EndedExchange) => void): Connections => {
	const open = new Set<Connection>();
	const bySocket = new WeakMap<Socket, Connection>();
	const isProxy = createProxyCheck(trustedProxies);
	/** The connection that the server is taking. A TLS socket is made meanwhile, and so belongs to it; Node.js has no other way to find it. */
	const taking = new AsyncLocalStorage<WeakRef<Connection>>();
	let isStopping = false;
	/** Until when no connection of an address is taken, because it sent a flood. */
	const floods = new Map<string, number>();

	const groupOf = ({remoteAddress}: Socket): string | undefined => isProxy(remoteAddress) ? undefined : addressGroup(remoteAddress);

	const add = (socket: Socket): Connection => {
		const connection: Connection = {
			socket,
			group: groupOf(socket),
			exchanges: new Set(),
			hasShownKey: false,
			lastEnd: Promise.resolve(),
			lastAnswered: undefined,
			movedBytes: 0,
			movedAt: performance.now(),
			slowSince: undefined,
		};
		open.add(connection);
		bySocket.set(socket, connection);
		socket.once('close', () => {
			open.delete(connection);
			// Node.js does not close the responses that wait for the one before them.
			for (const exchange of connection.exchanges) {
				exchange.end();
			}
		});
		return connection;
	};

	const end = (isToEnd: (connection: Connection) => boolean): void => {
		for (const connection of open) {
			if (!isToEnd(connection)) {
				continue;
			}

			connection.socket.destroy();
			open.delete(connection);
		}
	};

	/** Makes room for one more by ending the one that has been idle for longest, or that sends slowly and has shown no key; false if all are busy. */
	const endIdleOf = (connections: readonly Connection[]): boolean => {
		const idlest = findIdlest(connections);
		end(connection => connection === idlest);
		return idlest !== undefined;
	};

	const hasRoom = (socket: Socket): boolean => {
		const group = groupOf(socket);
		if (group !== undefined && (floods.get(group) ?? 0) > performance.now()) {
			return false;
		}

		const ofGroup = group === undefined ? [] : [...open].filter(connection => connection.group === group);
		return (ofGroup.length < limits.connectionsPerAddress || endIdleOf(ofGroup)) && (open.size < limits.connections || endIdleOf([...open]));
	};

	const track = (request: IncomingMessage, response: ServerResponse): Exchange => {
		const known = request[exchangeOf];
		if (known !== undefined) {
			return known;
		}

		const connection = bySocket.get(request.socket) ?? add(request.socket);
		const exchange = beginExchange(connection, {request, response}, onEnd);
		request[exchangeOf] = exchange;
		response.once('close', () => {
			if (isStopping && request.complete && connection.exchanges.size === 0) {
				connection.socket.destroySoon();
			}
		});
		return exchange;
	};

	/** Node.js reads a thousand requests from one piece of 64 KB, and cannot be stopped: so no other piece of the address is read for a while. */
	const endFlood = ({group}: Connection): void => {
		if (group === undefined) {
			return;
		}

		floods.set(group, performance.now() + limits.floodMilliseconds);
		end(connection => connection.group === group && !connection.hasShownKey);
	};

	/** False for a request of a connection that has sent too many at once. */
	const isWelcome = ({socket}: IncomingMessage): boolean => {
		const connection = bySocket.get(socket);
		if (connection !== undefined && !socket.destroyed && connection.exchanges.size >= limits.waitingRequests) {
			connection.socket.destroy();
			endFlood(connection);
		}

		return !socket.destroyed;
	};

	const check = setInterval(() => {
		const now = performance.now();
		for (const [group, until] of floods) {
			if (until <= now) {
				floods.delete(group);
			}
		}

		const isSending = [...open].some(({exchanges: current}) => [...current].some(({response, isKeptOpen}) => response.headersSent && !isKeptOpen));
		const moment = {now, limits, sendQueues: isSending ? readSendQueues() : new Map<string, number>()};
		end(connection => isTooSlow(connection, moment) || hasLateBody(connection, moment));
	}, Math.min(1000, limits.idleMilliseconds / 4, limits.unknownBodyMilliseconds / 4));
	check.unref();

	server.on('close', () => {
		clearInterval(check);
	});
	const takeConnection = takeListeners(server, 'connection');
	server.on('connection', socket => {
		if (!hasRoom(socket)) {
			socket.destroy();
			return;
		}

		taking.run(new WeakRef(add(socket)), () => {
			takeConnection(socket);
		});
	});
	server.on('secureConnection', (socket: Socket) => {
		const connection = taking.getStore()?.deref();
		if (connection === undefined || !open.has(connection)) {
			return;
		}

		connection.socket = socket;
		bySocket.set(socket, connection);
	});
	const handleRequest = takeListeners(server, 'request');
	server.on('request', (request, response) => {
		if (!isWelcome(request)) {
			return;
		}

		track(request, response);
		handleRequest(request, response);
	});

	return {
		takeTurn(request, response, begin) {
			const {turn} = track(request, response);
			if (turn === undefined) {
				begin();
			} else {
				void turn.then(begin);
			}
		},
		underWay: socket => underWayOn(bySocket.get(socket)),
		tellRefusal(socket, status) {
			const unfinished = [...bySocket.get(socket)?.exchanges ?? []].at(-1);
			if (unfinished?.request.complete === false) {
				unfinished.refusedWith = status;
			} else {
				onEnd?.({
					request: undefined, remoteAddress: socket.remoteAddress, status, milliseconds: 0,
				});
			}
		},
		acceptKey(request) {
			Object.assign(request[exchangeOf] ?? {}, {isKeyAccepted: true});
			Object.assign(bySocket.get(request.socket) ?? {}, {hasShownKey: true});
		},
		keepOpen(request) {
			Object.assign(request[exchangeOf] ?? {}, {isKeptOpen: true});
		},
		endIdle() {
			isStopping = true;
			end(connection => connection.exchanges.size === 0);
		},
		endAll() {
			end(() => true);
		},
	};
};
