import {addTo, assert, Buffer, delay, once, type Socket, test, text} from '../helpers/node.ts';
import {assertMapped} from '../helpers/lists.ts';
import {cpuUsage} from 'node:process';
import {gzipSync} from 'node:zlib';
import {type RawAnswer} from '../helpers/raw-http.ts';
import {rawZip} from '../interface/ability-package/raw-zip.ts';
import {exchange, fieldsOf, followChanges, named, openSocket, paths, shareTestService, startTestService, uploadForm} from './kit.ts';

const service = await shareTestService();

/** The beginning of a request that has a body. */
const post = `POST ${paths.upload} HTTP/1.1\r\nHost: x\r\n`;

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
	['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nz\r\n`, 400, notHttp],
	['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`, 431, tooLong],
	['a path over the limit', `GET /${'x'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, tooLong],
	[
		'a long id in a path',
		`GET ${paths.ability('1'.repeat(101))} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
		414,
		'The path is too long.',
	],
	['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'The header Host is required.'],
	['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'There must be one header Host.'],
	['the same host twice', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHOST: x\r\n\r\n', 400, 'There must be one header Host.'],
	['an unknown transfer coding', `${post}Transfer-Encoding: rot13, chunked\r\n\r\n0\r\n\r\n`, 400, noCoding],
	['a transfer coding twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, notHttp],
	['a transfer coding that does not end', `${post}Transfer-Encoding: gzip\r\n\r\nabc`, 400, noCoding],
	['an unknown transfer coding and a length', `${post}Transfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`, 400, notHttp],
	['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'This service is not a proxy.'],
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
		assertMapped(answers, answer => shown(answer), [[status, 'application/json; charset=utf-8', 'nosniff', 'close', {detail}]], title);
	}

	assert.equal((await service.ask('GET', paths.agents)).status, 200);
});

test('an answer in progress is finished before what follows on its connection is refused', async () => {
	const whole = await service.ask('GET', '/openapi.json', {key: null});
	const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
	const answers = await exchange(service.baseAddress, `${request}${request}garbage\r\n\r\n`);
	assert.deepEqual(fieldsOf(answers, 'status'), [200, 200, 400]);
	assertMapped(answers.slice(0, 2), ({body}) => body.toString(), [whole.text, whole.text]);
	assert.deepEqual(JSON.parse(answers[2]!.body.toString()), {detail: notHttp});

	const beforeTunnel = await exchange(service.baseAddress, `${request}CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
	assert.deepEqual(fieldsOf(beforeTunnel, 'status'), [200, 405]);
	assert.equal(beforeTunnel[0]!.body.toString(), whole.text);
});

test('a request that was answered before its broken body is not answered twice', async () => {
	const socket = await openSocket(service.baseAddress);
	const received: Buffer[] = [];
	socket.on('data', addTo(received));
	// Without a key the answer does not wait for the body.
	socket.write(`${post}Transfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n`);
	await once(socket, 'data');
	const closed = once(socket, 'close');
	socket.write('z\r\n');
	await closed;
	const all = Buffer.concat(received).toString();
	assert.equal(all.match(/HTTP\/1\.1/g)?.length, 1);
	assert.match(all, /^HTTP\/1\.1 401 /);
});

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
	const socket = await openSocket(service.baseAddress);
	socket.write(head + part);
	const answers: Buffer[] = [];
	socket.on('data', addTo(answers));
	for (let count = 0; count < 500 && answers.length === 0; count++) {
		await write(socket, chunk);
	}

	socket.destroy();
	assert.match(Buffer.concat(answers).toString(), /^HTTP\/1\.1 413 .*The form is too large/s);
});

test('a client that sends the whole of its refused body before it reads gets the answer', async () => {
	const piece = Buffer.alloc(64 * 1024, 'x');
	const count = 96;
	const socket = await openSocket(service.baseAddress);
	socket.write(`POST ${paths.upload} HTTP/1.1\r\nHost: x\r\nX-API-KEY: wrong\r\nContent-Length: ${count * piece.length}\r\n\r\n`);
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
	const socket = await openSocket(impatient.baseAddress);
	socket.write('GET / HTTP/1.1\r\nHo');
	const answer = await text(socket);
	assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
	assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/);
	assert.match(answer, /\r\n\r\n\{"detail":"The request did not arrive in time\."\}$/);
});

const oddTexts: ReadonlyArray<readonly [json: string, words: RegExp]> = [
	[String.raw`"a\u0000b"`, /contains the character U\+0000/],
	[String.raw`"\ud800"`, /contains half of a surrogate pair/],
	[String.raw`"\udc00\ud800"`, /contains half of a surrogate pair/],
];

test('JSON with U+0000 or half of a surrogate pair is refused, wherever it stands, and names the field', async () => {
	const [agent] = await service.read(paths.agents);
	const record = named(await service.read(paths.installed), 'pantry');
	const before = [await service.read(paths.agents), await service.read(paths.installed)];
	for (const [json, words] of oddTexts) {
		const agentId = `"personality_id": ${String(agent!['id'])}`;
		const requests = [
			['PUT', paths.editAgent, `{${agentId}, "description": ${json}}`, /^The field description /],
			['PUT', paths.editAgent, `{${agentId}, "name": ${json}}`, /^The field name /],
			['PUT', paths.editAgent, `{${agentId}, "surplus": [{"deep": [${json}]}]}`, /^The field surplus /],
			['PUT', paths.editAgent, `{${agentId}, ${json}: 1}`, /^The body /],
			['PUT', paths.editInstalled(record['id']), `{"enabled": false, "name": ${json}}`, /^The field name /],
			['PUT', paths.editInstalled(record['id']), `{"enabled": false, "trigger_words": [${json}]}`, /^The field trigger_words /],
			['POST', '/api/sdk/get_personalities', `{"api_key": "${service.key}", "surplus": ${json}}`, /^The field surplus /],
		] as const;
		for (const [method, path, body, field] of requests) {
			const {status, json: answer} = await service.ask(method, path, {body});
			assert.equal(status, 400, body);
			assert.match((answer as {detail: string}).detail, field);
			assert.match((answer as {detail: string}).detail, words);
		}

		// In place of a key it is a wrong key.
		assert.deepEqual((await service.ask('POST', '/api/sdk/verify_apikey/', {body: `{"api_key": ${json}}`})).json, {valid: false});
		assert.equal((await service.ask('POST', '/api/sdk/get_personalities', {body: `{"api_key": ${json}}`})).status, 401);
	}

	assert.deepEqual([await service.read(paths.agents), await service.read(paths.installed)], before);
});

test('bytes that are not UTF-8 are refused, in JSON and in a form', async () => {
	const [agent] = await service.read(paths.agents);
	const send = async (type: string, content: Buffer) => {
		const head = `PUT ${paths.editAgent} HTTP/1.1\r\nHost: service\r\nConnection: close\r\nX-API-KEY: ${service.key}\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n`;
		const [answer] = await exchange(service.baseAddress, Buffer.concat([Buffer.from(head), content]));
		return [answer?.status, JSON.parse(answer!.body.toString()) as unknown];
	};

	for (const bytes of ['ff', 'c0af', 'eda080', 'f8888080']) {
		const odd = Buffer.from(bytes, 'hex');
		const json = Buffer.concat([Buffer.from(`{"personality_id": ${String(agent!['id'])}, "description": "`), odd, Buffer.from('"}')]);
		assert.deepEqual(await send('application/json', json), [400, {detail: 'The body is not valid UTF-8.'}]);
		const form = Buffer.concat([
			Buffer.from(
				`--x\r\nContent-Disposition: form-data; name="personality_id"\r\n\r\n${String(agent!['id'])}\r\n--x\r\nContent-Disposition: form-data; name="description"\r\n\r\n`,
			),
			odd,
			Buffer.from('\r\n--x--\r\n'),
		]);
		assert.deepEqual(await send('multipart/form-data; boundary=x', form), [
			400,
			{detail: 'The field description is not valid UTF-8, or contains the replacement character U+FFFD.'},
		]);
	}

	assert.deepEqual(named(await service.read(paths.agents), String(agent!['name'])), agent);
});

test('U+0000 in a field of a form is refused, and any other character is stored as it is', async () => {
	const refused = await service.ask('POST', paths.upload, {body: await uploadForm({description: 'a\0b'})});
	assert.deepEqual([refused.status, refused.json], [400, {detail: 'The field description contains the character U+0000.'}]);

	const text = '\u{1}\u{7F}\u{2028}\u{FFFE}\u{10FFFF}e\u{301} \u{1F469}\u{200D}\u{1F467}';
	assert.equal((await service.ask('POST', paths.upload, {body: await uploadForm({description: text})})).status, 200);
	assert.equal(named(await service.read(paths.abilities), 'lamps')['description'], text);
	const [agent] = await service.read(paths.agents);
	const edited = await service.ask('PUT', paths.editAgent, {body: {personality_id: agent!['id'], description: `${text}\u{FFFD}`}});
	assert.equal((edited.json as {description: string}).description, `${text}\u{FFFD}`);
});

test('a body that is compressed is refused with what to do, and a content type that is not accepted with those that are', async () => {
	const path = paths.editInstalled(1);
	const packed = await fetch(service.baseAddress + path, {
		method: 'PUT',
		body: gzipSync('{"enabled":true}'),
		headers: {'x-api-key': service.key, 'content-type': 'application/json', 'content-encoding': 'gzip'},
	});
	assert.equal(packed.status, 400);
	assert.deepEqual(await packed.json(), {detail: 'The body is not valid UTF-8. Send it without a Content-Encoding.'});
	const headers = {'content-type': 'application/x-www-form-urlencoded'};
	const detail = 'This endpoint accepts only a body of the type';
	for (const [method, where, types] of [
		['PUT', path, 'application/json'],
		['PUT', '/api/personalities/edit-personality/', 'application/json or multipart/form-data'],
		['POST', '/api/capabilities/add-capability/', 'multipart/form-data'],
	] as const) {
		const {status, json} = await service.ask(method, where, {body: 'a=b', headers});
		assert.deepEqual([status, json], [415, {detail: `${detail} ${types}.`}]);
	}
});

test('a path or a query with U+0000, or with bytes that are not UTF-8, is refused', async () => {
	for (const path of [
		'/api/capabilities/get-capability/1%00/',
		`${paths.agents}?a=%00`,
		`${paths.agents}?a=%ED%A0%80`,
		`${paths.agents}?%`,
		'/%00',
		'/%ED%A0%80',
	]) {
		const {status, json} = await service.ask('GET', path);
		assert.deepEqual([status, json], [400, {detail: `The ${path.includes('?') ? 'query' : 'path'} is not valid.`}], path);
	}

	assert.equal((await service.ask('GET', `${paths.agents}?a=%E2%82%AC&b=+`)).status, 200);
});

/** Two marks of different classes: sorting them takes `normalize` quadratic time. */
const marks = (count: number): string => '\u{301}\u{323}'.repeat(count / 2);

type Input = (text: string) => Promise<number>;

async function uploadFiles(names: readonly string[]): Promise<number> {
	const zip = rawZip(['lamps/main.py', 'lamps/__init__.py', ...names].map(name => ({name})));
	const {status} = await service.ask('POST', paths.upload, {body: await uploadForm({zip_file: zip})});
	return status;
}

/** Each with a number of marks that a request can hold. */
const inputs: ReadonlyArray<readonly [title: string, send: Input, markCount: number]> = [
	['names of files in a zip', async text => uploadFiles(Array.from({length: 18}, (_, index) => `lamps/${index}${text}`)), 20_000],
	['names of folders in a zip', async text => uploadFiles(Array.from({length: 18}, (_, index) => `lamps/${index}${text}/`)), 20_000],
	[
		'the name of an agent',
		async text => {
			const [agent] = await service.read(paths.agents);
			const {status} = await service.ask('PUT', '/api/personalities/edit-personality/', {body: {personality_id: agent!['id'], name: text}});
			return status;
		},
		200_000,
	],
	[
		'a trigger phrase',
		async text => {
			const [installed] = await service.read(paths.installed);
			const {status} = await service.ask('PUT', paths.editInstalled(installed!['id']), {body: {enabled: true, trigger_words: [text]}});
			return status;
		},
		200_000,
	],
];

test('texts of marks alone are refused in no more than linear time', async () => {
	for (const [title, send, markCount] of inputs) {
		const measure = async (length: number): Promise<number> => {
			const before = cpuUsage();
			assert.equal(await send(marks(length)), 400);
			return cpuUsage(before).user / 1000;
		};

		await measure(markCount / 10);
		const short = await measure(markCount / 10);
		const long = await measure(markCount);
		// Quadratic time was several seconds.
		assert.ok(long < (short + 50) * 10, `${title}: ${short} ms, then ${long} ms for ten times the text`);
	}
});

const noSniffHeader = 'x-content-type-options';

test('every answer says that its content is what its type says', async () => {
	await using measured = await startTestService({metrics: {host: '127.0.0.1', port: 0}, isSampleWanted: true});
	const pantry = named(await measured.read(paths.installed), 'pantry');
	const etag = (await measured.ask('GET', paths.agents)).headers.get('etag')!;
	const asked = [
		await measured.ask('GET', paths.agents),
		await measured.ask('GET', paths.agents, {headers: {'if-none-match': etag}}),
		await measured.ask('GET', paths.agents, {headers: {'accept-encoding': 'gzip'}}),
		await measured.ask('GET', paths.source(pantry['capability_id'])),
		await measured.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: true}}),
		await measured.ask('POST', paths.upload, {body: await uploadForm()}),
		await measured.ask('PUT', paths.editInstalled(pantry['id']), {body: '{'}),
		await measured.ask('GET', paths.agents, {key: null}),
		await measured.ask('GET', '/nowhere', {key: null}),
		await measured.ask('GET', '/%zz', {key: null}),
		await measured.ask('DELETE', paths.agents),
		await measured.ask('HEAD', '/healthz', {key: null}),
		await measured.ask('OPTIONS', paths.agents, {key: null}),
		await measured.ask('GET', '/openapi.json', {key: null}),
		await measured.ask('GET', '/healthz', {key: null}),
		await measured.ask('GET', '/readyz', {key: null}),
	];
	assertMapped(
		asked,
		({status, headers}) => [status, headers.get(noSniffHeader)],
		asked.map(({status}) => [status, 'nosniff']),
	);
	assert.deepEqual(fieldsOf(asked.slice(0, 6), 'status'), [200, 304, 200, 200, 200, 200]);
	for (const address of [measured.metricsAddress!, `${measured.metricsAddress!}/nowhere`]) {
		const answer = await fetch(address);
		await answer.arrayBuffer();
		assert.equal(answer.headers.get(noSniffHeader), 'nosniff');
	}

	await using stream = await followChanges(measured.baseAddress, measured.key);
	assert.deepEqual([stream.status, stream.headers[noSniffHeader]], [200, 'nosniff']);
	for (const [sent, status] of [
		['garbage', 400],
		['GET /websocket/voice-stream/wrong/0 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket', 401],
	] as const) {
		const [answer] = await exchange(measured.baseAddress, `${sent}\r\n\r\n`);
		assert.deepEqual([answer!.status, answer!.headers[noSniffHeader]], [status, 'nosniff']);
	}
});
