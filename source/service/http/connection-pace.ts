import {type IncomingMessage, type ServerResponse} from 'node:http';
import {type Socket} from 'node:net';
import {type LineLimits} from './line-limits.ts';
import {connectionName, type SendQueues} from './send-queues.ts';

/** A request with its answer, until that is sent. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly startedAt: number;
	/** Resolves when the exchanges before it on the connection have ended; `undefined` if it is the only one. */
	readonly turn: Promise<void> | undefined;
	isKeyAccepted: boolean;
	/** True for an answer that says little for as long as the client stays. */
	isKeptOpen: boolean;
	/** The status of the answer, if it was written past the response. */
	refusedWith: number | undefined;
	/** To be called when the response is closed, or will never be. */
	readonly end: () => void;
};

export type Connection = {
	/** For TLS the socket of the handshake at first, then that of the decrypted bytes. */
	socket: Socket;
	readonly group: string | undefined;
	readonly exchanges: Set<Exchange>;
	/** True once a request on it had a right key. */
	hasShownKey: boolean;
	/** Resolves when its exchanges up to now have ended. */
	lastEnd: Promise<void>;
	/** The last exchange that was answered before all of its request had come. Others are not kept: a request holds its answer. */
	lastAnswered: (Exchange & {readonly answeredAt: number}) | undefined;
	movedBytes: number;
	movedAt: number;
	/** When the speed began to count, and what had moved then. */
	slowSince: {readonly time: number; readonly movedBytes: number} | undefined;
};

/** Bytes that have come in, or that the other end has taken. */
const countMovedBytes = (socket: Socket, sendQueues: SendQueues): number =>
	socket.bytesRead + socket.bytesWritten - socket.writableLength - (sendQueues.get(connectionName(socket)) ?? 0);

/** True while it is the service that is slow. */
const isServiceWorking = ({exchanges}: Connection): boolean => {
	const [current] = exchanges;
	return current !== undefined && current.request.complete && !current.response.headersSent;
};

const isKeptOpen = ({exchanges}: Connection): boolean => [...exchanges].some(exchange => exchange.isKeptOpen);

/** What the pace of all connections is measured by. */
type Moment = {
	/** By a monotonic clock, in milliseconds. */
	readonly now: number;
	readonly sendQueues: SendQueues;
	readonly limits: LineLimits;
};

/** True if a connection has not moved a byte for too long, or too few while a request or an answer is on its way. */
export const isTooSlow = (connection: Connection, {now, sendQueues, limits}: Moment): boolean => {
	const movedBytes = countMovedBytes(connection.socket, sendQueues);
	if (movedBytes !== connection.movedBytes || isServiceWorking(connection)) {
		Object.assign(connection, {movedBytes, movedAt: now});
	}

	if (connection.exchanges.size === 0 || isServiceWorking(connection) || isKeptOpen(connection)) {
		connection.slowSince = undefined;
	} else if (connection.slowSince === undefined || now - connection.slowSince.time >= limits.slowMilliseconds) {
		const {time, movedBytes: before} = connection.slowSince ?? {time: now, movedBytes};
		connection.slowSince = {time: now, movedBytes};
		if (movedBytes - before < limits.leastBytesPerSecond * (now - time) / 1000) {
			return true;
		}
	}

	return now - connection.movedAt > limits.idleMilliseconds;
};

/** True if a body without an accepted key takes too long, or the rest of one that was answered already. */
export const hasLateBody = ({exchanges, lastAnswered}: Connection, {now, limits}: Moment): boolean => {
	const isLate = (request: IncomingMessage, since: number): boolean => !request.complete && now - since > limits.unknownBodyMilliseconds;
	return [...exchanges].some(({request, startedAt, isKeyAccepted}) => !isKeyAccepted && isLate(request, startedAt))
		|| (lastAnswered !== undefined && isLate(lastAnswered.request, lastAnswered.answeredAt));
};

const isWithoutKey = ({exchanges}: Connection): boolean => [...exchanges].every(({request, isKeyAccepted}) => !isKeyAccepted && !request.complete);

/** The connection that is given up first: the one that has been idle for longest, or that sends slowly and has shown no key; `undefined` if all are busy. */
export const findIdlest = (connections: readonly Connection[]): Connection | undefined => {
	const byRest = connections.toSorted((first, second) => first.movedAt - second.movedAt);
	return byRest.find(connection => connection.exchanges.size === 0) ?? byRest.find(connection => isWithoutKey(connection));
};
