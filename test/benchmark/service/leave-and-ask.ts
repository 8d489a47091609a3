import {connect, delay, once} from '../../helpers/node.ts';
import {endpoints} from '../../../source/interface/endpoints.ts';

/** Asks for a list on so many connections, leaves when they have been worked on for a while, and measures the seconds until a short list is answered. */
export async function leaveAndAsk(address: string, key: string, count: number): Promise<number> {
	const {hostname, port} = new URL(address);
	const readers = await Promise.all(
		Array.from({length: count}, async () => {
			const socket = connect({host: hostname, port: Number(port)});
			socket.on('error', () => undefined);
			await once(socket, 'connect');
			socket.write(`GET ${endpoints.listInstalled.path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`);
			return socket;
		}),
	);
	await delay(500);
	for (const reader of readers) {
		reader.destroy();
	}

	const start = performance.now();
	const response = await fetch(address + endpoints.listAgents.path, {headers: {'x-api-key': key}});
	await response.arrayBuffer();
	return (performance.now() - start) / 1000;
}
