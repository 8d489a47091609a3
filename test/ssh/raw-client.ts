import {Buffer, once, readFileSync, type Socket} from '../helpers/node.ts';
import ssh2, {type ConnectConfig} from 'ssh2';
import type {KeyPair} from './ssh-client.ts';

/** The numbers of messages (RFC 4250, section 4.1.2). */
export const messages = {
	ignore: 2,
	userAuthRequest: 50,
	globalRequest: 80,
	requestFailure: 82,
	channelOpen: 90,
	channelClose: 97,
	channelRequest: 98,
} as const;

export function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}

export function sshString(value: string | Uint8Array): Buffer {
	return Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(value)]);
}

export const wantReply = Buffer.from([1]);

export type RawClient = Awaited<ReturnType<typeof connectRaw>>;

/** Comes in with a key. */
export async function logInRaw(port: number, key: KeyPair): Promise<RawClient> {
	return connectRaw(port, 'ready', {privateKey: readFileSync(key.file)});
}

type Protocol = {
	readonly _handlers: Record<string, (...words: readonly unknown[]) => void>;
	readonly _cipher: {readonly encrypt: (packet: Buffer) => void};
	readonly _packetRW: {
		readonly write: {readonly alloc: (size: number) => Buffer; readonly allocStart: number; readonly finalize: (packet: Buffer) => Buffer};
	};
};

async function connectRaw(port: number, event: 'ready' | 'handshake', options: ConnectConfig) {
	const client = new ssh2.Client();
	client.on('error', () => undefined);
	const {promise: closed, resolve} = Promise.withResolvers<void>();
	client.once('close', () => resolve());
	client.connect({host: '127.0.0.1', port, username: 'ada', ...options});
	await once(client, event);
	const {_sock: socket, _protocol: protocol} = client as unknown as {readonly _sock: Socket; readonly _protocol: Protocol};
	socket.on('error', () => undefined);
	socket.setNoDelay(true);
	const send = (type: number, ...parts: readonly Buffer[]): void => {
		const payload = Buffer.concat([Buffer.from([type]), ...parts]);
		const {write} = protocol._packetRW;
		const packet = write.alloc(payload.length);
		payload.copy(packet, write.allocStart);
		protocol._cipher.encrypt(write.finalize(packet));
	};

	return {
		socket,
		closed,
		send,
		/** Opens a channel; resolves to the server's number for it, or to `undefined` if it is refused. */
		async openSession({packetSize = 32_768, window = 1024 * 1024}: {readonly packetSize?: number; readonly window?: number} = {}) {
			const {promise: answer, resolve: answered} = Promise.withResolvers<number | undefined>();
			protocol._handlers['CHANNEL_OPEN_CONFIRMATION'] = (_protocol, info) => answered((info as {readonly sender: number}).sender);

			protocol._handlers['CHANNEL_OPEN_FAILURE'] = () => answered(undefined);

			send(messages.channelOpen, sshString('session'), uint32(0), uint32(window), uint32(packetSize));
			return answer;
		},
		stopReading() {
			socket.removeAllListeners('data');
			socket.pause();
		},
		[Symbol.dispose]() {
			socket.destroy();
		},
	};
}

/** Exchanges keys, and does not log in. */
export async function shakeHandsRaw(port: number): Promise<RawClient> {
	return connectRaw(port, 'handshake', {authHandler: () => undefined});
}
