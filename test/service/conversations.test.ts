import {addTo, assert, type Buffer, once, path, readdirSync, readFileSync, statSync, test} from '../helpers/node.ts';
import {WebSocket} from 'ws';
import {openAccounts, openApiKeys} from '../../source/service/accounts.ts';
import {createServiceLog} from '../../source/service/observability/service-log.ts';
import {logsPath, openTalk, refuseTalk, streamPath, type TalkFrame} from '../helpers/talk.ts';
import {named, openSocket, paths, shareTestService, startTestService, type TestService, waitUntil} from './kit.ts';

/** Greets nobody while a test lasts. */
const quiet = {limits: {greetingMilliseconds: 60_000}};

const shared = await shareTestService(quiet);

const agentId = async (name: string, service: TestService = shared): Promise<unknown> =>
	named(await service.read(paths.agents), name)['id'];

const turn = (role: string, content: string): TalkFrame => ({type: 'message', data: {content, role, live: false, final: true}});

const log = (text: string): TalkFrame => ({type: 'log', data: {l: 'info', m: text}});

const talk = async (service: TestService = shared, key = service.key, agent: unknown = 0) =>
	openTalk(service.baseAddress, streamPath(key, agent));

/** A phrase that is answered shows that all before it was read. */
const none = 'No ability has this phrase.';

async function switchTo(service: TestService, name: string, enabled: boolean, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
	const {id} = named(await service.read(paths.installed), name);
	assert.equal((await service.ask('PUT', paths.editInstalled(id), {body: {enabled, ...more}})).status, 200);
}

test('an agent greets whoever says nothing, in one whole turn', async () => {
	await using service = await startTestService({limits: {greetingMilliseconds: 1}});
	await using stream = await talk(service);
	assert.deepEqual(await stream.waitForFrames(1), [turn('assistant', 'This is Hearth.')]);
	assert.equal(stream.socket.protocol, '');
	assert.equal(stream.socket.extensions, '');
});

test('an agent does not greet whoever speaks first, and says what the words would start', async () => {
	await using service = await startTestService({limits: {greetingMilliseconds: 2000}});
	await using stream = await talk(service);
	await using witness = await talk(service);
	stream.say('Good night, everybody!');
	assert.deepEqual((await stream.waitForFrames(3)).slice(0, 3), [
		turn('user', 'Good night, everybody!'),
		log('“good night” would start goodnight.'),
		turn('assistant', 'This would start goodnight (skill). Abilities are not run here.'),
	]);
	// Who has said nothing is greeted, which shows that the time for it is over.
	await waitUntil(() => witness.frames.some(({data}) => data['content'] === 'This is Hearth.'));
	stream.say('what is the time');
	assert.deepEqual((await stream.waitForFrames(6)).slice(3), [
		turn('user', 'what is the time'),
		log('No phrase was heard.'),
		turn('assistant', none),
	]);
});

test('the answer follows each switch, and names the ability with the lowest id where two have the phrase', async () => {
	await using service = await startTestService(quiet);
	await using stream = await talk(service);
	await switchTo(service, 'goodnight', false);
	stream.say('good night');
	assert.deepEqual(await stream.waitForAnswers(1), ['goodnight has this phrase, but is off.']);
	await switchTo(service, 'goodnight', true);
	await switchTo(service, 'guestwifi', true, {trigger_words: ['good night']});
	stream.say('good night');
	assert.deepEqual((await stream.waitForFrames(6)).slice(4), [
		log('“good night” would start goodnight. The same phrase: guestwifi.'),
		turn('assistant', 'This would start goodnight (skill). Abilities are not run here.'),
	]);
});

test('an agent does not hear the phrases of abilities that only other agents have', async () => {
	await using stream = await talk(shared, shared.key, await agentId('Desk'));
	stream.say('good night');
	assert.deepEqual(await stream.waitForAnswers(1), [none]);
});

test('handshakes that are refused say why', async () => {
	const otherKey = await shared.createKey('other');
	for (const [title, address, status, pattern, options] of [
		['a wrong key', streamPath('sb_wrong'), 401, /not a key of this service/],
		['a wrong key of digits', streamPath('4711471147114711'), 401, /not a key of this service/],
		['a wrong key for the logs', logsPath('sb_wrong'), 401, /not a key of this service/],
		['no key for the logs', '/websocket/logs?tail=3', 401, /API key is required in the address/],
		['two keys', `${logsPath(shared.key)}&api_key=${shared.key}`, 401, /not a key of this service/],
		['an unknown agent', streamPath(shared.key, 999_999), 404, /agent/],
		['an agent of another account', streamPath(otherKey, await agentId('Hearth')), 404, /agent/],
		['a name for the agent', streamPath(shared.key, 'Hearth'), 404, /agent/],
		['another path', `${streamPath(shared.key)}/more`, 404, /no such path/],
		['another version of the protocol', streamPath(shared.key), 426, /WebSocket/, {protocolVersion: 8}],
	] as const) {
		const refusal = await refuseTalk(shared.baseAddress, address, options);
		assert.equal(refusal.status, status, title);
		const {detail} = JSON.parse(refusal.body) as {readonly detail: string};
		assert.match(detail, pattern, title);
		assert.ok(!refusal.body.includes(shared.key), title);
		assert.ok(!refusal.body.includes('sb_wrong'), title);
		assert.equal(refusal.headers['content-type'], 'application/json; charset=utf-8', title);
	}

	const plain = await shared.ask('GET', streamPath(shared.key), {key: null});
	assert.deepEqual([plain.status, plain.headers.get('upgrade')], [426, 'websocket']);
	assert.equal((await shared.ask('POST', streamPath(shared.key), {key: null})).status, 404);
});

test('a handshake that cannot become a WebSocket, as behind a proxy that drops Connection, is answered with the reason', async () => {
	const request = (extra: string, start = `GET ${streamPath(shared.key)}`): string =>
		`${start} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n${extra}\r\n`;
	const answerTo = async (bytes: string): Promise<string> => {
		const socket = await openSocket(shared.baseAddress);
		socket.write(bytes);
		const [answer] = (await once(socket, 'data')) as [Buffer];
		socket.destroy();
		return answer.toString();
	};

	const upgrade = 'Connection: Upgrade\r\n';
	for (const [bytes, pattern] of [
		[request('Connection: close\r\n'), /The header Connection must be “Upgrade”\. A proxy on the way must pass it on/],
		[request('Connection: close, upgrades\r\n'), /The header Connection must be “Upgrade”/],
		[`${request(`${upgrade}Content-Length: 1\r\n`)}x`, /A WebSocket handshake has no body/],
		[`${request(`${upgrade}Transfer-Encoding: chunked\r\n`)}0\r\n\r\n`, /A WebSocket handshake has no body/],
		[request(upgrade, `GET http://x${streamPath(shared.key)}`), /must be written plainly/],
		[request(upgrade, `GET ${streamPath(shared.key).replace('socket', '%73ocket')}`), /must be written plainly/],
	] as const) {
		const answer = await answerTo(bytes);
		assert.match(answer, /^HTTP\/1\.1 400 /);
		assert.match(answer, pattern);
	}

	assert.match(await answerTo(request(`${upgrade}Content-Length: 0\r\n`)), /^HTTP\/1\.1 101 /);
});

test('no log, metric or file of the service has the key, of whichever way a conversation goes', async () => {
	const told: unknown[] = [];
	const {promise: logged, resolve} = Promise.withResolvers<void>();
	const {logRequest, logError} = createServiceLog('text', line => {
		told.push(line);
		if (line.includes(' 404 ')) {
			resolve();
		}
	});
	const wrongKey = '4711471147114711';
	const service = await startTestService({
		onRequest: logRequest,
		onError: logError,
		report: addTo(told),
		metrics: {host: '127.0.0.1', port: 0},
	});
	const stream = await talk(service);
	const calls = await openTalk(service.baseAddress, logsPath(service.key));
	stream.say('hello');
	await stream.waitForAnswers(1);
	assert.equal((await refuseTalk(service.baseAddress, streamPath(wrongKey, 1))).status, 401);
	assert.equal((await refuseTalk(service.baseAddress, logsPath(wrongKey))).status, 401);
	assert.equal((await refuseTalk(service.baseAddress, streamPath(service.key, 999_999))).status, 404);
	await logged;
	told.push(await (await fetch(service.metricsAddress!)).text());
	await Promise.all([stream[Symbol.asyncDispose](), calls[Symbol.asyncDispose]()]);
	await service.close();
	const text = told.join('\n');
	assert.match(text, / GET \/websocket\/voice-stream\/:api_key\/:agent_id 101 .* record=0$/m);
	assert.match(text, / GET \/websocket\/voice-stream\/:api_key\/:agent_id 401 .* record=1$/m);
	assert.match(text, / GET \/websocket\/logs 101 /);
	assert.match(text, /operation="websocketvoice-stream",status="101"/);
	for (const file of readdirSync(service.dataFolder, {recursive: true, encoding: 'utf8'})) {
		const full = path.join(service.dataFolder, file);
		told.push(statSync(full).isFile() ? readFileSync(full, 'latin1') : '');
	}

	for (const secret of [service.key, wrongKey]) {
		assert.ok(!told.join('\n').includes(secret));
	}
});

test('a path with a slash at its end, any origin and any program are welcome', async () => {
	for (const address of [`${streamPath(shared.key)}/`, streamPath(shared.key, await agentId('Hearth'))]) {
		await using stream = await openTalk(shared.baseAddress, address, {origin: 'https://example.org', headers: {'user-agent': 'curl'}});
		stream.say('x');
		assert.deepEqual(await stream.waitForAnswers(1), [none]);
	}
});

test('all who listen to an agent of the account hear a phrase and its answer, and nobody else', async () => {
	await using service = await startTestService(quiet);
	const otherKey = await service.createKey('other');
	await using speaking = await talk(service);
	await using listening = await talk(service, service.key, await agentId('Hearth', service));
	await using elsewhere = await talk(service, service.key, await agentId('Pepper', service));
	await using foreign = await talk(service, otherKey);
	await using calls = await openTalk(service.baseAddress, logsPath(service.key));
	await using foreignCalls = await openTalk(service.baseAddress, logsPath(otherKey));
	speaking.say('good night');
	const heard = await speaking.waitForFrames(3);
	assert.deepEqual(await listening.waitForFrames(3), heard);
	assert.deepEqual(await calls.waitForFrames(3), [
		{role: 'user', content: 'good night'},
		{role: 'log', content: '“good night” would start goodnight.'},
		{role: 'assistant', content: 'This would start goodnight (skill). Abilities are not run here.'},
	]);
	// The first that they hear is their own.
	for (const stream of [elsewhere, foreign]) {
		stream.say('hello');
		assert.deepEqual((await stream.waitForFrames(3))[0], turn('user', 'hello'));
	}

	assert.deepEqual((await foreignCalls.waitForFrames(3))[0], {role: 'user', content: 'hello'});
	await using late = await openTalk(service.baseAddress, logsPath(service.key, 1));
	assert.deepEqual((await late.waitForFrames(1))[0], {role: 'assistant', content: none});
});

test('the call logs keep the last hundred entries, and fewer where they are long', async () => {
	const key = await shared.createKey('logs');
	await using stream = await talk(shared, key);
	for (let count = 1; count <= 40; count++) {
		stream.say(`phrase ${count}`);
		await stream.waitForAnswers(count);
	}

	const countEntries = async (): Promise<number> => {
		await using calls = await openTalk(shared.baseAddress, logsPath(key, 5000));
		const marker = `marker ${Math.random()}`;
		const before = (await stream.waitForAnswers(0)).length;
		stream.say(marker);
		await stream.waitForAnswers(before + 1);
		await waitUntil(() => JSON.stringify(calls.frames).includes(marker));
		return (calls.frames as unknown as ReadonlyArray<{readonly content: string}>).findIndex(({content}) => content === marker);
	};

	assert.equal(await countEntries(), 100);
	for (let count = 1; count <= 5; count++) {
		stream.say('🦊'.repeat(2000));
		await waitUntil(() => stream.frames.filter(({data}) => String(data['content']).startsWith('🦊')).length >= count);
	}

	assert.ok((await countEntries()) < 20);
});

test('what is no phrase is ignored, whatever it is', async () => {
	await using stream = await talk();
	for (const frame of [
		'no JSON',
		'',
		'null',
		'[]',
		'"transcribed"',
		'{"type":"transcribed"}',
		'{"type":"transcribed","data":{"toString":"x"}}',
		'{"type":["transcribed"],"data":"x"}',
		'{"__proto__":{"type":"transcribed","data":"x"}}',
		'{"type":"ping"}',
		'{"type":"ack","data":"audio-received"}',
		'{"type":"text","data":"bot-speaking"}',
		'{"type":"text","data":"interrupt-event"}',
		'{"type":"text","data":"bot-speak-end"}',
		'['.repeat(100_000),
		`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`,
		`{"type":"transcribed",${Array.from({length: 10_000}, (_, index) => `"a${index}":1`).join(',')}}`,
	]) {
		stream.socket.send(frame);
	}

	stream.socket.send(new Uint8Array(1000));
	stream.socket.send(JSON.stringify({type: 'transcribed', data: 'binary'}), {binary: true});
	stream.say('hello');
	assert.deepEqual((await stream.waitForFrames(3))[0], turn('user', 'hello'));
});

test('a phrase that is too long is refused and not repeated, a message that is too long ends the conversation', async () => {
	await using stream = await talk();
	await using other = await talk();
	stream.say('a'.repeat(4001));
	assert.deepEqual(await stream.waitForFrames(1), [
		{type: 'error-event', data: {message: 'A phrase may have 4000 characters at most.', kind: 'too-large'}},
	]);
	stream.say('a'.repeat(4000));
	assert.deepEqual(await stream.waitForAnswers(1), [none]);
	stream.socket.send('x'.repeat(1024 * 1024 + 1));
	assert.equal((await stream.ended).code, 1009);
	other.say('hello');
	await waitUntil(() => other.frames.some(({data}) => data['content'] === 'hello'));
});

test('of a thousand phrases at once some are answered, in order, and the others refused', async () => {
	await using stream = await talk();
	for (let index = 0; index < 1000; index++) {
		stream.say(`phrase ${index}`);
	}

	await waitUntil(() => stream.frames.some(({type}) => type === 'error-event'));
	const count = (await stream.waitForAnswers(1)).length;
	// Those that come while others wait are refused with them.
	await waitUntil(() => {
		stream.say('the end');
		return stream.frames.some(({data}) => data['content'] === 'the end');
	});
	assert.ok(count > 0);
	const numbers = stream.frames
		.filter(({data}) => data['role'] === 'user')
		.map(({data}) => Number(/\d+/.exec(String(data['content']))?.[0] ?? Infinity));
	assert.deepEqual(
		numbers,
		numbers.toSorted((first, second) => first - second),
	);
	assert.equal((await shared.ask('GET', paths.agents)).status, 200);
});

test('a phrase counts as a request of its key, and the refusal says when to go on', async () => {
	await using service = await startTestService({requestsPerMinute: 4, ...quiet});
	await using stream = await talk(service);
	for (let count = 0; count < 4; count++) {
		stream.say('hello');
	}

	// Within the time that a test may take.
	await waitUntil(() => stream.frames.some(({type}) => type === 'error-event'), 15_000);
	const error = stream.frames.find(({type}) => type === 'error-event');
	assert.equal(error!.data['kind'], 'rate-limited');
	assert.match(String(error!.data['message']), /^This key may send 4 requests a minute\. Try again in \d+ s\.$/);
	assert.equal((await stream.waitForAnswers(3)).length, 3);
	assert.equal((await service.ask('GET', paths.agents)).status, 429);
});

test('a key that may not change everything listens and is told so when it speaks; so is every key of a read-only service', async () => {
	await using service = await startTestService(quiet);
	const keys = await openApiKeys(service.dataFolder);
	const {key: reading} = await keys.create({account: 'default', name: 'reader', rights: 'read-only'});
	const {key: switching} = await keys.create({account: 'default', name: 'switcher', rights: 'switch'});
	await keys.close();
	await using readOnly = await startTestService({dataFolder: service.dataFolder, isReadOnly: true});
	await using speaking = await talk(service);
	for (const [place, key, kind, message, rights] of [
		[service, reading, 'forbidden', 'The key “reader” may only read. Nothing was said.', 'read-only; name=reader'],
		[service, switching, 'forbidden', 'The key “switcher” may only list and switch. Nothing was said.', 'switch; name=switcher'],
		[readOnly, readOnly.key, 'read-only', 'It was started with --read-only, so nothing can be said here.', undefined],
	] as const) {
		await using stream = await openTalk(place.baseAddress, streamPath(key));
		await using calls = await openTalk(place.baseAddress, logsPath(key));
		stream.say('good night');
		await waitUntil(() => stream.frames.some(({type}) => type === 'error-event'));
		assert.deepEqual(
			stream.frames.find(({type}) => type === 'error-event'),
			{type: 'error-event', data: {message, kind}},
		);
		for (const {headers} of [stream, calls]) {
			assert.equal(headers['key-rights'], rights);
			assert.match(headers['x-request-id'] as string, /^\w+$/);
		}

		if (place === service) {
			speaking.say(`for ${message}`);
			await waitUntil(() => stream.frames.some(({data}) => data['content'] === `for ${message}`));
			await waitUntil(() => JSON.stringify(calls.frames).includes('for The key'));
		}

		assert.ok(stream.frames.every(({data}) => data['content'] !== 'good night'));
	}
});

test('conversations end when their key is revoked, or ends, or its account with the agent is deleted, and those of other keys go on', async () => {
	await using service = await startTestService(quiet);
	const otherKey = await service.createKey('default');
	const guestKey = await service.createKey('guests');
	const keys = await openApiKeys(service.dataFolder);
	const {key: briefKey} = await keys.create({name: 'brief', expiresAt: new Date(Date.now() + 4000).toISOString()});
	await using brief = await talk(service, briefKey);
	await using own = await talk(service);
	await using calls = await openTalk(service.baseAddress, logsPath(service.key));
	await using guest = await talk(service, guestKey);
	await using other = await talk(service, otherKey);
	await keys.revoke(['1']);
	await keys.close();
	const accounts = await openAccounts(service.dataFolder);
	await accounts.remove((await accounts.find('guests')).id);
	await accounts.close();
	for (const {ended} of [own, calls, guest, brief]) {
		assert.deepEqual(await ended, {code: 1008, reason: 'The key was revoked or has expired.'});
	}

	other.say('hello');
	await waitUntil(() => other.frames.some(({data}) => data['content'] === 'hello'));
});

test('a service that stops ends the conversations and says so, even where a client does not answer', async () => {
	const service = await startTestService(quiet);
	await using stream = await talk(service);
	await using calls = await openTalk(service.baseAddress, logsPath(service.key));
	await using deaf = await talk(service);
	deaf.socket.pause();
	await service.close();
	assert.deepEqual(await stream.ended, {code: 1001, reason: 'The service is stopping.'});
	assert.equal((await calls.ended).code, 1001);
});

test('the numbers of conversations of a key, of an address and of all are limited', async () => {
	for (const [limits, pattern] of [
		[{conversationsPerKey: 2}, /This key may have 2 conversations at once/],
		[{conversationsPerAddress: 2}, /An address may have 2 conversations at once/],
		[{conversations: 2}, /too many conversations/],
	] as const) {
		await using service = await startTestService({limits});
		await using first = await talk(service);
		const second = await openTalk(service.baseAddress, logsPath(service.key));
		const {status, body, headers} = await refuseTalk(service.baseAddress, streamPath(service.key));
		assert.equal(status, 429);
		assert.match(body, pattern);
		assert.equal(headers['retry-after'], '30');
		await second[Symbol.asyncDispose]();
		let third: WebSocket | undefined;
		await waitUntil(async () => {
			try {
				third = (await openTalk(service.baseAddress, streamPath(service.key))).socket;
				return true;
			} catch {
				return false;
			}
		});
		third?.terminate();
		assert.equal(first.socket.readyState, WebSocket.OPEN);
	}
});

test('a client is pinged, and cut off when it answers no more', async () => {
	await using service = await startTestService({limits: {pingMilliseconds: 100, pongMilliseconds: 2000}});
	await using silent = await openTalk(service.baseAddress, streamPath(service.key), {autoPong: false});
	await using answering = await talk(service);
	assert.equal((await silent.ended).code, 1006);
	let pings = 0;
	answering.socket.on('ping', () => {
		pings++;
	});
	await waitUntil(() => pings > 3);
	assert.equal(answering.socket.readyState, WebSocket.OPEN);
});

test('a client that does not read is cut off', async () => {
	await using service = await startTestService({limits: {greetingMilliseconds: 60_000, conversationsPerKey: 2}});
	await using deaf = await talk(service);
	await using speaking = await talk(service);
	deaf.socket.pause();
	// Once it is cut off, its key may have another conversation.
	await waitUntil(async () => {
		// Six times as long in JSON.
		speaking.say('\u{1}'.repeat(4000));
		await speaking.waitForAnswers(1);
		speaking.frames.length = 0;
		try {
			const third = await openTalk(service.baseAddress, streamPath(service.key));
			third.socket.terminate();
			return true;
		} catch {
			return false;
		}
	});
	deaf.socket.resume();
	assert.equal((await deaf.ended).code, 1006);
});
