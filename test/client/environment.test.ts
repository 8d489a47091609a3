import {assert, assertMapped, test, type TestContext} from '../helpers/node.ts';
import {jsonAnswer, paths, startOdd} from './clients.ts';
import {outcomesIn} from './outcomes.ts';
import {closedAddress, startRawServer} from './raw-server.ts';

const proxyVariables = (address: string): Readonly<Record<string, string>> => ({
	HTTP_PROXY: address,
	HTTPS_PROXY: address,
	http_proxy: address,
	https_proxy: address,
});

/** A name that no one can have (RFC 2606), in plain http, which the client is told to allow. */
const remote = {baseAddress: ['http', 'voice.invalid'].join('://'), isInsecureHttpAllowed: true} as const;

test('requests to this machine do not use the proxy of the environment', async (t: TestContext) => {
	const proxy = await startOdd(t, {'*': jsonAnswer([])});
	const service = await startOdd(t, {[paths.installed]: jsonAnswer([{id: 5}]), [paths.editInstalled(1)]: {status: 204}});
	const {read, write} = await outcomesIn(proxyVariables(proxy.baseAddress), service);
	assert.deepEqual([read.result, write.result], [{ids: [5], isComplete: true}, {isEnabled: true}]);
	assert.equal(proxy.connectionCount(), 0);
});

test('requests to another machine use the proxy of the environment', async (t: TestContext) => {
	const proxy = await startOdd(t, {'*': {status: 204}, [remote.baseAddress + paths.installed]: jsonAnswer([{id: 6}])});
	const {read, write} = await outcomesIn(proxyVariables(proxy.baseAddress), remote);
	assert.deepEqual([read.result, write.result], [{ids: [6], isComplete: true}, {isEnabled: true}]);
	assertMapped(proxy.requests, ({headers}) => headers.host, ['voice.invalid', 'voice.invalid']);
});

test('a variable in lower case counts first, and an empty one as unset', async (t: TestContext) => {
	const proxy = await startOdd(t, {'*': {status: 204}, [remote.baseAddress + paths.installed]: jsonAnswer([{id: 6}])});
	for (const variables of [
		{http_proxy: proxy.baseAddress, HTTP_PROXY: 'http://127.0.0.1:1'},
		{http_proxy: '', HTTP_PROXY: proxy.baseAddress},
	]) {
		assert.deepEqual((await outcomesIn(variables, remote)).read.result, {ids: [6], isComplete: true});
	}
});

for (const [list, isExcepted] of [
	['*', true],
	['other.example, .invalid', true],
	['*.invalid', true],
	['VOICE.invalid', true],
	['voice.invalid:443', true],
	['', false],
	['invalid', false],
] as const) {
	test(`NO_PROXY “${list}” ${isExcepted ? 'excepts' : 'does not except'} a host from the proxy`, async () => {
		const proxy = await closedAddress();
		const {read} = await outcomesIn(
			{HTTPS_PROXY: proxy, NO_PROXY: list},
			{baseAddress: 'https://voice.invalid', timeoutMilliseconds: 5000},
		);
		assert.equal(read.told!.includes('The proxy'), !isExcepted, read.told);
	});
}

test('NO_PROXY is respected; an unknown host is reported, and nothing was written', async (t: TestContext) => {
	const proxy = await startOdd(t, {'*': jsonAnswer([])});
	const {read, write} = await outcomesIn(
		{...proxyVariables(proxy.baseAddress), NO_PROXY: 'voice.invalid', no_proxy: 'voice.invalid'},
		remote,
	);
	assert.deepEqual([read.kind, write.kind], ['unreachable', 'unreachable']);
	assert.deepEqual([read.isOutcomeUnknown, write.isOutcomeUnknown], [false, false]);
	assert.match(read.told!, /voice\.invalid could not be reached: (?:host not found|host name lookup failed)\. Check the address/);
	assert.equal(proxy.connectionCount(), 0);
});

test('a proxy that refuses the connection is reported, and sees no key', async (t: TestContext) => {
	let seen = '';
	const proxy = await startRawServer(t, socket => {
		socket.once('data', data => {
			seen += data.toString('latin1');
			socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
		});
	});
	const {read, write} = await outcomesIn(proxyVariables(proxy.baseAddress), {baseAddress: 'https://voice.invalid'});
	assert.deepEqual([read.kind, write.kind], ['unreachable', 'unreachable']);
	assert.deepEqual([read.isOutcomeUnknown, write.isOutcomeUnknown], [false, false]);
	assert.match(read.told!, /the proxy refused the connection.*https_proxy.*NO_PROXY/);
	assert.match(seen, /^CONNECT voice\.invalid:443 /);
	assert.doesNotMatch(seen, /child-key/);
});

test('a proxy that answers with something else than HTTP is named, rather than the service', async (t: TestContext) => {
	const proxy = await startRawServer(t, socket => {
		socket.once('data', () => {
			socket.end('SSH-2.0-OpenSSH_9.6\r\n');
		});
	});
	const {read, write} = await outcomesIn(proxyVariables(proxy.baseAddress), {baseAddress: 'https://voice.invalid'});
	assert.deepEqual([read.kind, write.kind, write.isOutcomeUnknown], ['unintelligible', 'unintelligible', false]);
	assert.match(read.told!, /^The proxy 127\.0\.0\.1:\d+ does not speak the protocol of its address \(HPE_[A-Z_]+\)\. Check https_proxy/);
});

test('an unreachable proxy is reported without its password, and nothing was written', async () => {
	const proxy = await closedAddress();
	const {read, write} = await outcomesIn(proxyVariables(proxy.replace('//', '//someone:pass-word@')), remote);
	assert.deepEqual([read.kind, write.kind, write.isOutcomeUnknown], ['unreachable', 'unreachable', false]);
	const {host} = new URL(proxy);
	assert.equal(read.told, `The proxy ${host} could not be reached: connection refused. Check http_proxy, or name the host in NO_PROXY.`);
	assert.equal(write.told, read.told);
	const secure = await outcomesIn({HTTPS_PROXY: proxy}, {baseAddress: 'https://voice.invalid'});
	assert.equal(
		secure.read.told,
		`The proxy ${host} could not be reached: connection refused. Check HTTPS_PROXY, or name the host in NO_PROXY.`,
	);
	const unknown = await outcomesIn({HTTPS_PROXY: ['http', 'proxy.invalid:3128'].join('://')}, {baseAddress: 'https://voice.invalid'});
	assert.match(
		unknown.read.told!,
		/^The proxy proxy\.invalid:3128 could not be reached: (?:host not found|host name lookup failed)\. Check HTTPS_PROXY/,
	);
});

test('an invalid proxy address is reported without its password, and only if a proxy is needed', async (t: TestContext) => {
	const variables = proxyVariables('someone:pass-word@proxy');
	const {read, write} = await outcomesIn(variables, remote);
	assert.deepEqual([read.kind, write.kind], ['usage', 'usage'], JSON.stringify(read));
	assert.match(read.told!, /HTTPS_PROXY/);
	assert.doesNotMatch(read.told!, /pass-word/);
	const service = await startOdd(t, {'*': jsonAnswer([])});
	assert.ok((await outcomesIn(variables, service)).read.result);
});
