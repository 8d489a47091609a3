import {addTo, assert, Buffer, test, type TestContext} from '../helpers/node.ts';
import {encodeMultipart} from '../../source/client/multipart.ts';
import type {TransportOptions} from '../../source/client/call.ts';
import {createTransport} from '../../source/client/transport.ts';
import {clientOf, failureOf, jsonAnswer, paths, startOdd} from './clients.ts';
import {startRawServer} from './raw-server.ts';

const uploadPath = '/api/capabilities/add-capability/';

/** More than the line and its buffers hold, so that what the other end does not read stays with us. */
const zip = Buffer.alloc(24 * 1024 * 1024, 7);

const upload = async (baseAddress: string, options: Partial<TransportOptions> = {}, onProgress?: (fraction: number) => void) =>
	createTransport({baseAddress, apiKey: 'upload-key-0123456789', ...options}).send({
		operation: 'uploadAbility',
		method: 'POST',
		path: uploadPath,
		multipart: encodeMultipart([['zip_file', {fileName: 'x.zip', type: 'application/zip', bytes: zip}]]),
		onProgress,
	});

test('an upload may take longer than the time-out while it makes progress', async (t: TestContext) => {
	const megabyte = 1024 * 1024;
	const server = await startRawServer(t, socket => {
		let received = 0;
		socket.on('data', chunk => {
			const before = received;
			received += chunk.length;
			if (received > zip.length) {
				socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
			} else if (Math.floor(before / megabyte) !== Math.floor(received / megabyte)) {
				// Each pause is far shorter than the time-out, all of them together are longer.
				socket.pause();
				setTimeout(() => {
					socket.resume();
				}, 120);
			}
		});
	});
	const fractions: number[] = [];
	assert.equal((await upload(server.baseAddress, {timeoutMilliseconds: 2000}, addTo(fractions))).status, 200);
	assert.equal(fractions.at(-1), 1);
	assert.deepEqual(
		fractions,
		fractions.toSorted((first, second) => first - second),
	);
});

test('a stalled upload times out, and cannot have arrived', async (t: TestContext) => {
	const server = await startRawServer(t, socket => {
		socket.pause();
	});
	const error = await failureOf(upload(server.baseAddress, {timeoutMilliseconds: 500, retries: {reads: 2, writes: 1}}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['timeout', false]);
});

test('an upload is never retried after the connection was lost: it might be there twice', async (t: TestContext) => {
	const service = await startOdd(t, {'*': {cut: 'connection'}});
	const error = await failureOf(upload(service.baseAddress, {retries: {reads: 2, writes: 1}}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['unreachable', true]);
	assert.equal(service.requests.length, 1);
});

test('a refusal during the upload is reported, and the next request works', async (t: TestContext) => {
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([])});
	service.failNext({
		...jsonAnswer({detail: 'At most 10 MB'}, 413),
		isEarly: true,
		headers: {'content-type': 'application/json', connection: 'close'},
	});
	const client = clientOf({baseAddress: service.baseAddress, apiKey: 'upload-key-0123456789'});
	const error = await failureOf(client.uploadAbility({zip, name: 'big', description: '', category: 'skill', triggerPhrases: []}));
	assert.equal(error.isOutcomeUnknown, false);
	assert.deepEqual([error.kind, error.message], ['too-large', 'Too large for the service: At most 10 MB.']);
	assert.deepEqual((await client.list('installed')).records, []);
});

test('an upload that nobody reads times out, although the service says again and again that it is at work', async (t: TestContext) => {
	const server = await startRawServer(t, socket => {
		socket.pause();
		const timer = setInterval(() => {
			socket.write('HTTP/1.1 102 Processing\r\n\r\n');
		}, 50);
		socket.on('close', () => clearInterval(timer));
	});
	const error = await failureOf(upload(server.baseAddress, {timeoutMilliseconds: 400}));
	assert.deepEqual([error.kind, error.isOutcomeUnknown], ['timeout', false]);
});
