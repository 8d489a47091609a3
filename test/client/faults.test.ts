import {after, assert, process, suite, test, type TestContext} from '../helpers/node.ts';
import {lookup} from 'node:dns/promises';
import type {Client, AbilityUpload, TransportOptions} from '../../source/client/client.ts';
import {openDialogue} from '../../source/client/dialogue.ts';
import {exitCodes, SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {every, faultCases, onRequest, type FaultCase, type WriteEnd} from '../helpers/faults.ts';
import {startLiveLikeService} from '../helpers/live-like-service.ts';
import {answering, startFaultRelay, type Fault, type FaultRelay} from '../helpers/fault-relay.ts';
import {createCertificates, type Certificate} from '../helpers/certificates.ts';
import {clientOf, failureOf, startLiveLike, told} from './clients.ts';

/** Short where the fault lasts until the time is up, else far longer than anything takes. */
const timeoutFor = ({isSlow = false}: {readonly isSlow?: boolean}): number => (isSlow ? 1000 : 60_000);

const record = decodeRecord('installed', {id: 301, name: 'lamps', enabled: true})!;

const upload: AbilityUpload = {
	zip: new Uint8Array(1000),
	name: 'beacon',
	description: 'It lights up.',
	category: 'skill',
	triggerPhrases: ['light it up'],
};

async function endOf(write: Promise<unknown>): Promise<readonly [end: WriteEnd, error?: SwitchboardError]> {
	try {
		await write;
		return ['done'];
	} catch (error) {
		assert.ok(error instanceof SwitchboardError);
		return [error.isOutcomeUnknown ? 'unknown' : 'failed', error];
	}
}

type Expected = Pick<FaultCase, 'kind' | 'says' | 'toggle' | 'upload'>;

/** Of an answer that is no handshake only the head is looked at. */
const conversationSays =
	/unexpected answer \(HTTP 200\)|does not speak the protocol of its address \(EPROTO\)|no conversations, or no agent with this id/;

/** Reads a list, opens a conversation, toggles and uploads, and checks how each ends: with its sentence and next step, its kind and exit code. */
async function checkAll(client: Client, {kind, says, toggle, upload: uploadEnd}: Expected): Promise<void> {
	const read = await failureOf(client.list('installed'));
	assert.deepEqual([read.kind, read.exitCode], [kind, exitCodes[kind]], told(read));
	assert.match(told(read), says);
	const conversation = await failureOf(client.openConversation(0, () => undefined));
	if (!conversationSays.test(told(conversation))) {
		assert.equal(conversation.kind, kind, told(conversation));
		assert.match(told(conversation), says);
	}

	for (const [end, write] of [
		[toggle, async () => client.editInstalled(record, {enabled: false})],
		[uploadEnd, async () => client.uploadAbility(upload)],
	] as const) {
		const [found, error] = await endOf(write());
		assert.equal(found, end, error && told(error));
		if (error === undefined) {
			continue;
		}

		assert.equal(error.kind, kind, told(error));
		assert.ok(error.nextStep, error.message);
	}
}

/** The client works as if nothing had been. */
async function checkRecovery(client: Client): Promise<void> {
	assert.ok((await client.list('installed')).records.some(({id}) => id === record.id));
	assert.equal((await client.editInstalled(record, {enabled: false})).isEnabled, false);
	const dialogue = await openDialogue(client, 0);
	assert.equal(await dialogue.greeted(), 'Hello, this is Hearth');
	dialogue.close();
}

type Place = {readonly relay: FaultRelay; readonly client: Client; readonly apiKey: string};

async function startPlace(t: TestContext, options: Partial<TransportOptions> & {readonly certificate?: Certificate} = {}): Promise<Place> {
	const service = await startLiveLike(t);
	const relay = await startFaultRelay(t, {target: service, ...(options.certificate !== undefined && {certificate: options.certificate})});
	return {relay, client: clientOf({baseAddress: relay.baseAddress, apiKey: service.apiKey}, options), apiKey: service.apiKey};
}

// A process takes its proxy from its environment: the tests of proxies share one.
const beyond = await startLiveLikeService();
after(async () => beyond.close());
const proxy = await startFaultRelay({after}, {target: beyond});
process.env['http_proxy'] = proxy.baseAddress;
process.env['https_proxy'] = proxy.baseAddress;

const checkCase =
	(faultCase: FaultCase) =>
	async (t: TestContext): Promise<void> => {
		const {relay, client, apiKey} = await startPlace(t, {timeoutMilliseconds: timeoutFor(faultCase)});
		relay.put(faultCase.fault);
		await checkAll(client, faultCase);
		relay.put();
		await checkRecovery(clientOf({baseAddress: relay.baseAddress, apiKey}));
	};

suite('a list, a conversation, a toggle and an upload end with a sentence and an exit code through every fault, and work again without it', {
	concurrency: 8,
}, () => {
	for (const faultCase of faultCases) {
		test(faultCase.title, {timeout: 60_000}, checkCase(faultCase));
	}
});

test('a closed port refuses, and works again when it is open', async (t: TestContext) => {
	const {relay, client} = await startPlace(t);
	await relay.refuse();
	await checkAll(client, {
		kind: 'unreachable',
		says: /could not be reached: connection refused\. Check the address and the network\./,
		toggle: 'failed',
		upload: 'failed',
	});
	await relay.listen();
	await checkRecovery(client);
});

const certificates = createCertificates();

const certificateCases: ReadonlyArray<readonly [title: string, certificate: Certificate, says: string]> = [
	[
		'self-signed',
		certificates.selfSigned,
		String.raw`is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If it is your own, name its file in NODE_EXTRA_CA_CERTS\.`,
	],
	[
		'expired',
		certificates.expired,
		String.raw`has expired \(CERT_HAS_EXPIRED\)\. Its operator must renew it; check the clock of this machine too\.`,
	],
	['for another name', certificates.forAnotherName, String.raw`is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)\. Check the address\.`],
];

for (const [title, certificate, says] of certificateCases) {
	test(`nothing is sent to a service whose certificate is ${title}, and it works with a good one`, async (t: TestContext) => {
		const {relay, client} = await startPlace(t, {certificate});
		await checkAll(client, {
			kind: 'unreachable',
			says: new RegExp(String.raw`The certificate of https://127\.0\.0\.1:\d+ ${says}`),
			toggle: 'failed',
			upload: 'failed',
		});
		relay.present(certificates.good);
		await checkRecovery(client);
	});
}

test('a service that never starts TLS times out, and nothing was sent', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const relay = await startFaultRelay(t, {target: service});
	relay.put(() => undefined);
	await checkAll(
		clientOf(
			{baseAddress: relay.baseAddress.replace('http:', 'https:'), apiKey: service.apiKey},
			{timeoutMilliseconds: timeoutFor({isSlow: true})},
		),
		{kind: 'timeout', says: /did not answer in time/, toggle: 'failed', upload: 'failed'},
	);
});

test('a service on IPv6 alone is reached by its address and by its name', async (t: TestContext) => {
	const service = await startLiveLike(t);
	const relay = await startFaultRelay(t, {target: service, host: '::1'});
	await checkRecovery(clientOf({baseAddress: relay.baseAddress, apiKey: service.apiKey}));
	const addresses = await lookup('localhost', {all: true});
	// Not every machine has the name for both.
	if (addresses.some(({address}) => address === '::1')) {
		await checkRecovery(clientOf({baseAddress: relay.baseAddress.replace('[::1]', 'localhost'), apiKey: service.apiKey}));
	}

	await checkAll(clientOf({baseAddress: relay.baseAddress.replace('[::1]', '127.0.0.1'), apiKey: service.apiKey}), {
		kind: 'unreachable',
		says: /could not be reached: connection refused/,
		toggle: 'failed',
		upload: 'failed',
	});
});

/** A name that no one can have (RFC 2606): only a proxy can lead to it. */
const beyondProxy = (protocol: 'http' | 'https'): string => [protocol, 'voice.invalid'].join('://');

const answer407 = 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="hotel"\r\ncontent-length: 0\r\n\r\n';

const checkProxy = String.raw`\. Check https?_proxy, or name the host in NO_PROXY\.`;

const refusedByProxy = [
	'refused',
	'unreachable',
	new RegExp(String.raw`The proxy 127\.0\.0\.1:\d+ could not be reached: connection refused${checkProxy}`),
	'failed',
] as const;

const hanging: Fault = () => undefined;

const dropping = onRequest(socket => {
	socket.destroy();
});

type ProxyCase = readonly [
	protocol: 'http' | 'https',
	title: string,
	fault: Fault | 'refused',
	kind: FaultCase['kind'],
	says: RegExp,
	write: WriteEnd,
];

const proxyCases: readonly ProxyCase[] = [
	['https', 'refuses the connection', ...refusedByProxy],
	['https', 'hangs', hanging, 'timeout', /did not answer in time/, 'failed'],
	[
		'https',
		'trickles without end',
		socket => {
			socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
			every(20, () => {
				socket.write('x');
			})(socket);
		},
		'timeout',
		/did not answer in time/,
		'failed',
	],
	[
		'https',
		'wants a password (407)',
		onRequest(socket => {
			socket.write(answer407);
		}),
		'unreachable',
		new RegExp(`could not be reached: the proxy asks for a user name and a password${checkProxy}`),
		'failed',
	],
	['https', 'drops the connection', dropping, 'unreachable', /could not be reached: /, 'failed'],
	['http', 'refuses the connection', ...refusedByProxy],
	['http', 'hangs', hanging, 'timeout', /did not answer in time/, 'unknown'],
	[
		'http',
		'wants a password (407)',
		answering((_request, response) => {
			response.writeHead(407, {'proxy-authenticate': 'Basic realm="hotel"'}).end();
		}),
		'unreachable',
		/The proxy asks for a user name and a password \(HTTP 407\)\. Add them to its address in HTTP_PROXY/,
		'failed',
	],
	['http', 'drops the connection', dropping, 'unreachable', /could not be reached: connection lost/, 'unknown'],
];

for (const [protocol, title, fault, kind, says, write] of proxyCases) {
	test(`a proxy for ${protocol} that ${title} is reported`, async () => {
		const timeoutMilliseconds = timeoutFor({isSlow: kind === 'timeout'});
		const client = clientOf(
			{baseAddress: beyondProxy(protocol), apiKey: beyond.apiKey},
			{isInsecureHttpAllowed: true, timeoutMilliseconds},
		);
		if (fault === 'refused') {
			await proxy.refuse();
		} else {
			proxy.put(fault);
		}

		await checkAll(client, {kind, says, toggle: write, upload: write});
		if (fault === 'refused') {
			await proxy.listen();
		}
	});
}

test('a proxy that answers again leads on', async () => {
	proxy.put(
		answering((request, response) => {
			response.end(JSON.stringify([{id: 1, name: request.url}]));
		}),
	);
	const {records} = await clientOf({baseAddress: beyondProxy('http'), apiKey: beyond.apiKey}, {isInsecureHttpAllowed: true}).list(
		'installed',
	);
	assert.ok(records[0]!.name.startsWith(beyondProxy('http')));
});
