import {assert, Buffer, connect, delay, once, type Socket, test, text} from '../helpers/node.ts';
import {exchange, type RawAnswer} from '../helpers/raw-http.ts';
import {paths, shareTestService, startTestService} from './running-service.ts';
import {fieldsOf} from './kit.ts';

const service = await shareTestService();

const notHttp = 'This is not a valid HTTP request.';
const noCoding = 'The only transfer coding that this service knows is chunked.';
const tooLong = 'The path and the headers are too long: together they may be at most 16 KB.';

/** What Node.js refuses by itself, before a route is looked for. */
const refused: ReadonlyArray<readonly [title: string, request: string, status: number, detail: string]> = [
	['bytes that are not HTTP', 'hello\r\n\r\n', 400, notHttp],
	['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n', 400, notHttp],
	['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, notHttp],
	['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, notHttp],
	['a header with U+0000', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400, notHttp],
	['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400, notHttp],
	['a length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400, notHttp],
	['a chunk without a size', `POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n`, 400, notHttp],
	['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`, 431, tooLong],
	['a path over the limit', `GET /${'x'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, tooLong],
	[
		'a path with an id of 101 characters',
		`GET /api/capabilities/get-capability/${'1'.repeat(101)}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
		414,
		'The path is too long.',
	],
	['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'The header Host is required.'],
	['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'There must be one header Host.'],
	['the same host twice', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHOST: x\r\n\r\n', 400, 'There must be one header Host.'],
	[
		'an unknown transfer coding',
		`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13, chunked\r\n\r\n0\r\n\r\n`,
		400,
		noCoding,
	],
	[
		'a transfer coding twice',
		`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		400,
		notHttp,
	],
	['a transfer coding that does not end', `POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc`, 400, noCoding],
	[
		'an unknown transfer coding and a length',
		`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`,
		400,
		notHttp,
	],
	[
		'an expectation',
		'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n',
		417,
		'The only expectation that this service meets is 100-continue.',
	],
	['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'This service is no proxy.'],
];

const shown = ({status, headers, body}: RawAnswer): unknown => [
	status,
	headers['content-type'],
	headers['x-content-type-options'],
	headers['connection'],
	JSON.parse(body.toString()),
];

test('a request that Node.js or the first checks refuse is answered in JSON, the connection is closed, and others are answered', async () => {
	for (const [title, request, status, detail] of refused) {
		const answers = await exchange(service.baseAddress, request);
		assert.deepEqual(
			answers.map(answer => shown(answer)),
			[[status, 'application/json; charset=utf-8', 'nosniff', 'close', {detail}]],
			title,
		);
	}

	assert.equal((await service.ask('GET', paths.agents)).status, 200);
});

test('an answer in progress is finished before what follows on its connection is refused', async () => {
	const whole = await service.ask('GET', '/openapi.json', {key: null});
	const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
	const answers = await exchange(service.baseAddress, `${request}${request}garbage\r\n\r\n`);
	assert.deepEqual(fieldsOf(answers, 'status'), [200, 200, 400]);
	assert.deepEqual(
		answers.slice(0, 2).map(({body}) => body.toString()),
		[whole.text, whole.text],
	);
	assert.deepEqual(JSON.parse(answers[2]!.body.toString()), {detail: notHttp});

	const beforeTunnel = await exchange(service.baseAddress, `${request}CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
	assert.deepEqual(fieldsOf(beforeTunnel, 'status'), [200, 405]);
	assert.equal(beforeTunnel[0]!.body.toString(), whole.text);
});

test('a request that was answered before its broken body is not answered twice', async () => {
	const {hostname, port} = new URL(service.baseAddress);
	const socket = connect(Number(port), hostname);
	const received: Buffer[] = [];
	socket.on('data', chunk => {
		received.push(chunk);
	});
	// Without a key the answer does not wait for the body.
	socket.write(
		`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n`,
	);
	await once(socket, 'data');
	const closed = once(socket, 'close');
	socket.write('z\r\n');
	await closed;
	const all = Buffer.concat(received).toString();
	assert.equal(all.match(/HTTP\/1\.1/g)?.length, 1);
	assert.match(all, /^HTTP\/1\.1 401 /);
});

const open = (head: string): Socket => {
	const {hostname, port} = new URL(service.baseAddress);
	const socket = connect(Number(port), hostname);
	socket.write(head);
	return socket;
};

const write = async (socket: Socket, piece: Buffer): Promise<void> =>
	new Promise((resolve, reject) => {
		socket.write(piece, error => {
			if (error) {
				reject(error);
			} else {
				resolve();
			}
		});
	});

test('a form in chunks that has no end is refused once it is larger than any form', async () => {
	const head = `POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${service.key}\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n`;
	const part = '4a\r\n--x\r\nContent-Disposition: form-data; name="zip_file"; filename="a.zip"\r\n\r\n\r\n';
	const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 'x'), Buffer.from('\r\n')]);
	const socket = open(head + part);
	const answers: Buffer[] = [];
	socket.on('data', answer => {
		answers.push(answer);
	});
	for (let count = 0; count < 500 && answers.length === 0; count++) {
		await write(socket, chunk);
	}

	socket.destroy();
	assert.match(Buffer.concat(answers).toString(), /^HTTP\/1\.1 413 .*The form is too large/s);
});

test('a client that sends the whole of its refused body before it reads gets the answer', async () => {
	const piece = Buffer.alloc(64 * 1024, 'x');
	const count = 96;
	const socket = open(`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nX-API-KEY: wrong\r\nContent-Length: ${count * piece.length}\r\n\r\n`);
	for (let index = 0; index < count; index++) {
		await write(socket, piece);
		// As on an ordinary line: the answer comes between two pieces.
		await delay(20);
	}

	const [answer] = (await once(socket, 'data')) as [Buffer];
	socket.destroy();
	assert.match(String(answer), /^HTTP\/1\.1 401 /);
});

test('a request that does not arrive in time is answered with 408', async () => {
	await using impatient = await startTestService({limits: {idleMilliseconds: 100}});
	const {hostname, port} = new URL(impatient.baseAddress);
	const socket = connect(Number(port), hostname);
	socket.write('GET / HTTP/1.1\r\nHo');
	const answer = await text(socket);
	assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
	assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/);
	assert.match(answer, /\r\n\r\n\{"detail":"The request did not arrive in time\."\}$/);
});
