import {once} from 'node:events';
import {createServer, isIPv6, type AddressInfo, type Socket} from 'node:net';
import ssh2, {type Connection, type ServerConfig} from 'ssh2';
import {toListenError, type SwitchboardError} from '../interface/errors.ts';
import {addressGroup, plainAddress} from '../platform/ip-address.ts';
import {authenticate, createFailedTries, type Authenticated} from './authenticate.ts';
import {hangUp, openConnection, type ConnectionOptions, type OpenConnection} from './connection.ts';
import type {openHostKey} from './host-key.ts';
import {filterMessages, offerFirst, refuseSmallPackets, sendBothOutputs, socketOf, isMlKemSupported, mlKemExchange} from './inside-ssh2.ts';
import type {KeyRing} from './key-ring.ts';

export type SshServerOptions = Pick<
	ConnectionOptions,
	'openUi' | 'runCommand' | 'describeProfile' | 'isReadOnly' | 'reportFault' | 'log'
> & {
	readonly host: string;
	/** 0 means any free port. */
	readonly port: number;
	readonly hostKey: ReturnType<typeof openHostKey>;
	readonly keyRing: Pick<KeyRing, 'find'>;
	readonly limits?: Partial<typeof usualLimits>;
};

/** A single key gets at most half of the connections and sessions. */
const usualLimits = {
	/** Connections after log-in; they stay open for a while without a session. */
	connections: 400,
	sessions: 200,
	/** Connections before log-in, in total and for each address. */
	newcomers: 256,
	newcomersOfAddress: 32,
	/** For a client to send its name, and to log in. */
	silentMilliseconds: 5000,
	logInMilliseconds: 30_000,
	/** For a client's first request on a channel. */
	requestMilliseconds: 30_000,
	/** The additional delay after each failed attempt of an address. */
	failedTryMilliseconds: 100,
};

/**
No SHA-1, no curves of NIST, no CBC, no compression; every client since OpenSSH 6.5 has these, and Dropbear's since 2020.79. Node.js itself
implements them, unlike the poly1305 of chacha20-poly1305, which OpenSSH would choose first. The last MAC covers the unencrypted text: only
clients without GCM and without the other MACs, such as Dropbear's, get it.
*/
const algorithms: NonNullable<ServerConfig['algorithms']> = {
	kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
	serverHostKey: ['ssh-ed25519'],
	cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
	hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256'],
	compress: ['none'],
};

/** Practically never: each connection already has its own keep-alive. */
const keepaliveInterval = 2_147_483_647;

const userAuthRequest = 50;

/** The messages before log-in (RFC 4250, section 4.1.2): disconnect, ignore, unimplemented, debug, service, extensions, keys, log-in. */
const beforeLogIn: ReadonlySet<number | undefined> = new Set([1, 2, 3, 4, 5, 7, 20, userAuthRequest]);

/** More than an agent with many keys needs, with a question and a signature for each. */
const mostBeforeLogIn = {messages: 256, bytes: 512 * 1024, unsentBytes: 64 * 1024};

/** Ten sessions have 5 MB under way at the most. */
const mostUnsentBytes = 8 * 1024 * 1024;

/** Messages that each get an answer: new keys, requests and channels (RFC 4250, section 4.1.2). */
const asking: ReadonlySet<number | undefined> = new Set([20, 80, 90, 98]);

/** Answers that the client has not received yet. Each is small, but costs far more memory than its bytes. */
const mostUnsentAnswers = 1000;

/**
Every client takes packets of 32 KB (RFC 4253, section 6.1), and clients for the smallest machines some kilobytes. Smaller packets would
cut an output into countless parts; empty ones would never end.
*/
const smallestPacketBytes = 1024;

/** Listens for SSH, and lets in clients with a listed key. */
export async function startSshServer(options: SshServerOptions) {
	const {keyRing, log} = options;
	const limits = {...usualLimits, ...options.limits};
	const failedTries = createFailedTries(limits.failedTryMilliseconds);
	const sockets = new Set<Socket>();
	/** The oldest first. */
	const newcomers = new Map<Socket, {readonly address: string; readonly group: string; deadline: NodeJS.Timeout}>();
	const connections = new Set<OpenConnection>();
	const hasMlKem = isMlKemSupported();
	let isClosing = false;

	const refuse = (socket: Socket, address: string): void => {
		socket.destroy();
		log.refused({address, user: '', reason: 'there are too many connections.'});
	};

	const removeNewcomer = (socket: Socket): void => {
		clearTimeout(newcomers.get(socket)?.deadline);
		newcomers.delete(socket);
	};

	const cutIn = (socket: Socket, milliseconds: number): NodeJS.Timeout =>
		setTimeout(() => {
			socket.destroy();
		}, milliseconds);

	/** The oldest newcomer makes room, so that clients that only occupy connections lock nobody out. */
	const addNewcomer = (socket: Socket, address: string): void => {
		const group = addressGroup(address) ?? address;
		const neighbours = [...newcomers].filter(([, other]) => other.group === group);
		const oldest =
			neighbours.length >= limits.newcomersOfAddress
				? neighbours[0]
				: newcomers.size >= limits.newcomers
					? newcomers.entries().next().value
					: undefined;
		if (oldest !== undefined) {
			removeNewcomer(oldest[0]);
			refuse(oldest[0], oldest[1].address);
		}

		newcomers.set(socket, {address, group, deadline: cutIn(socket, limits.silentMilliseconds)});
	};

	const ofKey = (fingerprint: string): readonly OpenConnection[] => [...connections].filter(each => each.fingerprint === fingerprint);

	/** A key with all its connections in use loses the oldest one without a session. */
	const makeRoom = (fingerprint: string): boolean => {
		const own = ofKey(fingerprint);
		const unused = own.find(({sessionCount}) => sessionCount() === 0);
		if (own.length < limits.connections / 2) {
			return connections.size < limits.connections;
		}

		unused?.cut();
		return unused !== undefined;
	};

	const welcome = (connection: Connection, socket: Socket, address: string, authenticated: Authenticated): void => {
		removeNewcomer(socket);
		const {key} = authenticated.key;
		if (!makeRoom(key.fingerprint)) {
			refuse(socket, address);
			return;
		}

		const open = openConnection(connection, {
			...options,
			socket,
			address,
			authenticated,
			requestMilliseconds: limits.requestMilliseconds,
			findKey: () => keyRing.find(key.blob, address),
			hasRoom: () => sum([...connections]) < limits.sessions && sum(ofKey(key.fingerprint)) < limits.sessions / 2,
			onGone() {
				connections.delete(open);
			},
		});
		connections.add(open);
	};

	const handshakes = new ssh2.Server(
		{hostKeys: [options.hostKey.text], algorithms, ident: 'Switchboard', keepaliveInterval},
		(connection, {ip}) => {
			// Garbage or a cut connection, which the client reports to its user.
			connection.on('error', () => undefined);
			const socket = socketOf(connection);
			const newcomer = newcomers.get(socket);
			if (newcomer !== undefined) {
				clearTimeout(newcomer.deadline);
				newcomer.deadline = cutIn(socket, limits.logInMilliseconds);
			}

			if (hasMlKem) {
				offerFirst(connection, mlKemExchange.name, mlKemExchange.answer);
			}

			guardMessages(connection);
			sendBothOutputs(connection);
			const address = plainAddress(ip) ?? ip;
			authenticate(connection, {
				address,
				find: keyRing.find,
				failedTries,
				log,
				onSuccess: authenticated => welcome(connection, socket, address, authenticated),
				hangUp: () => hangUp(connection, socket),
			});
		},
	);

	const listener = createServer(socket => {
		const address = plainAddress(socket.remoteAddress);
		socket.on('error', () => undefined);
		if (isClosing || address === undefined) {
			socket.destroy();
			return;
		}

		sockets.add(socket);
		socket.once('close', () => {
			sockets.delete(socket);
			removeNewcomer(socket);
		});
		addNewcomer(socket, address);
		socket.setNoDelay(true);
		handshakes.injectSocket(socket);
	});
	try {
		listener.listen({host: options.host, port: options.port, exclusive: true});
		await once(listener, 'listening');
	} catch (error) {
		throw toListenError(error, options.host, options.port);
	}

	// A connection that cannot be accepted, for example for lack of file descriptors, must not end the server.
	listener.on('error', error => log.note(`A connection could not be taken: ${error.message}`));
	const {port} = listener.address() as AddressInfo;
	return {
		address: `ssh://${isIPv6(options.host) ? `[${options.host}]` : options.host}:${port}`,
		port,
		/** Ends the sessions whose keys were removed or restricted, or whose profiles were removed or changed. */
		checkKeys() {
			for (const connection of connections) {
				connection.checkKey();
			}
		},
		/** Stops listening, tells everyone the reason, and resolves once all sessions have ended. */
		async close(reason: SwitchboardError): Promise<void> {
			isClosing = true;
			const {promise: closed, resolve} = Promise.withResolvers<void>();
			listener.close(() => resolve());
			for (const socket of newcomers.keys()) {
				socket.destroy();
			}

			await Promise.all([...connections].map(async connection => connection.end(reason)));
			// The server does not wait for clients that do not read the last bytes.
			const deadline = setTimeout(() => {
				for (const socket of sockets) {
					socket.destroy();
				}
			}, 2000);
			await closed;
			clearTimeout(deadline);
		},
	};
}

const sum = (connections: readonly OpenConnection[]): number => connections.reduce((total, {sessionCount}) => total + sessionCount(), 0);

/**
Cuts the connection of a client that sends useless messages or lets the answers pile up, and refuses channels that could not be served. Must
be called before the first message.
*/
function guardMessages(connection: Connection): void {
	const socket = socketOf(connection);
	let count = 0;
	let unsentAnswers = 0;
	let isIn = false;
	filterMessages(connection, (type, isLoggedIn, waitingLogIns) => {
		isIn = isLoggedIn;
		if (isLoggedIn) {
			unsentAnswers = socket.writableLength === 0 ? 0 : unsentAnswers + (asking.has(type) ? 1 : 0);
			return unsentAnswers <= mostUnsentAnswers && socket.writableLength <= mostUnsentBytes;
		}

		count++;
		return (
			beforeLogIn.has(type) &&
			count <= mostBeforeLogIn.messages &&
			socket.writableLength <= mostBeforeLogIn.unsentBytes &&
			// The library would answer several in another order than they came, and throw where nothing catches it.
			(type !== userAuthRequest || waitingLogIns === 0)
		);
	});
	// During the key exchange, messages take another way.
	socket.on('data', () => {
		if (!isIn && socket.bytesRead > mostBeforeLogIn.bytes) {
			socket.destroy();
		}
	});
	refuseSmallPackets(connection, smallestPacketBytes);
}
