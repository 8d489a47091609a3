import assert from 'node:assert/strict';
import type {RequestListener} from 'node:http';
import {createServer} from 'node:https';
import {connect} from 'node:net';
import {test, type TestContext} from 'node:test';
import {setDefaultCACertificates} from 'node:tls';
import {createCertificate} from '../helpers/certificates.ts';
import {listen} from '../helpers/listen.ts';
import {
	clientOf,
	failureOf,
	paths,
	told,
} from './clients.ts';
import {outcomesIn} from './outcomes.ts';
import {startRawServer} from './raw-server.ts';

/** It is for a name that no one can have (RFC 2606), and not for the name of this machine. */
const certificate = createCertificate({names: ['voice.invalid', '127.0.0.1']});

setDefaultCACertificates([certificate.cert]);

const untrusted = createCertificate({names: ['voice.invalid', '127.0.0.1']});

const startTls = async (t: TestContext, answer: RequestListener, certificateOfServer = certificate): Promise<number> =>
	listen(t, createServer(certificateOfServer, answer));

/** A list of two pages whose next address is in plain http and without the port, as behind a proxy that ends TLS. */
const pages: RequestListener = (request, response) => {
	if (request.method === 'PUT') {
		response.writeHead(204).end();
		return;
	}

	const isFirst = !request.url!.includes('?');
	response.end(JSON.stringify(isFirst ? {results: [{id: 1}], next: `http://${request.headers.host!.replace(/:\d+$/, '')}${paths.installed}?page=2`} : {results: [{id: 2}], next: null}));
};

/** A proxy that lets everyone through to the port, whatever host they name. */
const startTunnel = async (t: TestContext, port: number): Promise<string> => {
	const {baseAddress} = await startRawServer(t, socket => {
		socket.once('data', () => {
			const target = connect(port, '127.0.0.1');
			target.on('error', () => {
				socket.destroy();
			});
			socket.on('close', () => {
				target.destroy();
			});
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			socket.pipe(target).pipe(socket);
		});
	});
	return baseAddress;
};

test('the certificate of a proxy is not blamed on the service', async (t: TestContext) => {
	const options = {baseAddress: 'https://voice.invalid'};
	const notTrusted = await outcomesIn({HTTPS_PROXY: `https://127.0.0.1:${await startTls(t, pages, untrusted)}`}, options);
	assert.match(notTrusted.read.told!, /^The certificate of the proxy 127\.0\.0\.1:\d+ is not trusted .*NODE_EXTRA_CA_CERTS/);
	const otherName = await outcomesIn({HTTPS_PROXY: `https://localhost:${await startTls(t, pages)}`}, options);
	assert.match(otherName.read.told!, /^The certificate of the proxy localhost:\d+ is for another name .*Check HTTPS_PROXY/);
});

test('a list behind a proxy that ends TLS is read completely although its next pages are named in plain http', async (t: TestContext) => {
	const port = await startTls(t, pages);
	const {read, write} = await outcomesIn({}, {baseAddress: `https://127.0.0.1:${port}`});
	assert.deepEqual([read.result, write.result], [{ids: [1, 2], isComplete: true}, {isEnabled: true}], JSON.stringify([read, write]));
});

test('https goes through a proxy of the environment', async (t: TestContext) => {
	const tunnel = await startTunnel(t, await startTls(t, pages));
	const {read, write} = await outcomesIn({HTTPS_PROXY: tunnel}, {baseAddress: 'https://voice.invalid'});
	assert.deepEqual([read.result, write.result], [{ids: [1, 2], isComplete: true}, {isEnabled: true}], JSON.stringify([read, write]));
});

test('the outcome of a write through a proxy that was never answered is unknown', async (t: TestContext) => {
	const tunnel = await startTunnel(t, await startTls(t, () => undefined));
	const {read, write} = await outcomesIn({HTTPS_PROXY: tunnel}, {baseAddress: 'https://voice.invalid', timeoutMilliseconds: 1000});
	assert.deepEqual([read.kind, read.isOutcomeUnknown, write.kind, write.isOutcomeUnknown], ['timeout', false, 'timeout', true]);
});

test('the outcome of a write over TLS that was never answered is unknown, also over a kept connection', async (t: TestContext) => {
	const baseAddress = `https://127.0.0.1:${await startTls(t, (request, response) => {
		if (request.method === 'GET') {
			response.end('[]');
		}
	})}`;
	const {read, write} = await outcomesIn({}, {baseAddress, timeoutMilliseconds: 1000});
	assert.deepEqual([read.result, write.kind, write.isOutcomeUnknown], [{ids: [], isComplete: true}, 'timeout', true]);
});

test('http to a port that speaks TLS is reported', async (t: TestContext) => {
	const port = await listen(t, createServer({}));
	const error = await failureOf(clientOf({baseAddress: `http://127.0.0.1:${port}`, apiKey: 'tls-key-0123456789'}).list('installed'));
	assert.ok(['unintelligible', 'unreachable'].includes(error.kind), told(error));
});
