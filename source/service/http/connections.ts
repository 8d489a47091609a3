import {type Server} from 'node:http';
import {type Socket} from 'node:net';

type Connections = {
	/** Ends every connection without an answer in progress, even one that has never sent a request. */
	endIdle(): void;
	endAll(): void;
};

/** The remote end of a connection, which is the same for the plain socket and for the TLS socket on top of it. */
const remoteEndOf = ({remoteAddress, remotePort}: Socket): string => `${remoteAddress} ${remotePort}`;

/**
Tracks which connections of a server are open, and which of them have an answer in progress. Node.js can end idle connections
too, but counts one that was opened and never used as busy: it would delay a stop until its timeout.
*/
export const trackConnections = (server: Server): Connections => {
	const open = new Map<string, Socket>();
	const answersInProgress = new Map<string, number>();
	const count = (name: string, change: 1 | -1): void => {
		answersInProgress.set(name, (answersInProgress.get(name) ?? 0) + change);
	};

	server.on('connection', socket => {
		const name = remoteEndOf(socket);
		open.set(name, socket);
		socket.once('close', () => {
			open.delete(name);
			answersInProgress.delete(name);
		});
	});
	server.on('request', (request, response) => {
		const name = remoteEndOf(request.socket);
		count(name, 1);
		response.once('close', () => {
			if (open.has(name)) {
				count(name, -1);
			}
		});
	});

	return {
		endIdle() {
			for (const [name, socket] of open) {
				if (!answersInProgress.get(name)) {
					socket.destroy();
				}
			}
		},
		endAll() {
			for (const socket of open.values()) {
				socket.destroy();
			}
		},
	};
};
