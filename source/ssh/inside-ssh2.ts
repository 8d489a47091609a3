import {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import type {Connection, Session} from 'ssh2';

/*
What this server needs of `ssh2` and no public function gives. Nothing else looks at its private fields, and a test names the version that
they were read of. A key exchange of one's own would need a list of them in the options of the server, each with a name, a hash and the
answer to the client's first message; mscdex/ssh2 pull request #1471 has this one exchange.
*/

type NameList = {readonly array: readonly string[]};

type Offer = {
	readonly lists: {readonly kex: NameList; readonly serverHostKey: NameList; readonly cs: Readonly<Record<string, NameList>>; readonly sc: Readonly<Record<string, NameList>>};
};

type Receive = (payload: Buffer) => unknown;

type OpenRequest = {readonly type: string; readonly sender: number; readonly packetSize: number};

/** What `ssh2` keeps of a connection. */
type Inside = {
	readonly _protocol: {
		/** Takes each message once keys are exchanged, before it is answered. */
		_onPayload: Receive;
		/** Takes each message of the first exchange. */
		readonly _decipher: {_onPayload: Receive};
		readonly _handlers: {
			CHANNEL_OPEN: (protocol: unknown, request: OpenRequest) => void;
			REQUEST_SUCCESS: () => void;
			REQUEST_FAILURE: () => void;
		};
		/** The log-in requests that are not answered yet. */
		readonly _authsQueue: readonly unknown[];
		readonly _authenticated: boolean;
		_offer: Offer;
		/** The exchange under way, or the last one. */
		readonly _kex: object | undefined;
		readonly channelOpenFail: (sender: number, reason: number, description: string) => void;
		readonly channelClose: (id: number) => void;
		readonly ping: () => void;
	};
	readonly _chanMgr: {readonly remove: (id: number) => void};
	readonly _sock: Socket;
};

const insideOf = (connection: Connection): Inside => connection as unknown as Inside;

export const protocolOf = (connection: Connection): Inside['_protocol'] => insideOf(connection)._protocol;

export const socketOf = (connection: Connection): Socket => insideOf(connection)._sock;

/** Closes and forgets a channel on which nothing was asked for. `ssh2` itself neither answers a client that closes one nor forgets it. */
export const closeUnused = (connection: Connection, session: Session): void => {
	const {_chanInfo: {incoming, outgoing}} = session as unknown as {readonly _chanInfo: Record<'incoming' | 'outgoing', {readonly id: number}>};
	protocolOf(connection).channelClose(outgoing.id);
	insideOf(connection)._chanMgr.remove(incoming.id);
};

/** An exchange with SHA-256 of one message and its answer (RFC 5656, section 4). */
export type KeyExchange = {
	readonly name: string;
	/**
	@returns the answer, and the secret as the bytes of a string.
	@throws if the client's message is not valid.
	*/
	readonly answer: (request: Buffer) => {readonly reply: Buffer; readonly secret: Buffer};
};

/** The exchange that `ssh2` is made to see, of the same messages and hash: it knows no other names than its own. */
const standIn = 'curve25519-sha256';

const keyExchangeInit = 20;

/** Where the list of exchanges stands: after the type and the cookie (RFC 4253, section 7.1). */
const listStart = 17;

/** The exchanges that a client names; none if the message is cut short, of which `ssh2` tells. */
const namesIn = (payload: Buffer): readonly string[] => {
	const start = listStart + 4;
	const end = payload.length < start ? Infinity : start + payload.readUInt32BE(listStart);
	return end > payload.length ? [] : payload.toString('latin1', start, end).split(',');
};

const withNames = (payload: Buffer, names: readonly string[]): Buffer => {
	const list = Buffer.from(names.join(','), 'latin1');
	const length = Buffer.alloc(4);
	length.writeUInt32BE(list.length);
	return Buffer.concat([payload.subarray(0, listStart), length, list, payload.subarray(listStart + 4 + payload.readUInt32BE(listStart))]);
};

const withFirst = (offer: Offer, name: string): Offer => {
	const {kex, serverHostKey, cs, sc} = offer.lists;
	const namesOf = (lists: Offer['lists']['cs']) => Object.fromEntries(Object.entries(lists).map(([kind, {array}]) => [kind, array]));
	const MakeOffer = offer.constructor as new (lists: object) => Offer;
	return new MakeOffer({
		kex: [name, ...kex.array], serverHostKey: serverHostKey.array, cs: namesOf(cs), sc: namesOf(sc),
	});
};

/** Puts a key exchange first in what the server offers. To be called as soon as there is the connection: the offer is sent right after. */
export const offerFirst = (connection: Connection, {name, answer}: KeyExchange): void => {
	const protocol = protocolOf(connection);
	protocol._offer = withFirst(protocol._offer, name);
	const offered: ReadonlySet<string> = new Set(protocol._offer.lists.kex.array);
	const takeOver = (receive: Receive): Receive => payload => {
		const names = payload[0] === keyExchangeInit ? namesIn(payload) : [];
		if (names.find(each => offered.has(each)) !== name) {
			return receive(payload);
		}

		const before = protocol._kex;
		const result = receive(withNames(payload, names.map(each => each === name ? standIn : each)));
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
};
