import {once, type TestContext} from '../helpers/node.ts';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {listen} from '../helpers/listen.ts';

/** A server below HTTP: it does with each connection whatever the test wants. */
export async function startRawServer(t: TestContext, serve: (socket: Socket) => void) {
	let connectionCount = 0;
	const port = await listen(
		t,
		createServer(socket => {
			connectionCount++;
			// The other end may go away at any time.
			socket.on('error', () => undefined);
			serve(socket);
		}),
	);
	return {baseAddress: `http://127.0.0.1:${port}`, connectionCount: () => connectionCount};
}

/**
The address of a port on which nothing listens any more. A connection that its server has closed keeps the port for a minute: no other
program is given it.
*/
export async function closedAddress(): Promise<string> {
	const server = createServer();
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const {port} = server.address() as AddressInfo;
	const client = connect(port, '127.0.0.1');
	const [accepted] = (await once(server, 'connection')) as [Socket];
	accepted.destroy();
	await once(client.resume(), 'close');
	await new Promise<void>(resolve => {
		server.close(() => resolve());
	});
	return `http://127.0.0.1:${port}`;
}
