import {after, assert, nextTurn, test, type TestContext} from '../helpers/node.ts';
import {replyTo, turnOf, type ConversationOptions} from '../helpers/live-like/conversations.ts';
import {writeState} from './state-file.ts';
import {ended, jsonError, parseJson, runCommand, shareServedHome, startLiveLike, waitUntil} from './kit.ts';

const ability = (id: number, name: string, enabled: boolean, phrases: readonly string[], category = 'skill') => ({
	id,
	name,
	enabled,
	category,
	trigger_words: phrases,
	capability_id: id + 100,
});

const installed = [
	ability(1, 'Lamp', true, ['lamp on', 'lamp off']),
	ability(2, 'garden-gate', true, ['open the gate']),
	ability(3, 'radio', false, ['play']),
	ability(4, 'Watch', true, ['watch'], 'background_daemon'),
	ability(5, 'Mood', true, ['cheer me up'], 'brain_skill'),
	ability(6, 'Attic', true, []),
];

const agents = [
	{id: 7, name: 'Hearth', matching_capabilities: [101]},
	{id: 8, name: 'Porch', matching_capabilities: [101, 102]},
];

const start = async (t: TestContext, conversation: ConversationOptions = {}) =>
	startLiveLike(t, {home: {installed: structuredClone(installed), agents: structuredClone(agents)}, conversation});

const leftOut = [
	'Watch is left out: a daemon has no phrases.',
	'Mood is left out: the agent decides when it runs.',
	'Attic is left out: it has no trigger phrases.',
	'',
].join('\n');

const columns = ['--columns', 'ability,phrase,result,agent,answer'];

// The first test: with this clock no timer of an earlier one could be cleared.
test('a phrase without an answer in 30 seconds is silent, and its late answer is not taken for that of the next one', async t => {
	const {run, service} = await start(t, {
		behave(talk) {
			talk.send(turnOf('assistant', 'Hello'));
			talk.listen(({data}) => {
				for (const [other, answer] of data === 'lamp off'
					? ([
							[service.conversations[0]!, 'Lamp is on, at last'],
							[talk, 'It is dark'],
						] as const)
					: []) {
					other.send(turnOf('assistant', answer));
				}
			});
		},
	});
	t.mock.timers.enable({apis: ['setTimeout']});
	const running = run(['test', 'lamp', '--yes', '--pause', '0', ...columns]);
	while (service.conversations[0]?.phrases().length !== 1) {
		await nextTurn();
	}

	t.mock.timers.tick(30_000);
	t.mock.timers.reset();
	assert.deepEqual(
		await running,
		ended(6, 'Lamp\tlamp on\tsilent\tHearth\t\nLamp\tlamp off\tanswered\tHearth\tIt is dark\n', '1 of 2 phrases had no answer.\n'),
	);
	assert.deepEqual(
		service.conversations.map(talk => talk.phrases()),
		[['lamp on'], ['lamp off']],
	);
});

test('each phrase is said to an agent that has the ability, and answers and logs are searched for its name', async t => {
	const {run, service} = await start(t, {
		reply: ({phrase}) =>
			phrase === 'lamp on'
				? {answer: 'A LAMP is on!'}
				: phrase === 'lamp off'
					? {answer: 'The lamps are dark'}
					: {answer: 'Very well', later: [{type: 'action', data: {ran: 'Garden Gate'}}]},
	});
	assert.deepEqual(
		await run(['test', '--all', '--yes', ...columns]),
		ended(
			0,
			[
				'Lamp\tlamp on\tnamed\tHearth\tA LAMP is on!',
				'Lamp\tlamp off\tanswered\tHearth\tThe lamps are dark',
				'garden-gate\topen the gate\tnamed\tPorch\tVery well',
				'',
			].join('\n'),
			leftOut,
		),
	);
	assert.deepEqual(
		service.conversations.map(talk => [talk.agentId, talk.phrases()]),
		[
			[7, ['lamp on', 'lamp off']],
			[8, ['open the gate']],
		],
	);
	assert.deepEqual(
		await run(['test', 'lamp', 'GARDEN-GATE', '--agent', 'Hearth', '--strict', '--yes', '--pause', '0', ...columns]),
		ended(
			6,
			'Lamp\tlamp on\tnamed\tHearth\tA LAMP is on!\nLamp\tlamp off\tanswered\tHearth\tThe lamps are dark\n',
			'garden-gate is left out: Hearth does not have it.\n1 of 2 phrases had no answer or log entry with the name of the ability.\n',
		),
	);
});

test('--json has the agent, the answer and what went wrong', async t => {
	const {run} = await start(t, {
		behave(talk) {
			talk.send(turnOf('assistant', 'Hello'));
			talk.listen(({type, data}) => {
				if (data === 'lamp on') {
					talk.socket.close(1011);
					return;
				}

				if (type === 'transcribed') {
					talk.send(turnOf('assistant', 'Lamp it is'));
				}
			});
		},
	});
	const {stdout, stderr, exitCode} = await run(['test', '1', '--yes', '--json', '--pause', '0', '--agent', '0']);
	const [first, second] = parseJson(stdout) as ReadonlyArray<{readonly seconds: number; readonly error: {readonly message: string}}>;
	const shared = {capability_id: 101, name: 'Lamp', agent: null, personality_id: 0};
	assert.deepEqual(
		[first, second],
		[
			{
				...shared,
				phrase: 'lamp on',
				result: 'silent',
				seconds: first!.seconds,
				answer: null,
				error: {kind: 'server-error', message: first!.error.message},
			},
			{...shared, phrase: 'lamp off', result: 'named', seconds: second!.seconds, answer: 'Lamp it is'},
		],
	);
	assert.ok(first!.seconds >= 0);
	assert.ok(second!.seconds >= 0);
	assert.match(first!.error.message, /failed \(1011\)\. Try again in a moment\.$/);
	assert.deepEqual([exitCode, stderr], [6, jsonError('some-failed', '1 of 2 phrases had no answer.')]);
});

test('a state file chooses what it names as on', async t => {
	const {run, home, service} = await start(t);
	writeState(home.folder, 'installed:\n  LAMP: on\n  garden-gate: off\n  radio: {enabled: on}\n  Mood: {triggers: []}');
	assert.deepEqual(
		await run(['test', '--state', 'home.yaml', '--dry-run', '--columns', 'ability,phrase']),
		ended(0, 'Lamp\tlamp on\nLamp\tlamp off\n', 'radio is left out: it is off.\nNothing was changed: this was a dry run.\n'),
	);
	writeState(home.folder, 'installed:\n  lamp: on\n  nobody: on');
	assert.deepEqual(
		await run(['test', '--state', 'home.yaml', '--yes']),
		ended(4, '', 'home.yaml:4:3: There is no installed ability “nobody”.\nNothing was done.\n'),
	);
	assert.equal(service.conversations.length, 0);
});

test('what may not or cannot be tested is refused before a word is said', async t => {
	const {run, service} = await start(t);
	for (const [words, exitCode, message] of [
		[['--yes'], 2, /^Name installed abilities, or use --state or --all, but only one of these\./],
		[['lamp', '--all', '--yes'], 2, /only one of these/],
		[['--all', '--state', 'home.yaml', '--yes'], 2, /only one of these/],
		[['lamp', '--yes', '--read-only'], 2, /--read-only forbids/],
		[['lamp', '--yes', '--pause', 'soon'], 2, /^Invalid value “soon” for --pause\./],
		[['lamp', '--yes', '--columns', 'id'], 2, /ability, phrase, result, seconds, agent, answer/],
		[['lamp', 'nobody', '--yes'], 4, /^There is no installed ability “nobody”\. Nothing was done\./],
		[['lamp', '--yes', '--agent', 'nobody'], 4, /^There is no agent “nobody”\. Nothing was done\./],
	] as const) {
		const ran = await run(['test', ...words]);
		assert.deepEqual([ran.exitCode, ran.stdout], [exitCode, ''], words.join(' '));
		assert.match(ran.stderr, message);
	}

	assert.deepEqual(await run(['test', 'radio', '--yes', '--json']), ended(0, '[]\n', 'radio is left out: it is off.\n'));
	assert.equal(service.conversations.length, 0);
});

test('Ctrl+C prints what is known', async t => {
	const {run, service} = await start(t, {
		reply(heard) {
			return heard.phrase === 'lamp off' ? {} : replyTo(heard);
		},
	});
	const interruption = new AbortController();
	const running = run(['test', 'lamp', '--yes', '--pause', '0', ...columns], {abort: interruption.signal});
	await waitUntil(() => service.conversations[0]?.phrases().length === 2);
	interruption.abort('SIGINT');
	assert.deepEqual(await running, ended(130, 'Lamp\tlamp on\tnamed\tHearth\tLamp is done, master\n', 'Interrupted.\n'));
});

test('an answer with escape sequences is printed as one clean line', async t => {
	const {run} = await start(t, {reply: () => ({answer: 'a\u{1B}]0;title\u{7}\u{1B}[2Jb\u{202E}c\r\nd'})});
	const {stdout} = await run(['test', 'garden-gate', '--yes', '--pause', '0', ...columns]);
	assert.equal(stdout, 'garden-gate\topen the gate\tanswered\tPorch\tabc d\n');
});

const served = await shareServedHome({after});

test('the bundled service names what each phrase would start', async () => {
	const {stdout, exitCode} = await served.run(['test', '--all', '--yes', '--pause', '0', '--columns', 'ability,phrase,result,agent']);
	assert.equal(exitCode, 0);
	const lines = stdout.trimEnd().split('\n');
	assert.ok(lines.includes('goodnight\tgood night\tnamed\tHearth'));
	assert.deepEqual(
		lines.filter(line => !line.includes('\tnamed\t')),
		[],
	);
});

test('a key that may only switch says nothing, not even in a dry run', async () => {
	const {stdout: key} = await served.run(['keys', 'create', '--name', 'ci', '--only', 'switch']);
	const env = {...served.env, SWITCHBOARD_API_KEY: key.trim()};
	for (const option of ['--yes', '--dry-run']) {
		const {exitCode, stderr} = await runCommand(['test', 'goodnight', option], {env});
		assert.equal(exitCode, 3);
		assert.match(stderr, /^The key “ci” may only list and switch\. Nothing was changed\./);
	}
});

test('names come from standard input', async () => {
	const {stdout, exitCode} = await served.run(['test', '-', '--yes', '--pause', '0', '--columns', 'ability,result'], {
		stdin: 'goodnight\n',
	});
	assert.deepEqual([exitCode, stdout], [0, 'goodnight\tnamed\ngoodnight\tnamed\n']);
});

const rule = 'This is how the bundled service matches phrases; others may differ.\n';

test('a sentence is shown with what it would start for each agent, and why others do not', async () => {
	assert.deepEqual(
		await served.run(['phrases', 'Well, good morning!', '--columns', 'agent,starts,phrase']),
		ended(0, 'Hearth\tmorninglights\tgood morning\nPepper\t–\t\nDesk\t–\t\n', rule),
	);
	assert.deepEqual(
		await served.run(['phrases', 'next song', '--agent', 'desk', '--columns', 'starts,off']),
		ended(0, '–\tdeskmusic\n', rule),
	);
	const {stdout} = await served.run(['phrases', 'good night', '--agent', 'Hearth', '--json']);
	const [{agent, starts}] = JSON.parse(stdout) as [{agent: string; starts: {name: string; phrase: string}}];
	assert.deepEqual([agent, starts.name, starts.phrase], ['Hearth', 'goodnight', 'good night']);
});

test('without a sentence all phrases are listed, with those that nothing listens for', async () => {
	const {stdout, exitCode} = await served.run(['phrases', '--columns', 'phrase,ability,state,agents,note']);
	assert.equal(exitCode, 0);
	const lines = new Set(stdout.split('\n'));
	assert.ok(lines.has('good morning\tmorninglights\ton\tHearth\t'));
	assert.ok(lines.has('next song\tdeskmusic\toff\tDesk\tnothing listens'));
	assert.ok(lines.has('medicine times\tmedicinetime\ton\tHearth\ta daemon has no phrases'));
	assert.ok(lines.has('what can we cook\tdinnerideas\ton\tPepper\tthe agent decides'));
	const listed = JSON.parse((await served.run(['phrases', '--agent', 'Desk', '--json'])).stdout) as ReadonlyArray<{
		name: string;
		heard: boolean;
		agents: readonly string[];
	}>;
	assert.deepEqual(new Set(listed.map(({name}) => name)), new Set(['deskmusic', 'printerqueue']));
	assert.ok(listed.every(({heard, agents}) => !heard && agents.join(',') === 'Desk'));
});

test('a sentence without words, an unknown agent and a column of the other list are refused', async () => {
	for (const [words, exitCode, message] of [
		[['phrases', ' ?! '], 2, /The sentence has no words\./],
		[['phrases', 'hello', '--agent', 'nobody'], 4, /There is no agent “nobody”\./],
		[['phrases', 'hello', '--columns', 'note'], 2, /agent, starts, phrase/],
		[['phrases', '--columns', 'starts'], 2, /phrase, ability, state/],
	] as const) {
		const ran = await served.run([...words]);
		assert.equal(ran.exitCode, exitCode, words.join(' '));
		assert.equal(ran.stdout, '');
		assert.match(ran.stderr, message);
	}
});
