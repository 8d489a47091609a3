import {Buffer} from 'node:buffer';
import {createHash, createPublicKey, diffieHellman, encapsulate, generateKeyPairSync, type KeyObject} from 'node:crypto';
import type {Socket} from 'node:net';
import type {Connection, Session} from 'ssh2';

/*
The private fields of `ssh2`, where it has no public function. Nothing else reads them, and a test names the version that they were taken
from. An exchange of keys that `ssh2` does not know would need a list of them in the options of the server, each with a name, a hash and the
answer to the client's first message; mscdex/ssh2 pull request #1471 adds this one.
*/

type Names = {readonly array: readonly string[]};

type Offer = {readonly lists: Readonly<Record<'kex' | 'serverHostKey', Names> & Record<'cs' | 'sc', Readonly<Record<string, Names>>>>};

type Receive = (payload: Buffer) => unknown;

type Write = (bytes: Buffer, encoding: null, done: () => void) => void;

/** A channel with the data that waits for the client's window. */
type Waiting = {
	readonly outgoing: {window: number};
	readonly _write: Write;
	readonly stderr: {readonly _write: Write};
	_waitWindow: boolean;
	readonly _chunk?: Buffer | undefined;
	readonly _chunkcb?: () => void;
	readonly _chunkErr?: Buffer | undefined;
	readonly _chunkcbErr?: () => void;
};

type Inside = {
	readonly _protocol: {
		/** Receives each message after the key exchange, before it is answered. */
		_onPayload: Receive;
		/** Receives each message of the first exchange. */
		readonly _decipher: {_onPayload: Receive};
		readonly _handlers: {
			CHANNEL_OPEN: (protocol: unknown, request: {readonly sender: number; readonly packetSize: number}) => void;
			CHANNEL_WINDOW_ADJUST: (protocol: unknown, recipient: number, amount: number) => void;
			REQUEST_SUCCESS: () => void;
			REQUEST_FAILURE: () => void;
		};
		readonly _authsQueue: readonly unknown[];
		readonly _authenticated: boolean;
		_offer: Offer;
		/** The current exchange, or the last one. */
		readonly _kex: object | undefined;
		readonly channelOpenFail: (sender: number, reason: number, description: string) => void;
		readonly channelClose: (id: number) => void;
		readonly ping: () => void;
	};
	readonly _chanMgr: {
		readonly remove: (id: number) => void;
		/** A session gets its channel once something runs in it. */
		readonly get: (id: number) => Waiting | number | null | undefined | {readonly _channel?: Waiting};
	};
	readonly _sock: Socket;
};

const insideOf = (connection: Connection): Inside => connection as unknown as Inside;

export function socketOf(connection: Connection): Socket {
	return insideOf(connection)._sock;
}

/** Asks for a reply, which every client must send (`keepalive@openssh.com`; RFC 4254, section 4). */
export function ping(connection: Connection): void {
	insideOf(connection)._protocol.ping();
}

export function onReply(connection: Connection, callback: () => void): void {
	Object.assign(insideOf(connection)._protocol._handlers, {REQUEST_SUCCESS: callback, REQUEST_FAILURE: callback});
}

/** Cuts the connection at the first message that is not allowed. */
export function filterMessages(
	connection: Connection,
	isAllowed: (type: number | undefined, isLoggedIn: boolean, waitingLogIns: number) => boolean,
): void {
	const {_protocol: protocol, _sock: socket} = insideOf(connection);
	const receive = protocol._onPayload;
	protocol._onPayload = payload => {
		if (!socket.destroyed && isAllowed(payload[0], protocol._authenticated, protocol._authsQueue.length)) {
			return receive(payload);
		}

		socket.destroy();
		// The rest of its packet is dropped.
		return Infinity;
	};
}

/** Resource shortage (RFC 4254, section 5.1). */
const resourceShortage = 4;

/** Refuses channels whose packets may hold fewer bytes. */
export function refuseSmallPackets(connection: Connection, leastBytes: number): void {
	const {_protocol: protocol} = insideOf(connection);
	const {CHANNEL_OPEN: openChannel} = protocol._handlers;
	protocol._handlers.CHANNEL_OPEN = (_, request) => {
		if (request.packetSize < leastBytes) {
			protocol.channelOpenFail(request.sender, resourceShortage, '');
		} else {
			openChannel(_, request);
		}
	};
}

/**
Sends the output that waits for room in the client's window. `ssh2` keeps a part of standard output after sending it: if both outputs wait,
as with the small window of Dropbear, it sends that part again instead of standard error, which then never arrives.
*/
export function sendBothOutputs(connection: Connection): void {
	const {
		_protocol: {_handlers: handlers},
		_chanMgr: channels,
	} = insideOf(connection);
	handlers.CHANNEL_WINDOW_ADJUST = (_, recipient, amount) => {
		const found = channels.get(recipient);
		const channel = typeof found === 'object' && found !== null ? ('outgoing' in found ? found : found._channel) : undefined;
		if (channel === undefined) {
			return;
		}

		channel.outgoing.window += amount;
		const {_chunk: output, _chunkcb: done, _chunkErr: errors, _chunkcbErr: errorsDone} = channel;
		Object.assign(channel, {_waitWindow: false, _chunk: undefined, _chunkErr: undefined});
		if (output !== undefined) {
			channel._write(output, null, done!);
		}

		if (errors !== undefined) {
			channel.stderr._write(errors, null, errorsDone!);
		}
	};
}

/** Closes and forgets a channel without a request. `ssh2` itself neither answers a client that closes such a channel nor forgets it. */
export function closeUnused(connection: Connection, channel: Session): void {
	const {
		_chanInfo: {incoming, outgoing},
	} = channel as unknown as {readonly _chanInfo: Record<'incoming' | 'outgoing', {readonly id: number}>};
	insideOf(connection)._protocol.channelClose(outgoing.id);
	insideOf(connection)._chanMgr.remove(incoming.id);
}

/** The name of an exchange with the same messages and hash, shown to `ssh2` because it knows only its own names. */
const standIn = 'curve25519-sha256';

/**
Puts an exchange with SHA-256 of one message and its answer (RFC 5656, section 4) first in the server's offer, which is sent as soon as the
connection is open.

@param answer - returns the secret as the bytes of a string; throws if the client's message is not valid.
*/
export function offerFirst(
	connection: Connection,
	name: string,
	answer: (request: Buffer) => {readonly reply: Buffer; readonly secret: Buffer},
): void {
	const {_protocol: protocol} = insideOf(connection);
	const {kex, serverHostKey, cs, sc} = protocol._offer.lists;
	const namesOf = (lists: Offer['lists']['cs']) => Object.fromEntries(Object.entries(lists).map(([kind, {array}]) => [kind, array]));
	const offered = [name, ...kex.array];
	protocol._offer = new (protocol._offer.constructor as new (lists: object) => Offer)({
		kex: offered,
		serverHostKey: serverHostKey.array,
		cs: namesOf(cs),
		sc: namesOf(sc),
	});
	const takeOver =
		(receive: Receive): Receive =>
		payload => {
			const names = proposedExchanges(payload);
			if (names.find(each => offered.includes(each)) !== name) {
				return receive(payload);
			}

			const before = protocol._kex;
			const result = receive(
				withExchanges(
					payload,
					names.map(each => (each === name ? standIn : each)),
				),
			);
			if (protocol._kex !== undefined && protocol._kex !== before) {
				let reply: Buffer | undefined;
				Object.assign(protocol._kex, {
					_remoteKexinit: payload,
					convertPublicKey: (request: Buffer) => request,
					computeSecret(request: Buffer) {
						try {
							const answered = answer(request);
							({reply} = answered);
							return answered.secret;
						} catch (error) {
							return error;
						}
					},
					getPublicKey: () => reply,
				});
			}

			return result;
		};

	protocol._decipher._onPayload = takeOver(protocol._decipher._onPayload);
	protocol._onPayload = takeOver(protocol._onPayload);
}

const keyExchangeInit = 20;

/** The list of exchanges comes after the type and the cookie (RFC 4253, section 7.1). */
const listStart = 17;

/** Returns the exchanges that a client proposes; none for another message, or for a message that is cut short, which `ssh2` finds too. */
function proposedExchanges(payload: Buffer): readonly string[] {
	const start = listStart + 4;
	const end = payload.length < start ? Infinity : start + payload.readUInt32BE(listStart);
	return payload[0] !== keyExchangeInit || end > payload.length ? [] : payload.toString('latin1', start, end).split(',');
}

/** Returns the message with other exchanges. */
function withExchanges(payload: Buffer, names: readonly string[]): Buffer {
	const list = Buffer.from(`\0\0\0\0${names.join(',')}`, 'latin1');
	list.writeUInt32BE(list.length - 4);
	return Buffer.concat([payload.subarray(0, listStart), list, payload.subarray(listStart + 4 + payload.readUInt32BE(listStart))]);
}

/** The DER of a public key up to the key itself (RFC 5280, section 4.1), for 2.16.840.1.101.3.4.4.2 and 1.3.101.110. */
const prefixes = {
	mlKem768: Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex'),
	x25519: Buffer.from('302a300506032b656e032100', 'hex'),
};

const mlKemBytes = 1184;

const x25519Bytes = 32;

const publicKeyOf = (prefix: Buffer, bytes: Uint8Array): KeyObject =>
	createPublicKey({key: Buffer.concat([prefix, bytes]), format: 'der', type: 'spki'});

/** Tells whether ML-KEM is supported: it came with Node.js 24.7, and needs OpenSSL 3.5, which a system's own Node.js may lack. */
export function isMlKemSupported(): boolean {
	try {
		generateKeyPairSync('ml-kem-768');
		return typeof encapsulate === 'function';
	} catch {
		return false;
	}
}

/**
ML-KEM-768 and X25519 together: the secret is safe while either holds (draft-ietf-sshm-mlkem-hybrid-kex, section 2). OpenSSH has it since
9.9, prefers it since 10.0, and warns of exchanges that a quantum computer could break since 10.1.
*/
export const mlKemExchange = {
	name: 'mlkem768x25519-sha256',
	answer(request: Buffer) {
		if (request.length !== mlKemBytes + x25519Bytes) {
			throw new Error(`${request.length} bytes instead of ${mlKemBytes + x25519Bytes}`);
		}

		// Both calls refuse keys that are not valid, and X25519 a secret of zeros (FIPS 203, section 7.2; RFC 8731, section 3).
		const {ciphertext, sharedKey} = encapsulate(publicKeyOf(prefixes.mlKem768, request.subarray(0, mlKemBytes)));
		const own = generateKeyPairSync('x25519');
		const classical = diffieHellman({privateKey: own.privateKey, publicKey: publicKeyOf(prefixes.x25519, request.subarray(mlKemBytes))});
		return {
			reply: Buffer.concat([ciphertext, own.publicKey.export({format: 'der', type: 'spki'}).subarray(-x25519Bytes)]),
			secret: createHash('sha256').update(sharedKey).update(classical).digest(),
		};
	},
};
