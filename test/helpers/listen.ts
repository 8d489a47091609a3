import type {AddressInfo, Server, Socket} from 'node:net';
import type {TestContext} from 'node:test';

/** Lets a server listen on a free port of this machine until the test ends. */
export const listen = async (t: TestContext, server: Server): Promise<number> => {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.after(async () => new Promise<void>(resolve => {
		server.close(() => {
			resolve();
		});
		for (const socket of sockets) {
			socket.destroy();
		}
	}));
	return (server.address() as AddressInfo).port;
};
