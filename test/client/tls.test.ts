import {assert, Buffer, connect, test, type TestContext} from '../helpers/node.ts';
import type {RequestListener} from 'node:http';
import {createServer} from 'node:https';
import {setDefaultCACertificates} from 'node:tls';
import {openDialogue} from '../../source/client/dialogue.ts';
import {createCertificate} from '../helpers/certificates.ts';
import {startFaultRelay} from '../helpers/fault-relay.ts';
import {listen} from '../helpers/listen.ts';
import {clientOf, failureOf, paths, startLiveLike, told} from './clients.ts';
import {outcomesIn, withProxies} from './outcomes.ts';
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
	response.end(
		JSON.stringify(
			isFirst
				? {results: [{id: 1}], next: `http://${request.headers.host!.replace(/:\d+$/, '')}${paths.installed}?page=2`}
				: {results: [{id: 2}], next: null},
		),
	);
};

/** A proxy that lets everyone through to the port, whatever host they name. */
async function startTunnel(t: TestContext, port: number, seen: string[] = []): Promise<string> {
	const {baseAddress} = await startRawServer(t, socket => {
		socket.on('data', (data: Uint8Array) => {
			seen.push(Buffer.from(data).toString('latin1'));
		});
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
}

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

test('a conversation goes through a proxy of the environment, which sees neither the key nor a word', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const {baseAddress} = await startFaultRelay(t, {target: service, certificate});
	const seen: string[] = [];
	const tunnel = await startTunnel(t, Number(new URL(baseAddress).port), seen);
	const answer = await withProxies({HTTPS_PROXY: tunnel, HTTP_PROXY: tunnel}, async () => {
		const dialogue = await openDialogue(clientOf({baseAddress: 'https://voice.invalid', apiKey: service.apiKey}), 0);
		const {answer} = await dialogue.ask('is anybody there');
		dialogue.close();
		return answer;
	});
	assert.equal(answer, 'You said: is anybody there');
	assert.match(seen[0]!, /^CONNECT voice\.invalid:443 HTTP\/1\.1\r\n/);
	assert.doesNotMatch(seen.join(''), new RegExp(`${service.apiKey}|anybody`));
});

test('a conversation with this machine uses no proxy', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const {baseAddress} = await startFaultRelay(t, {target: service, certificate});
	const proxy = await startRawServer(t, () => undefined);
	await withProxies({HTTPS_PROXY: proxy.baseAddress, HTTP_PROXY: proxy.baseAddress}, async () => {
		for (const place of [baseAddress, service.baseAddress]) {
			const dialogue = await openDialogue(clientOf({baseAddress: place, apiKey: service.apiKey}), 2);
			assert.equal(await dialogue.greeted(), 'Hello, this is Porch');
			dialogue.close();
		}
	});
	assert.equal(proxy.connectionCount(), 0);
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
