import {createServer as createHttpServer, type RequestListener} from 'node:http';
import {connect, createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {createSecureContext, TLSSocket} from 'node:tls';
import type {Certificate} from './certificates.ts';

/** What becomes of a connection instead of reaching the service. */
export type Fault = (socket: Socket) => void;

/** Answers every request on a connection, whole and without the service. */
export function answering(listener: RequestListener): Fault {
	const server = createHttpServer((request, response) => {
		// A real server reads what it refuses; else the line may be reset before its answer is read.
		request.resume().once('end', () => listener(request, response));
	});
	return socket => {
		server.emit('connection', socket);
	};
}

type RelayOptions = {
	readonly target: {readonly baseAddress: string};
	/** TLS ends at the relay, with this certificate; plain http unless given. */
	readonly certificate?: Certificate;
	readonly host?: string;
};

/** A real relay in front of a service, closed after the test, which can put a fault on the line. */
export async function startFaultRelay(
	t: {readonly after: (release: () => Promise<void>) => void},
	{target, certificate, host = '127.0.0.1'}: RelayOptions,
) {
	const targetPort = Number(new URL(target.baseAddress).port);
	const sockets = new Set<Socket>();
	let serve: Fault | undefined;
	let presented = certificate;

	const server: Server = createServer(raw => {
		sockets.add(raw);
		raw.on('error', () => undefined);
		raw.on('close', () => {
			sockets.delete(raw);
		});
		const socket = presented === undefined ? raw : new TLSSocket(raw, {isServer: true, secureContext: createSecureContext(presented)});
		socket.on('error', () => undefined);
		if (serve === undefined) {
			pipeThrough(socket, targetPort);
		} else {
			serve(socket);
		}
	});

	const cut = (): void => {
		for (const socket of sockets) {
			socket.destroy();
		}
	};

	const close = async (): Promise<void> =>
		new Promise(resolve => {
			server.close(() => resolve());
			cut();
		});

	const listenOn = async (port: number): Promise<number> =>
		new Promise((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
		});

	const port = await listenOn(0);
	t.after(close);
	return {
		baseAddress: `${certificate === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
		/** Puts a fault between from now on, or none; cuts the connections that there are. */
		put(fault?: Fault) {
			serve = fault;
			cut();
		},
		/** Lets nothing in from now on: the port is closed. */
		refuse: close,
		async listen() {
			await listenOn(port);
		},
		present(next: Certificate) {
			presented = next;
			cut();
		},
	};
}

function pipeThrough(socket: Socket, port: number): void {
	const target = connect(port, '127.0.0.1');
	target.on('error', () => {
		socket.destroy();
	});
	socket.on('close', () => {
		target.destroy();
	});
	socket.pipe(target).pipe(socket);
}

export type FaultRelay = Awaited<ReturnType<typeof startFaultRelay>>;
