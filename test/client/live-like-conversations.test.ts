import {assert, test} from '../helpers/node.ts';
import {logsPath, openTalk, refuseTalk, streamPath, type Talk} from '../helpers/talk.ts';
import type {LiveLikeService} from '../helpers/live-like-service.ts';
import {startLiveLike, waitUntil} from './clients.ts';

/*
The stand-in of the public service itself, spoken to without the program: what the other tests find there is what `docs/interface.md` says.
*/

const browser = 'Mozilla/5.0 (X11; Linux x86_64)';

const talkTo = async ({baseAddress, apiKey}: LiveLikeService, headers: Readonly<Record<string, string>> = {}, agent = 0): Promise<Talk> =>
	openTalk(baseAddress, streamPath(apiKey, agent), {headers: {origin: baseAddress, 'user-agent': browser, ...headers}});

const allReplies = {'audio-init': 'bot-speaking', 'audio-end': 'bot-speak-end', audio: 'audio-received'} as const;

/** The frames in words: a turn by its role, with a full stop where it is final. */
const kindsOf = ({frames}: Talk): readonly string[] =>
	frames.map(({type, data}) => {
		const text = data as unknown;
		return typeof text === 'string' && type === 'text'
			? text
			: type === 'message'
				? `${String(data['role'])}${data['final'] === true ? '.' : '…'}`
				: type;
	});

/** Replies to what the service waits for, as a client must; what has come by now included. */
function acknowledge(talk: Talk, replies: Readonly<Record<string, string>> = allReplies): void {
	let answered = 0;
	const replyToNew = (): void => {
		const kinds = kindsOf(talk);
		for (const kind of kinds.slice(answered)) {
			const reply = replies[kind];
			if (reply !== undefined) {
				talk.socket.send(JSON.stringify({type: reply === 'audio-received' ? 'ack' : 'text', data: reply}));
			}
		}

		answered = kinds.length;
	};

	talk.socket.on('message', replyToNew);
	replyToNew();
}

test('it takes no handshake but that of a browser from its own origin', async t => {
	const service = await startLiveLike(t);
	for (const [title, headers, options] of [
		['another origin', {origin: 'https://app.openhome.com'}, {}],
		['two origins', {origin: `${service.baseAddress}, ${service.baseAddress}`}, {}],
		['another program', {'user-agent': 'got'}, {}],
		['compression', {}, {perMessageDeflate: true}],
	] as const) {
		await using talk = await openTalk(service.baseAddress, streamPath(service.apiKey), {
			headers: {origin: service.baseAddress, 'user-agent': browser, ...headers},
			...options,
		});
		assert.equal((await talk.ended).code, 1008, title);
	}

	assert.equal((await refuseTalk(service.baseAddress, streamPath('wrong-key'))).status, 403);
	assert.equal((await refuseTalk(service.baseAddress, streamPath(service.apiKey, 99))).status, 404);
	assert.equal(service.conversations.length, 0);
});

test('it greets, echoes, starts an ability that is on, and speaks in live parts', async t => {
	const service = await startLiveLike(t);
	await using talk = await talkTo(service);
	acknowledge(talk);
	assert.deepEqual(await talk.waitForAnswers(1), ['Hello, this is Hearth']);
	talk.say('It is dark!');
	assert.deepEqual(await talk.waitForAnswers(2), ['Hello, this is Hearth', 'lamps is done, master']);
	await waitUntil(() => kindsOf(talk).filter(kind => kind === 'audio-end').length === 2);
	const turn = ['audio-init', ...Array.from({length: 4}, () => ['assistant…', 'audio']).flat(), 'assistant.', 'audio-end'];
	assert.deepEqual(kindsOf(talk), [...turn, 'user.', 'log', 'log', 'action', 'progress', 'question', ...turn]);
	assert.deepEqual((await service.waitForConversations(1))[0]!.phrases(), ['It is dark!']);
	await using calls = await openTalk(service.baseAddress, logsPath(service.apiKey, 1), {
		headers: {origin: service.baseAddress, 'user-agent': browser},
	});
	assert.deepEqual(await calls.waitForFrames(1), [{role: 'assistant', content: 'lamps is done, master'}]);
});

test('it does not start what is off or what another agent has', async t => {
	const service = await startLiveLike(t);
	await using talk = await talkTo(service, {}, 2);
	acknowledge(talk);
	talk.say('it is dark');
	assert.equal((await talk.waitForAnswers(2)).at(-1), 'You said: it is dark');
});

test('it says nothing more until what it sent is acknowledged', async t => {
	for (const [replies, last] of [
		[{}, 'audio-init'],
		[{'audio-init': 'bot-speaking'}, 'audio'],
		[{'audio-init': 'bot-speaking', audio: 'audio-received'}, 'audio-end'],
	] as const) {
		const service = await startLiveLike(t);
		await using talk = await talkTo(service);
		acknowledge(talk, replies);
		await waitUntil(() => kindsOf(talk).at(-1) === last);
		talk.say('hello');
		const [{received} = {received: []}] = await service.waitForConversations(1);
		await waitUntil(() => received.some(({type}) => type === 'transcribed'));
		assert.equal(kindsOf(talk).at(-1), last);
	}
});

test('it ends a turn that is interrupted, and hears the next phrase', async t => {
	const service = await startLiveLike(t);
	await using talk = await talkTo(service);
	const replies: Record<string, string> = {'audio-init': 'bot-speaking'};
	acknowledge(talk, replies);
	await waitUntil(() => kindsOf(talk).at(-1) === 'audio');
	talk.socket.send(JSON.stringify({type: 'text', data: 'interrupt-event'}));
	Object.assign(replies, allReplies);
	talk.say('hello');
	assert.deepEqual(await talk.waitForAnswers(2), ['Hello,', 'You said: hello']);
});
