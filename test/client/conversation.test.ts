import {addTo, after, assert, test} from '../helpers/node.ts';
import type {CallLogEntry, Conversation, ConversationEvent} from '../../source/client/client.ts';
import {openDialogue} from '../../source/client/dialogue.ts';
import {keepConversation} from '../../source/client/conversation.ts';
import type {SwitchboardError} from '../../source/interface/errors.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {ending} from '../helpers/hostile-conversations.ts';
import {turnOf} from '../helpers/live-like/conversations.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {clientOf, failureOf, fieldsOf, startLiveLike, told, waitUntil} from './clients.ts';

const ignore = (): void => undefined;

/** The bundled service with its sample home, and keys with all rights and with fewer. */
const dataFolder = temporaryFolder();
const keys = await openApiKeys(dataFolder);
const {key: apiKey} = await keys.create();
const {key: switchingKey} = await keys.create({account: 'default', name: 'ci', rights: 'switch'});
await keys.close();
const service = await startService({location: dataFolder, isSampleWanted: true});
after(async () => service.close());
const bundled = {baseAddress: service.baseAddress, apiKey};

test('the bundled service greets and answers, and what it logs comes with the answer', async () => {
	const dialogue = await openDialogue(clientOf(bundled), 0);
	assert.equal(await dialogue.greeted(), 'This is Hearth.');
	const {answer, events} = await dialogue.ask('Good night!');
	dialogue.close();
	assert.equal(answer, 'This would start goodnight (skill). Abilities are not run here.');
	assert.deepEqual(events, [
		{kind: 'turn', role: 'user', text: 'Good night!', isFinal: true},
		{kind: 'log', level: 'info', text: '“good night” would start goodnight.'},
		{kind: 'turn', role: 'assistant', text: answer, isFinal: true},
	]);
});

test('each of several who speak to one agent at once gets the answers to their own phrases', async () => {
	const phrases = {goodnight: 'good night', morninglights: 'good morning'};
	await Promise.all(
		Object.entries(phrases).map(async ([name, phrase]) => {
			const dialogue = await openDialogue(clientOf(bundled), 0);
			for (let count = 0; count < 10; count++) {
				assert.match((await dialogue.ask(phrase)).answer, new RegExp(` ${name} `));
			}

			dialogue.close();
		}),
	);
});

test('whoever may not change everything listens, and nothing is sent when they speak', async () => {
	const heard: ConversationEvent[] = [];
	const listen = addTo(heard);

	const limited = await clientOf({...bundled, apiKey: switchingKey}).openConversation(0, listen);
	const readOnly = await clientOf(bundled, {isReadOnly: true}).openConversation(0, listen);
	const errors = [await failureOf(() => limited.say('good night')), await failureOf(() => readOnly.say('good night'))];
	assert.deepEqual(fieldsOf(errors, 'kind', 'message'), [
		['forbidden', 'The key “ci” may only list and switch. Nothing was said.'],
		['read-only', 'Nothing was said: this run is read-only.'],
	]);
	const dialogue = await openDialogue(clientOf(bundled), 0);
	await dialogue.ask('good morning');
	await waitUntil(() => heard.filter(event => event.kind === 'turn' && event.role === 'user').length >= 2);
	assert.ok(heard.every(({kind, text}) => kind !== 'fault' && text !== 'good night'));
	for (const conversation of [limited, readOnly, dialogue]) {
		conversation.close();
	}
});

test('a wrong key and an agent that is not there are told when the conversation is opened', async () => {
	const errors = [
		await failureOf(clientOf({...bundled, apiKey: 'sb_wrong'}).openConversation(0, ignore)),
		await failureOf(clientOf(bundled).openConversation(987_654, ignore)),
		await failureOf(clientOf({...bundled, apiKey: 'sb_wrong'}).followCallLogs(5, ignore)),
	];
	assert.deepEqual(fieldsOf(errors, 'kind', 'status'), [
		['key-refused', 401],
		['not-found', 404],
		['key-refused', 401],
	]);
	assert.match(told(errors[1]!), /no agent with this id/);
});

test('sound is acknowledged, and the agent is cut off by an interruption', async t => {
	const place = await startLiveLike(t, {conversation: {greeting: 'one two three four five six seven eight'}});
	const opened = Promise.withResolvers<Conversation>();
	const finals: string[] = [];
	const dialogue = await openDialogue(clientOf(place), 2, {
		async onEvent(event) {
			if (event.kind === 'turn' && event.text === 'one two' && !event.isFinal) {
				(await opened.promise).interrupt();
			}

			if (event.kind === 'turn' && event.isFinal) {
				finals.push(event.text);
			}
		},
	});
	opened.resolve(dialogue.conversation);
	assert.match((await dialogue.greeted())!, /^one two/);
	const {answer} = await dialogue.ask('it is dark');
	dialogue.close();
	assert.equal(answer, 'You said: it is dark');
	assert.deepEqual(finals.slice(1), ['it is dark', answer]);
	const [talk] = place.conversations;
	const replies = talk!.received.map(({data}) => data);
	const cut = replies.indexOf('interrupt-event');
	assert.deepEqual([replies[0], replies[1], replies[cut + 1]], ['bot-speaking', 'audio-received', 'bot-speak-end']);
});

test('a conversation ends without an error when it is closed or its signal is aborted, also if the service does not confirm that', async t => {
	const place = await startLiveLike(t, {
		conversation: {
			behave({socket}) {
				socket.pause();
			},
		},
	});
	const client = clientOf(place);
	const closed = await client.openConversation(0, ignore);
	closed.close();
	const stopping = new AbortController();
	const stopped = await client.openConversation(0, ignore, stopping.signal);
	stopping.abort();
	assert.deepEqual(await Promise.all([closed.ended, stopped.ended]), [undefined, undefined]);
	const error = await failureOf(() => closed.say('hello'));
	assert.deepEqual([error.kind, error.message], ['interrupted', 'The conversation is over.']);
	closed.interrupt();
	assert.equal((await failureOf(client.openConversation(0, ignore, AbortSignal.abort()))).kind, 'interrupted');
});

test('a conversation whose service answers two pings no more is cut off', async t => {
	t.mock.timers.enable({apis: ['setInterval']});
	const place = await startLiveLike(t, {
		conversation: {
			behave({socket}) {
				socket.pause();
			},
		},
	});
	const conversation = await clientOf(place).openConversation(0, ignore);
	t.mock.timers.tick(3 * 30_000);
	assert.equal((await conversation.ended)?.kind, 'unreachable');
});

test('the logs of calls come with the last entries first, in whatever form they have', async t => {
	const place = await startLiveLike(t);
	for (const entry of [
		{role: 'user', content: 'left out'},
		{role: 'user', content: 'hello'},
		{event: 'ended', after: 3},
	]) {
		place.logCall(entry);
	}

	const entries: CallLogEntry[] = [];
	const calls = await clientOf(place).followCallLogs(2, addTo(entries));
	await waitUntil(() => entries.length === 2);
	place.logCall(['a', 1]);
	place.logCall({role: 'assistant', content: {parts: ['x']}});
	await waitUntil(() => entries.length === 4);
	calls.close();
	assert.equal(await calls.ended, undefined);
	assert.deepEqual(fieldsOf(entries, 'role', 'text'), [
		['user', 'hello'],
		[undefined, '{"event":"ended","after":3}'],
		[undefined, '["a",1]'],
		['assistant', '{"parts":["x"]}'],
	]);
});

test('a conversation that is lost is opened again, unless that is useless', async t => {
	for (const [title, openCount, end] of [
		['closes with 1001', 2, undefined],
		['cuts the connection', 2, undefined],
		['closes with 1008', 1, 'forbidden'],
	] as const) {
		const place = await startLiveLike(t, {conversation: ending[title]});
		const client = clientOf(place);
		const stopping = new AbortController();
		const lost: SwitchboardError[] = [];
		let opened = 0;
		const over = await keepConversation(
			async signal => client.openConversation(0, ignore, signal),
			{
				onOpen(conversation) {
					if (++opened === 2) {
						stopping.abort();
					} else {
						conversation.say('hello');
					}
				},
				onLost: addTo(lost),
			},
			stopping.signal,
		);
		assert.deepEqual([opened, over?.kind, lost.map(({kind}) => kind)], [openCount, end, end === undefined ? ['unreachable'] : []], title);
	}
});

test('an agent that says nothing at the end of a turn has said what came before', async t => {
	const place = await startLiveLike(t, {
		conversation: {
			behave(talk) {
				for (const frame of [turnOf('assistant', 'Good', false), turnOf('assistant', 'Good day', false), turnOf('assistant', '')]) {
					talk.send(frame);
				}
			},
		},
	});
	const dialogue = await openDialogue(clientOf(place), 0);
	assert.equal(await dialogue.greeted(), 'Good day');
	dialogue.close();
});
