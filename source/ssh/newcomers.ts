import {type Socket} from 'node:net';
import {networkOf} from './network-of.ts';

/** The connections on which nobody was let in yet. */
export type Newcomers = {
	/**
	Adds a connection, which is cut if nobody is let in on it in time. If that makes too many, another one is cut for it, so that those
	who only occupy connections lock nobody out.
	*/
	readonly add: (socket: Socket, address: string) => void;
	/** A client has told what it is. */
	readonly greeted: (socket: Socket) => void;
	/** Somebody was let in on it. */
	readonly remove: (socket: Socket) => void;
	/** Cuts them all. */
	readonly cut: () => void;
};

type Options = {
	/** A line was cut to make room for another one. */
	readonly onCrowd: (address: string) => void;
	/** How long a client may take to tell what it is, which each does at once. */
	readonly silentMilliseconds?: number;
};

/** How long a client may take to log in. */
const logInMilliseconds = 30_000;

/** How many may wait at once: of all together, and of one network. */
const most = {all: 256, network: 32};

type Newcomer = {readonly socket: Socket; readonly address: string; readonly network: string; isSilent: boolean};

/** The one to cut: of those who say nothing the one that waits longest, else the one that waits longest. */
const worst = (newcomers: readonly Newcomer[]): Newcomer => newcomers.find(({isSilent}) => isSilent) ?? newcomers[0]!;

export const createNewcomers = ({onCrowd, silentMilliseconds = 5000}: Options): Newcomers => {
	const newcomers = new Map<Socket, Newcomer>();
	const cut = ({socket, address}: Newcomer): void => {
		newcomers.delete(socket);
		socket.destroy();
		onCrowd(address);
	};

	const makeRoom = (network: string): void => {
		const byNetwork = Map.groupBy(newcomers.values(), each => each.network);
		const neighbours = byNetwork.get(network) ?? [];
		if (neighbours.length >= most.network) {
			cut(worst(neighbours));
		} else if (newcomers.size >= most.all) {
			cut(worst(byNetwork.values().reduce((crowd, each) => each.length > crowd.length ? each : crowd)));
		}
	};

	return {
		add(socket, address) {
			const network = networkOf(address);
			makeRoom(network);
			const newcomer: Newcomer = {
				socket, address, network, isSilent: true,
			};
			newcomers.set(socket, newcomer);
			const cutIf = (isLate: () => boolean, milliseconds: number): NodeJS.Timeout => setTimeout(() => {
				if (newcomers.has(socket) && isLate()) {
					socket.destroy();
				}
			}, milliseconds);
			const deadlines = [cutIf(() => newcomer.isSilent, silentMilliseconds), cutIf(() => true, logInMilliseconds)];
			socket.once('close', () => {
				for (const deadline of deadlines) {
					clearTimeout(deadline);
				}

				newcomers.delete(socket);
			});
		},
		greeted(socket) {
			const newcomer = newcomers.get(socket);
			if (newcomer !== undefined) {
				newcomer.isSilent = false;
			}
		},
		remove(socket) {
			newcomers.delete(socket);
		},
		cut() {
			for (const socket of newcomers.keys()) {
				socket.destroy();
			}
		},
	};
};
