import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import http from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import process from 'node:process';
import {endpoints, fillPath} from '../../source/interface/endpoints.ts';
import type {LineCounts} from './start-rows-service.ts';

/*
A service with as many installed abilities as its argument says, in a process of its own so that its work is not counted
as the program's. It answers the lists and the switching, with an ETag, and tells what came over the line so far.
*/

const count = Number(process.argv[2]);
const words = ['light', 'garden', 'music', 'night', 'door', 'kitchen', 'story', 'garage'];

const records = Array.from({length: count}, (_, index) => ({
	installed_cap_id: index + 1,
	name: `${words[index % words.length]!}${String(index + 1).padStart(6, '0')}`,
	category: 'skill',
	trigger_words: [`${words[(index + 3) % words.length]!} number ${index + 1}`],
	enabled: index % 3 === 0,
	last_updated: '2026-01-02T03:04:05Z',
}));

const requests: string[] = [];
const sockets = new Set<Socket>();
let closedBytes = 0;

const bytesOf = ({bytesRead, bytesWritten}: Socket): number => bytesRead + bytesWritten;

function cached(list: () => readonly unknown[]) {
	let answer: {readonly body: Buffer; readonly tag: string} | undefined;
	return {
		get() {
			if (answer === undefined) {
				const body = Buffer.from(JSON.stringify(list()));
				answer = {body, tag: `"${createHash('sha256').update(body).digest('base64url')}"`};
			}

			return answer;
		},
		forget() {
			answer = undefined;
		},
	};
}

const installed = cached(() => records);
const lists = new Map<string, ReturnType<typeof cached>>([
	[endpoints.listInstalled.path, installed],
	[endpoints.listAbilities.path, cached(() => [])],
	[endpoints.listAgents.path, cached(() => [])],
]);
const editPrefix = fillPath(endpoints.editInstalled.path, 0).replace(/0\/$/, '');

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
	const path = request.url!;
	requests.push(`${request.method!} ${path}`);
	const list = request.method === 'GET' ? lists.get(path) : undefined;
	if (list !== undefined) {
		const {body, tag} = list.get();
		if (request.headers['if-none-match'] === tag) {
			response.writeHead(304, {etag: tag}).end();
		} else {
			response.writeHead(200, {'content-type': 'application/json', 'content-length': body.length, etag: tag}).end(body);
		}

		return;
	}

	if (request.method === 'PUT' && path.startsWith(editPrefix)) {
		const record = records[Number(path.slice(editPrefix.length).replace('/', '')) - 1];
		const {enabled} = JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()) as {enabled: boolean};
		if (record !== undefined) {
			record.enabled = enabled;
			installed.forget();
			response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(record));
			return;
		}
	}

	response.writeHead(404, {'content-type': 'application/json'}).end('{"detail":"Not found"}');
}

const server = http.createServer((request, response) => {
	void answer(request, response);
});

server.keepAliveTimeout = 600_000;
server.on('connection', socket => {
	sockets.add(socket);
	socket.on('close', () => {
		sockets.delete(socket);
		closedBytes += bytesOf(socket);
	});
});
server.listen(0, '127.0.0.1', () => {
	process.send!((server.address() as AddressInfo).port);
});

process.on('message', () => {
	const counts: LineCounts = {requests, bytes: [...sockets].reduce((sum, socket) => sum + bytesOf(socket), closedBytes)};
	process.send!(counts);
});
process.on('disconnect', () => {
	process.exit();
});
