import {once} from 'node:events';
import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';

/** Lets a server listen on a free port of this machine until the test ends, or by the runner's `after` all tests of the file. */
export async function listen(t: {readonly after: (close: () => Promise<void>) => void}, server: Server): Promise<number> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.after(
		async () =>
			new Promise<void>(resolve => {
				server.close(() => resolve());
				for (const socket of sockets) {
					socket.destroy();
				}
			}),
	);
	return (server.address() as AddressInfo).port;
}

/** A port for a program that cannot say which one it took. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
