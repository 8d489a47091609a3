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
import {openConnection, type OpenConnection} from './connection.ts';
import {type FailedTries} from './failed-tries.ts';
import {type HostKey} from './host-key.ts';
import {type KeyRing} from './key-ring.ts';
import {type SessionPrograms} from './run-session.ts';
import {type SshLog} from './ssh-log.ts';

export type SshServer = {
	/** `ssh://HOST:PORT` */
	readonly address: string;
	readonly port: number;
	/** Ends the sessions whose keys are not let in any more as they were. */
	readonly checkKeys: () => void;
	/** Stops listening, tells everyone why, and resolves once all sessions have ended. */
	readonly close: (reason: SwitchboardError) => Promise<void>;
};

export type SshServerOptions = SessionPrograms & {
	readonly host: string;
	/** 0 means any free one. */
	readonly port: number;
	readonly hostKey: HostKey;
	readonly keyRing: Pick<KeyRing, 'find'>;
	readonly failedTries: FailedTries;
	/** True if no session may change anything. */
	readonly isReadOnly: boolean;
	/** Tells of an error that belongs to one session. */
	readonly reportFault: (error: unknown) => void;
	readonly log: SshLog;
	readonly mostSessions?: number;
};

/** How long a client may take to come in. */
const logInMilliseconds = 30_000;

/** Connections that nobody has come in through yet: of all together, and of one address. */
const mostUnknown = {all: 256, address: 128};

/** Lines stay open for a while without a session. */
const mostConnections = 400;

/** No SHA-1, no CBC, no compression; every client since OpenSSH 6.5 has these. Node.js itself does all that they need. */
const algorithms: NonNullable<ServerConfig['algorithms']> = {
	kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'],
	serverHostKey: ['ssh-ed25519'],
	cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
	hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
	compress: ['none'],
};

/** Never: the keep-alive of the connections does it. */
const keepaliveInterval = 2_147_483_647;

/** Listens for SSH, and lets in who has a key. */
export const startSshServer = async (options: SshServerOptions): Promise<SshServer> => {
	const {keyRing, log, failedTries, mostSessions = 200} = options;
	const unknown = new Map<Socket, {readonly source: string; readonly id: string}>();
	const byId = new Map<string, Socket>();
	const connections = new Set<OpenConnection>();
	let sessionCount = 0;
	let isClosing = false;

	const welcome = (connection: Connection, socket: Socket, address: string, authenticated: Authenticated): void => {
		unknown.delete(socket);
		const {key: {key}} = authenticated;
		const open = openConnection(connection, {
			openUi: options.openUi,
			runCommand: options.runCommand,
			socket,
			address,
			authenticated,
			findKey: () => keyRing.find(key.blob, address),
			isReadOnly: options.isReadOnly,
			takeSession() {
				const hasRoom = sessionCount < mostSessions;
				sessionCount += hasRoom ? 1 : 0;
				return hasRoom;
			},
			giveSession() {
				sessionCount--;
			},
			reportFault: options.reportFault,
			log,
		});
		connections.add(open);
		connection.once('close', () => {
			connections.delete(open);
		});
	};

	const handshakes = new ssh2.Server({
		hostKeys: [options.hostKey.text], algorithms, ident: 'Switchboard', keepaliveInterval,
	}, (connection, {ip, port}) => {
		// Garbage, a cut line: what the person has to know of it their client says.
		connection.on('error', () => undefined);
		const socket = byId.get(`${ip} ${port}`);
		if (socket === undefined) {
			connection.end();
			return;
		}

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
				connection.end();
				socket.destroySoon();
			},
		});
	});

	const admit = (socket: Socket): void => {
		const {remoteAddress, remotePort} = socket;
		socket.on('error', () => undefined);
		const source = plainAddress(remoteAddress ?? '');
		const fromThere = unknown.values().filter(each => each.source === source).reduce(count => count + 1, 0);
		if (isClosing || remoteAddress === undefined || unknown.size >= mostUnknown.all || fromThere >= mostUnknown.address || connections.size >= mostConnections) {
			socket.destroy();
			if (remoteAddress !== undefined && !isClosing) {
				log.refused({address: source, user: '', reason: 'there are too many connections.'});
			}

			return;
		}

		const id = `${remoteAddress} ${remotePort}`;
		byId.set(id, socket);
		unknown.set(socket, {source, id});
		socket.setNoDelay(true);
		const deadline = setTimeout(() => {
			if (unknown.has(socket)) {
				socket.destroy();
			}
		}, logInMilliseconds);
		socket.once('close', () => {
			clearTimeout(deadline);
			unknown.delete(socket);
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
			for (const socket of unknown.keys()) {
				socket.destroy();
			}

			await Promise.all([...connections].map(async connection => connection.end(reason)));
			// Who does not take the last bytes is not waited for.
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
