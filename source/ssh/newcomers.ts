import {type Socket} from 'node:net';

/** The lines that nobody has come in through yet. */
export type Newcomers = {
	/** True if one more line from the address may wait. */
	readonly hasRoom: (address: string) => boolean;
	/** Adds a line, which is cut if nobody comes in through it in time. */
	readonly add: (socket: Socket, address: string) => void;
	/** Somebody came in through it. */
	readonly remove: (socket: Socket) => void;
	/** Cuts them all. */
	readonly cut: () => void;
};

/** How long a client may take to come in. */
const logInMilliseconds = 30_000;

/** How many may wait at once: of all together, and of one address. */
const most = {all: 256, address: 128};

export const createNewcomers = (): Newcomers => {
	const addresses = new Map<Socket, string>();
	return {
		hasRoom(address) {
			const fromThere = addresses.values().filter(each => each === address).reduce(count => count + 1, 0);
			return addresses.size < most.all && fromThere < most.address;
		},
		add(socket, address) {
			addresses.set(socket, address);
			const deadline = setTimeout(() => {
				if (addresses.has(socket)) {
					socket.destroy();
				}
			}, logInMilliseconds);
			socket.once('close', () => {
				clearTimeout(deadline);
				addresses.delete(socket);
			});
		},
		remove(socket) {
			addresses.delete(socket);
		},
		cut() {
			for (const socket of addresses.keys()) {
				socket.destroy();
			}
		},
	};
};
