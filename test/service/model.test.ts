import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import type {ServerResponse} from 'node:http';
import {test} from 'node:test';
import {openApiKeys} from '../../source/service/accounts.ts';
import {
	answerParts,
	beginStream,
	type ModelServer,
	part,
	type Respond,
	startModelServer,
} from '../helpers/model-server.ts';
import {
	logsPath,
	openTalk,
	streamPath,
	type Talk,
	type TalkFrame,
} from '../helpers/talk.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {
	named,
	paths,
	startTestService,
	type TestService,
} from './running-service.ts';

const modelKey = 'sk-whisper-4711';

const startWith = async ({baseAddress}: Pick<ModelServer, 'baseAddress'>, options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> => startTestService({
	model: {
		baseAddress, name: 'tiny', key: modelKey, phrasesPerMinute: 60,
	},
	...options,
	limits: {greetingMilliseconds: 60_000, ...options.limits},
});

const talk = async (service: TestService): Promise<Talk> => openTalk(service.baseAddress, streamPath(service.key));

const ofAssistant = (frames: readonly TalkFrame[]): ReadonlyArray<TalkFrame['data']> => frames.filter(({data}) => data['role'] === 'assistant').map(({data}) => data);

const faultsOf = (frames: readonly TalkFrame[]): ReadonlyArray<TalkFrame['data']> => frames.filter(({type}) => type === 'error-event').map(({data}) => data);

test('a phrase that starts nothing is answered by the model, as it comes, with the prompt of the agent and what was said before', async () => {
	let response: ServerResponse | undefined;
	await using model = await startModelServer(opened => {
		response = beginStream(opened);
		response.write(`: a comment\n\n${part('Tea')}`);
	});
	await using service = await startWith(model);
	await using stream = await talk(service);
	await using listening = await talk(service);
	await using calls = await openTalk(service.baseAddress, logsPath(service.key));
	stream.say('what shall I drink');
	await waitUntil(() => ofAssistant(stream.frames).length > 0);
	response!.write(part(', or'));
	response!.end(`${part(' cocoa.')}${part('', 'stop')}data: [DONE]\n\n`);
	assert.deepEqual(await stream.waitForAnswers(1), ['Tea, or cocoa.']);
	const [first, ...others] = ofAssistant(stream.frames);
	assert.deepEqual(first, {
		content: 'Tea', role: 'assistant', live: true, final: false,
	});
	assert.deepEqual(others.slice(-2), [
		{
			content: 'Tea, or cocoa.', role: 'assistant', live: true, final: false,
		},
		{
			content: 'Tea, or cocoa.', role: 'assistant', live: false, final: true,
		},
	]);
	assert.deepEqual(stream.frames.slice(0, 2).map(({type, data}) => [type, data['content'] ?? data['m']]), [
		['message', 'what shall I drink'], ['log', 'No phrase was heard, so the model answers.'],
	]);
	assert.deepEqual(await listening.waitForAnswers(1), ['Tea, or cocoa.']);
	assert.deepEqual((await calls.waitForFrames(3)).map(frame => (frame as unknown as {readonly content: string}).content), [
		'what shall I drink', 'No phrase was heard, so the model answers.', 'Tea, or cocoa.',
	]);

	model.respond = answerParts('Milk.');
	stream.say('and the cat');
	await stream.waitForAnswers(2);
	const {description} = named(await service.read(paths.agents), 'Hearth');
	const {path, headers, body} = model.requests[1]!;
	assert.deepEqual([path, headers.authorization, body.model, body.stream], ['/v1/chat/completions', `Bearer ${modelKey}`, 'tiny', true]);
	assert.deepEqual(body.messages, [
		{role: 'system', content: description},
		{role: 'user', content: 'what shall I drink'},
		{role: 'assistant', content: 'Tea, or cocoa.'},
		{role: 'user', content: 'and the cat'},
	]);
});

test('a phrase of an ability, on or off, goes to no model', async () => {
	await using model = await startModelServer(answerParts('x'));
	await using service = await startWith(model);
	const {id} = named(await service.read(paths.installed), 'goodnight');
	await using stream = await talk(service);
	stream.say('good night');
	await stream.waitForAnswers(1);
	assert.equal((await service.ask('PUT', paths.editInstalled(id), {body: {enabled: false}})).status, 200);
	stream.say('good night');
	assert.equal((await stream.waitForAnswers(2))[1], 'goodnight has this phrase, but is off.');
	stream.say('hello');
	assert.equal((await stream.waitForAnswers(3))[2], 'x');
	assert.deepEqual(model.requests.map(({phrase}) => phrase), ['hello']);
});

test('the model remembers a dozen turns, and fewer where they are long; another conversation has its own', async () => {
	await using model = await startModelServer(answerParts('yes'));
	await using service = await startWith({baseAddress: `${model.baseAddress}/v1`});
	await using stream = await talk(service);
	for (let count = 1; count <= 8; count++) {
		stream.say(`number ${count}`);
		await stream.waitForAnswers(count);
	}

	assert.deepEqual(model.requests.at(-1)!.body.messages.slice(1).map(({content}) => content).filter(content => content !== 'yes'), [2, 3, 4, 5, 6, 7, 8].map(count => `number ${count}`));
	assert.equal(model.requests.at(-1)!.path, '/v1/chat/completions');
	stream.say('x'.repeat(4000));
	await stream.waitForAnswers(9);
	stream.say('y'.repeat(4000));
	await stream.waitForAnswers(10);
	stream.say('short');
	await stream.waitForAnswers(11);
	assert.deepEqual(model.requests.at(-1)!.body.messages.slice(1).map(({content}) => content[0]), ['y', 'y', 's']);
	await using other = await talk(service);
	other.say('hello');
	await other.waitForAnswers(1);
	assert.equal(model.requests.at(-1)!.body.messages.length, 2);
});

test('a model that fails is told in a sentence without its words and its key, and a turn that has begun ends once', async () => {
	const odd = 'evil\u{1B}[31m words';
	const failures: ReadonlyArray<readonly [title: string, respond: Respond, kind: string, message: RegExp, answers: readonly string[]]> = [
		['a wrong key', response => response.writeHead(401).end(odd), 'server-error', /did not accept the key/, []],
		['no such model', response => response.writeHead(404).end(odd), 'server-error', /not found/, []],
		['too many requests', response => response.writeHead(429).end(odd), 'rate-limited', /too much to do/, []],
		['a failure', response => response.writeHead(500).end(odd), 'server-error', /the error 500/, []],
		['a redirect', response => response.writeHead(307, {location: '/v1/chat/completions'}).end(), 'server-error', /not followed/, []],
		['HTML', response => response.writeHead(200, {'content-type': 'text/html'}).end(`<p>${odd}`), 'unintelligible', /cannot be understood/, []],
		['no JSON', response => beginStream(response).end(`data: ${odd}\n\n`), 'unintelligible', /cannot be understood/, []],
		['another JSON', response => beginStream(response).end('data: [1]\n\n'), 'unintelligible', /cannot be understood/, []],
		['an error in the stream', response => beginStream(response).end(`${part('Tea')}data: {"error": {"message": "${modelKey}"}}\n\n`), 'server-error', /failed while/, ['Tea']],
		['an endless event', response => beginStream(response).end(`data: ${'x'.repeat(200_000)}`), 'unintelligible', /cannot be understood/, []],
		['endless nothing', response => {
			beginStream(response);
			const more = (): void => {
				while (!response.closed && response.write(part('').repeat(1000))) {/* It goes on. */}
			};

			response.on('drain', more);
			more();
		}, 'unintelligible', /cannot be understood/, []],
		['no text', answerParts(), 'unintelligible', /had no answer/, []],
		['odd choices', response => beginStream(response).end('data: {"choices": {"0": 1}}\n\ndata: {"choices": [null, {"delta": {"content": "x"}}]}\n\ndata: {"choices": [{"delta": {"content": 7}, "finish_reason": "stop"}]}\n\n'), 'unintelligible', /had no answer/, []],
		['an end too early', response => beginStream(response).end(part('Tea')), 'unreachable', /cut off/, ['Tea']],
		['a cut', response => {
			beginStream(response).write(part('Tea'), () => {
				response.destroy();
			});
		}, 'unreachable', /cut off/, ['Tea']],
		['a connection that is closed', response => response.destroy(), 'unreachable', /cannot be reached/, []],
		['silence', () => undefined, 'timeout', /took too long/, []],
		['silence in the middle', response => beginStream(response).write(part('Tea')), 'timeout', /took too long/, ['Tea']],
	];
	await using model = await startModelServer(answerParts('fine'));
	const told: unknown[] = [];
	await using service = await startWith(model, {
		limits: {modelSilentMilliseconds: 1000},
		onError(error) {
			told.push(String(error));
		},
	});
	await using stream = await talk(service);
	for (const [title, respond, kind, message, answers] of failures) {
		stream.frames.length = 0;
		model.respond = respond;
		stream.say(title);
		await waitUntil(() => faultsOf(stream.frames).length > 0);
		model.respond = answerParts('fine');
		stream.say('and now');
		assert.deepEqual(await stream.waitForAnswers(answers.length + 1), [...answers, 'fine'], title);
		const faults = faultsOf(stream.frames);
		assert.equal(faults.length, 1, title);
		assert.equal(faults[0]!['kind'], kind, title);
		assert.match(String(faults[0]!['message']), message, title);
		if (answers.length > 0) {
			const types = stream.frames.filter(({data}) => data['final'] !== false).map(({type}) => type);
			// The fault comes before the end of the turn.
			assert.equal(types[types.indexOf('error-event') + 1], 'message', title);
		}

		const all = JSON.stringify([stream.frames, told]);
		for (const secret of ['evil', modelKey]) {
			assert.ok(!all.includes(secret), title);
		}
	}

	assert.equal(told.length, failures.length);
	assert.match(String(told[0]), /^Error: The model did not accept .* http:\/\/127\.0\.0\.1:\d+: /);
});

test('a model that is not there is told, and one that never ends is cut at 20,000 characters', async () => {
	const model = await startModelServer(response => {
		beginStream(response);
		for (let count = 0; count < 500; count++) {
			response.write(part('🦊'.repeat(50)));
		}
	});
	await using service = await startWith(model);
	await using stream = await talk(service);
	stream.say('how long');
	assert.equal((await stream.waitForAnswers(1))[0]!.length, 20_000);
	await model.requests[0]!.closed;
	await model[Symbol.asyncDispose]();
	stream.say('hello');
	await waitUntil(() => faultsOf(stream.frames).length > 0);
	assert.deepEqual(faultsOf(stream.frames), [{message: 'The model cannot be reached.', kind: 'unreachable'}]);
});

test('twenty thousand events become a few live turns', async () => {
	await using model = await startModelServer(answerParts(...Array.from({length: 20_000}, () => 'x')));
	await using service = await startWith(model);
	await using stream = await talk(service);
	const startedAt = performance.now();
	stream.say('hello');
	assert.equal((await stream.waitForAnswers(1))[0]!.length, 20_000);
	const tenths = (performance.now() - startedAt) / 100;
	const turns = ofAssistant(stream.frames);
	assert.ok(turns.length <= tenths + 4, `${turns.length} turns`);
	assert.deepEqual(turns.map(({final}) => final).indexOf(true), turns.length - 1);
});

test('an interruption, the end of a conversation and the end of its key each end the request to the model', async () => {
	await using model = await startModelServer(response => beginStream(response).write(part('Once upon')));
	await using service = await startWith(model);
	const otherKey = await service.createKey('default');
	await using listening = await openTalk(service.baseAddress, streamPath(otherKey));
	const stream = await talk(service);
	const sayAndWait = async (): Promise<void> => {
		const before = model.requests.length;
		stream.say('a story');
		await waitUntil(() => stream.frames.some(({data}) => data['live'] === true) && model.requests.length > before);
	};

	await sayAndWait();
	stream.say('waits');
	stream.socket.send('{"type":"text","data":"interrupt-event"}');
	await model.requests[0]!.closed;
	assert.deepEqual(await stream.waitForAnswers(1), ['Once upon']);
	// The next one goes on.
	await waitUntil(() => model.requests.length === 2);
	assert.equal(model.requests[1]!.phrase, 'waits');
	const keys = await openApiKeys(service.dataFolder);
	await keys.revoke(['1']);
	await keys.close();
	await model.requests[1]!.closed;
	assert.equal((await stream.ended).code, 1008);
	assert.equal((await listening.waitForAnswers(2)).length, 2);
	assert.deepEqual(faultsOf(stream.frames), []);

	listening.say('again');
	await waitUntil(() => model.requests.length === 3);
	listening.socket.close();
	await model.requests[2]!.closed;
});

test('an interruption before the first word ends the turn, too, and other interruptions do nothing', async () => {
	await using model = await startModelServer(() => undefined);
	await using service = await startWith(model);
	await using stream = await talk(service);
	stream.socket.send('{"type":"text","data":"interrupt-event"}');
	stream.say('hello');
	await waitUntil(() => model.requests.length === 1);
	stream.socket.send('{"type":"text","data":"interrupt-event"}');
	assert.deepEqual(await stream.waitForAnswers(1), ['']);
	model.respond = answerParts('here');
	stream.say('are you there');
	assert.deepEqual(await stream.waitForAnswers(2), ['', 'here']);
	assert.deepEqual(model.requests[1]!.body.messages.slice(1).map(({content}) => content), ['are you there']);
});

test('the phrases that the model answers are limited for each account', async () => {
	await using model = await startModelServer(answerParts('yes'));
	await using service = await startWith(model, {
		model: {
			baseAddress: model.baseAddress, name: undefined, key: undefined, phrasesPerMinute: 1,
		},
	});
	await using stream = await talk(service);
	await using foreign = await openTalk(service.baseAddress, streamPath(await service.createKey('other')));
	stream.say('one');
	stream.say('two');
	stream.say('good night');
	assert.equal((await stream.waitForAnswers(2)).length, 2);
	const [fault] = faultsOf(stream.frames);
	assert.equal(fault!['kind'], 'rate-limited');
	assert.match(String(fault!['message']), /^The model answers 1 phrases a minute for an account\. Try again in \d+ s\.$/);
	foreign.say('three');
	await foreign.waitForAnswers(1);
	assert.deepEqual(model.requests.map(({phrase, headers, body}) => [phrase, headers.authorization, 'model' in body]), [['one', undefined, false], ['three', undefined, false]]);
});

test('a text of the model stays one frame of JSON, whatever is in it', async () => {
	const text = `</script>\u{1B}]0;x\u{7}\u{2028}"\\${Buffer.from([0xF0, 0x9F, 0xA6, 0x8A]).toString()}\u{0}`;
	await using model = await startModelServer(answerParts(text, '\u{D800}'));
	await using service = await startWith(model);
	await using stream = await talk(service);
	stream.say('hello');
	assert.deepEqual(await stream.waitForAnswers(1), [`${text}\u{FFFD}`]);
});
