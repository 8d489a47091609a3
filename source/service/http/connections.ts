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
	const open = new Map<string, {readonly socket: Socket; answersInProgress: number}>();

	server.on('connection', socket => {
		const remoteEnd = remoteEndOf(socket);
		open.set(remoteEnd, {socket, answersInProgress: 0});
		socket.once('close', () => {
			open.delete(remoteEnd);
		});
	});
	server.on('request', (request, response) => {
		const connection = open.get(remoteEndOf(request.socket));
		if (connection === undefined) {
			return;
		}

		connection.answersInProgress++;
		response.once('close', () => {
			connection.answersInProgress--;
		});
	});

	const end = (isToEnd: (answersInProgress: number) => boolean): void => {
		for (const {socket, answersInProgress} of open.values()) {
			if (isToEnd(answersInProgress)) {
				socket.destroy();
			}
		}
	};

	return {
		endIdle() {
			end(answersInProgress => answersInProgress === 0);
		},
		endAll() {
			end(() => true);
		},
	};
};
