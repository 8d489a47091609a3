import type {Connection} from 'ssh2';
import {protocolOf, socketOf} from './inside-ssh2.ts';

/** Asks the client for replies, which come in the order of the requests. */
export type RoundTrips = {
	/** Calls back once the client has received everything sent so far. Never, if the line is cut. */
	readonly next: (callback: () => void) => void;
	/** True while the client owes a reply. */
	readonly isWaiting: () => boolean;
};

/**
A full window or a full socket shows too late that a line is slow: the system buffers megabytes that it cannot send yet, and the
client's window is as large.
*/
export const createRoundTrips = (connection: Connection): RoundTrips => {
	const protocol = protocolOf(connection);
	const socket = socketOf(connection);
	const waiting: Array<() => void> = [];
	const answered = (): void => {
		const callback = waiting.shift();
		if (callback === undefined) {
			// Who answers what was not asked does not read, and would seem to take everything.
			socket.destroy();
			return;
		}

		callback();
	};

	// The replies to `keepalive@openssh.com`, which every client must send (RFC 4254, section 4).
	protocol._handlers.REQUEST_SUCCESS = answered;
	protocol._handlers.REQUEST_FAILURE = answered;
	return {
		next(callback) {
			waiting.push(callback);
			protocol.ping();
		},
		isWaiting: () => waiting.length > 0,
	};
};

/** How much of an output is under way. */
export type Flow = {
	/** Counts bytes that were sent; calls back once few enough are under way to send more. */
	readonly sent: (bytes: number, callback: () => void) => void;
};

/** Keeps what is under way below a limit, and asks for a reply at half of it. */
export const createFlow = (roundTrips: RoundTrips, limitBytes: number): Flow => {
	let sentBytes = 0;
	let takenBytes = 0;
	let isAsking = false;
	const waiting: Array<() => void> = [];

	const hasRoom = (): boolean => sentBytes - takenBytes <= limitBytes;

	const ask = (): void => {
		const askedAt = sentBytes;
		isAsking = true;
		roundTrips.next(() => {
			isAsking = false;
			takenBytes = askedAt;
			if (sentBytes - takenBytes >= limitBytes / 2) {
				ask();
			}

			while (hasRoom() && waiting.length > 0) {
				waiting.shift()!();
			}
		});
	};

	return {
		sent(bytes, callback) {
			sentBytes += bytes;
			if (!isAsking && sentBytes - takenBytes >= limitBytes / 2) {
				ask();
			}

			if (hasRoom()) {
				callback();
			} else {
				waiting.push(callback);
			}
		},
	};
};
