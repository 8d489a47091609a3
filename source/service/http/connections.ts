import {type Server} from 'node:http';
import {type Socket} from 'node:net';

export type Connections = {
	/** Ends every connection on which no answer is under way, also one that has never asked anything. */
	endIdle(): void;
	endAll(): void;
};

/** Names a connection by its other end, which is the same for the plain socket and for the TLS one on top of it. */
const nameOf = ({remoteAddress, remotePort}: Socket): string => `${remoteAddress} ${remotePort}`;

/**
Knows which connections of a server are open, and on which of them an answer is under way. Node.js can end idle
connections too, but counts one that was opened and never used as busy: it would hold up a stop until its time-out.
*/
export const trackConnections = (server: Server): Connections => {
	const open = new Map<string, Socket>();
	const answersUnderWay = new Map<string, number>();
	const count = (name: string, change: 1 | -1): void => {
		answersUnderWay.set(name, (answersUnderWay.get(name) ?? 0) + change);
	};

	server.on('connection', socket => {
		const name = nameOf(socket);
		open.set(name, socket);
		socket.once('close', () => {
			open.delete(name);
			answersUnderWay.delete(name);
		});
	});
	server.on('request', (request, response) => {
		const name = nameOf(request.socket);
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
				if (!answersUnderWay.get(name)) {
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
