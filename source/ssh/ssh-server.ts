import {once} from 'node:events';
import {
	createServer,
	isIPv6,
	type AddressInfo,
	type Socket,
} from 'node:net';
import ssh2, {type Connection, type ServerConfig} from 'ssh2';
import type {SwitchboardError} from '../interface/errors.ts';
import {toListenError} from '../interface/listen-error.ts';
import {plainAddress} from './address-list.ts';
import {authenticate, type Authenticated} from './authenticate.ts';
import {openConnection, type ConnectionOptions, type OpenConnection} from './connection.ts';
import {type FailedTries} from './failed-tries.ts';
import {guardMessages} from './guard-messages.ts';
import {hangUp} from './hang-up.ts';
import {type HostKey} from './host-key.ts';
import {offerFirst} from './inside-ssh2.ts';
import {type KeyRing} from './key-ring.ts';
import {isMlKemSupported, mlKemExchange} from './ml-kem-exchange.ts';
import {createNewcomers} from './newcomers.ts';
import {createOpenLines} from './open-lines.ts';
import {createShares} from './shares.ts';

export type SshServer = {
	/** `ssh://HOST:PORT` */
	readonly address: string;
	readonly port: number;
	/** Ends the sessions whose keys were removed or restricted, or whose profiles were removed or changed. */
	readonly checkKeys: () => void;
	/** Stops listening, tells everyone why, and resolves once all sessions have ended. */
	readonly close: (reason: SwitchboardError) => Promise<void>;
};

export type SshServerOptions = Pick<ConnectionOptions, 'openUi' | 'runCommand' | 'describeProfile' | 'isReadOnly' | 'reportFault' | 'log' | 'requestMilliseconds'> & {
	readonly host: string;
	/** 0 means any free one. */
	readonly port: number;
	readonly hostKey: HostKey;
	readonly keyRing: Pick<KeyRing, 'find'>;
	readonly failedTries: FailedTries;
	readonly mostSessions?: number;
	/** Lines stay open for a while without a session. */
	readonly mostLines?: number;
};

/**
No SHA-1, no curves of NIST, no CBC, no MAC of what was not encrypted yet, no compression; every client since OpenSSH 6.5 has these. Node.js
itself implements them.
*/
const algorithms: NonNullable<ServerConfig['algorithms']> = {
	kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
	serverHostKey: ['ssh-ed25519'],
	cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
	hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
	compress: ['none'],
};

/** Never: each connection has a keep-alive of its own. */
const keepaliveInterval = 2_147_483_647;

/** Listens for SSH, and lets in those who have a listed key. */
export const startSshServer = async (options: SshServerOptions): Promise<SshServer> => {
	const {keyRing, log, failedTries, mostSessions = 200, mostLines = 400} = options;
	const refuse = (address: string): void => {
		log.refused({address, user: '', reason: 'there are too many connections.'});
	};

	const newcomers = createNewcomers({onCrowd: refuse});
	const byId = new Map<string, Socket>();
	const connections = new Set<OpenConnection>();
	const lines = createOpenLines(mostLines);
	const sessions = createShares(mostSessions);
	const hasMlKem = isMlKemSupported();
	let isClosing = false;

	const welcome = (connection: Connection, socket: Socket, address: string, authenticated: Authenticated): void => {
		newcomers.remove(socket);
		const {key: {key}} = authenticated;
		if (!lines.add(socket, key.fingerprint)) {
			socket.destroy();
			refuse(address);
			return;
		}

		const open = openConnection(connection, {
			...options,
			socket,
			address,
			authenticated,
			findKey: () => keyRing.find(key.blob, address),
			takeSession() {
				const isTaken = sessions.take(key.fingerprint);
				if (isTaken) {
					lines.sessionStarted(socket);
				}

				return isTaken;
			},
			giveSession() {
				sessions.give(key.fingerprint);
				lines.sessionEnded(socket);
			},
		});
		connections.add(open);
		connection.once('close', () => {
			connections.delete(open);
		});
	};

	const handshakes = new ssh2.Server({
		hostKeys: [options.hostKey.text], algorithms, ident: 'Switchboard', keepaliveInterval,
	}, (connection, {ip, port}) => {
		// Garbage or a cut line: the client tells its user.
		connection.on('error', () => undefined);
		const socket = byId.get(`${ip} ${port}`);
		if (socket === undefined) {
			connection.end();
			return;
		}

		newcomers.greeted(socket);
		if (hasMlKem) {
			offerFirst(connection, mlKemExchange);
		}

		guardMessages(connection, socket);
		const address = plainAddress(ip);
		authenticate(connection, {
			address,
			find: keyRing.find,
			failedTries,
			log,
			onSuccess(authenticated) {
				welcome(connection, socket, address, authenticated);
			},
			hangUp() {
				hangUp(connection, socket);
			},
		});
	});

	const admit = (socket: Socket): void => {
		const {remoteAddress, remotePort} = socket;
		socket.on('error', () => undefined);
		if (isClosing || remoteAddress === undefined) {
			socket.destroy();
			return;
		}

		const id = `${remoteAddress} ${remotePort}`;
		byId.set(id, socket);
		newcomers.add(socket, plainAddress(remoteAddress));
		socket.setNoDelay(true);
		socket.once('close', () => {
			byId.delete(id);
		});
		handshakes.injectSocket(socket);
	};

	const listener = createServer(admit);
	try {
		listener.listen({host: options.host, port: options.port, exclusive: true});
		await once(listener, 'listening');
	} catch (error) {
		throw toListenError(error, options.host, options.port);
	}

	// A connection that cannot be taken, for instance for want of file descriptors, is no reason to end.
	listener.on('error', error => {
		log.note(`A connection could not be taken: ${error.message}`);
	});
	const {port} = listener.address() as AddressInfo;
	return {
		address: `ssh://${isIPv6(options.host) ? `[${options.host}]` : options.host}:${port}`,
		port,
		checkKeys() {
			for (const connection of connections) {
				connection.checkKey();
			}
		},
		async close(reason) {
			isClosing = true;
			const {promise: closed, resolve} = Promise.withResolvers<void>();
			listener.close(() => {
				resolve();
			});
			newcomers.cut();
			await Promise.all([...connections].map(async connection => connection.end(reason)));
			// Clients that do not read the last bytes are not waited for.
			const deadline = setTimeout(() => {
				for (const socket of byId.values()) {
					socket.destroy();
				}
			}, 2000);
			await closed;
			clearTimeout(deadline);
		},
	};
};
