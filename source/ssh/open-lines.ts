import type {Socket} from 'node:net';
import {createShares} from './shares.ts';

/** The lines of those who are in. Each key has its share of them. */
export type OpenLines = {
	/**
	Adds a line of a key until it is closed. If the key has its share, the line of it that has been without a session for longest is
	cut for the new one.

	@returns false if all of them have sessions.
	*/
	readonly add: (socket: Socket, key: string) => boolean;
	readonly sessionStarted: (socket: Socket) => void;
	readonly sessionEnded: (socket: Socket) => void;
};

type Line = {readonly key: string; readonly sessions: number};

export const createOpenLines = (most: number): OpenLines => {
	const shares = createShares(most);
	// The last one is the one that was used last.
	const lines = new Map<Socket, Line>();

	const remove = (socket: Socket): void => {
		const line = lines.get(socket);
		if (line === undefined) {
			return;
		}

		lines.delete(socket);
		shares.give(line.key);
	};

	const countSession = (socket: Socket, change: number): void => {
		const line = lines.get(socket);
		if (line === undefined) {
			return;
		}

		lines.delete(socket);
		lines.set(socket, {...line, sessions: line.sessions + change});
	};

	const makeRoom = (key: string): void => {
		const unused = lines.entries().find(([, line]) => line.key === key && line.sessions === 0);
		if (unused === undefined) {
			return;
		}

		const [socket] = unused;
		remove(socket);
		socket.destroy();
	};

	return {
		add(socket, key) {
			if (!shares.take(key)) {
				makeRoom(key);
				if (!shares.take(key)) {
					return false;
				}
			}

			lines.set(socket, {key, sessions: 0});
			socket.once('close', () => {
				remove(socket);
			});
			return true;
		},
		sessionStarted(socket) {
			countSession(socket, 1);
		},
		sessionEnded(socket) {
			countSession(socket, -1);
		},
	};
};
