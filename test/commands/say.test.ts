import {after, assert, readFile, test, type TestContext} from '../helpers/node.ts';
import {turnOf} from '../helpers/live-like/conversations.ts';
import {openTalk, streamPath} from '../helpers/talk.ts';
import {connectAssistant, ended, lastError, parseJson, runCommand, shareServedHome, startLiveLike, waitUntil} from './kit.ts';

const served = await shareServedHome({after});

async function keyWith(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
	const {stdout} = await served.run(['keys', 'create', ...words]);
	return {...served.env, SWITCHBOARD_API_KEY: stdout.trim()};
}

const defaultNote = 'Talking to the default agent.\n';

test('say prints the answer of the agent, and says which one it spoke to', async () => {
	const answer = 'This would start morninglights (skill). Abilities are not run here.\n';
	assert.deepEqual(await served.run(['say', 'Good', 'morning!']), ended(0, answer, defaultNote));
	assert.deepEqual(await served.run(['say', 'good morning', '--agent', 'HEARTH']), ended(0, answer));
	assert.deepEqual(await served.run(['say', 'good morning', '--agent', '0']), ended(0, answer));
	const alone = await runCommand(['say', 'hello'], {env: await keyWith('--account', 'alone')});
	assert.match(alone.stderr, /^Talking to (?!the default).+\.$/m);
	assert.equal(alone.stdout, 'No ability has this phrase.\n');
});

test('with --json it prints what was logged and said before the answer', async () => {
	const {seconds, ...said} = (await served.runJson(['say', 'next song', '--agent', 'desk'])) as Readonly<Record<string, unknown>>;
	assert.equal(typeof seconds, 'number');
	const {personality_id: id} = (await served.runJson(['agents', 'get', 'Desk'])) as {readonly personality_id: number};
	assert.deepEqual(said, {
		agent: 'Desk',
		phrase: 'next song',
		answer: 'deskmusic has this phrase, but is off.',
		events: [
			{kind: 'turn', role: 'user', text: 'next song'},
			{kind: 'log', level: 'info', text: '“next song” is a phrase of deskmusic, which is off.'},
			{kind: 'turn', role: 'assistant', text: 'deskmusic has this phrase, but is off.'},
		],
		personality_id: id,
	});
});

test('with --no-wait the agent has heard it when the command ends, which prints no answer', async () => {
	await using other = await openTalk(served.baseAddress, streamPath(served.apiKey));
	const {stdout, exitCode} = await served.run(['say', 'good night', '--no-wait', '--json']);
	const {answer, seconds, events} = parseJson(stdout) as Readonly<Record<string, unknown>>;
	assert.deepEqual([exitCode, answer, seconds, events], [0, null, null, []]);
	await waitUntil(() => other.frames.some(({data}) => String(data['content']).startsWith('This would start goodnight')));
});

test('what may not be said is refused before anything is, and a dry run says nothing', async () => {
	await using other = await openTalk(served.baseAddress, streamPath(served.apiKey));
	const [reading, switching] = [await keyWith('--name', 'reader', '--read-only'), await keyWith('--name', 'switcher', '--only', 'switch')];
	const cases: ReadonlyArray<readonly [words: readonly string[], env: Readonly<Record<string, string>>, kind: string, exitCode: number]> = [
		[['say', ' ', ''], served.env, 'usage', 2],
		[['say', 'x'.repeat(4001)], served.env, 'usage', 2],
		[['say', 'hello', '--agent', 'nobody'], served.env, 'not-found', 4],
		[['chat', 'nobody'], served.env, 'not-found', 4],
		[['say', 'hello', '--read-only'], served.env, 'read-only', 2],
		[['chat', '--read-only'], served.env, 'read-only', 2],
		[['say', 'hello'], reading, 'forbidden', 3],
		[['say', 'hello', '--dry-run'], reading, 'forbidden', 3],
		[['chat'], reading, 'forbidden', 3],
		[['say', 'hello'], switching, 'forbidden', 3],
		[['chat'], switching, 'forbidden', 3],
		[['logs', '--calls', 'Hearth'], served.env, 'usage', 2],
		[['logs', '--level', 'loud'], served.env, 'usage', 2],
	];
	for (const [words, env, kind, exitCode] of cases) {
		const result = await runCommand([...words, '--json'], {env, stdin: 'hello\n'});
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [exitCode, '', kind], words.join(' '));
	}

	const dry = 'Nothing was changed: this was a dry run.\n';
	assert.deepEqual(await served.run(['say', 'hello', '--agent', 'Desk', '--dry-run']), ended(0, 'Would say to Desk: hello\n', dry));
	assert.deepEqual(await served.run(['chat', 'Desk', '--dry-run'], {stdin: 'hello\n'}), ended(0, '', `Would talk to Desk.\n${dry}`));
	await other.waitForAnswers(1);
	assert.ok(other.frames.every(({data}) => data['role'] !== 'user'));
});

test('an answer of several lines is cleaned, and a key in it is not printed, nor in the log of requests', async (t: TestContext) => {
	const {service, run} = await startLiveLike(t, {
		conversation: {
			reply: () => ({
				frames: [{type: 'log', data: {l: 'info', m: `The key is ${service.apiKey}`}}],
				answer: `One\u{1B}]0;x\u{7}\n${service.apiKey} two`,
			}),
		},
	});
	const {stdout, stderr} = await run(['say', 'hello', '--debug']);
	assert.equal(stdout, 'One\n[API key removed] two\n');
	const {file} = /^Request log: (?<file>\S+)$/m.exec(stderr)!.groups!;
	const log = await readFile(file!, 'utf8');
	assert.match(log, /voice-stream/);
	const json = await run(['say', 'hello', '--json']);
	for (const text of [stdout, stderr, log, json.stdout, json.stderr]) {
		assert.ok(!text.includes(service.apiKey), text);
	}
});

test('an agent that does not answer in time is exit 5, and so is a conversation that breaks off', async (t: TestContext) => {
	const {run} = await startLiveLike(t, {conversation: {reply: () => ({})}});
	const late = await run(['say', 'hello', '--timeout', '1', '--json']);
	assert.deepEqual([late.exitCode, late.stdout, lastError(late).kind], [5, '', 'timeout']);
	const cut = await startLiveLike(t, {
		conversation: {
			behave(talk) {
				talk.send(turnOf('assistant', 'Hello'));
				talk.socket.on('message', () => talk.socket.close(1011));
			},
		},
	});
	const broken = await cut.run(['say', 'hello', '--json']);
	assert.deepEqual([broken.exitCode, broken.stdout, lastError(broken).kind], [5, '', 'server-error']);
});

test('an assistant says something to an agent, and is given no more than it can read', async (t: TestContext) => {
	const {client, call} = await connectAssistant(t, served.env);
	type Result = {readonly agent: string; readonly answer: string; readonly events: readonly string[]; readonly not_listed?: number};
	const {value} = await call<Result>('say', {phrase: 'good morning', agent: 'hearth'});
	assert.deepEqual(
		[value.agent, value.answer, value.events.slice(0, 2)],
		[
			'Hearth',
			'This would start morninglights (skill). Abilities are not run here.',
			['user: good morning', 'info: “good morning” would start morninglights.'],
		],
	);
	await client.close();
	const refused = await connectAssistant(t, await keyWith('--name', 'assistant', '--read-only'));
	assert.equal((await refused.call('say', {phrase: 'hello'})).value.error?.kind, 'forbidden');
	await refused.client.close();
	const logs = Array.from({length: 60}, (_, index) => ({type: 'log', data: {l: 'info', m: `line ${index}`}}));
	const flooding = await startLiveLike(t, {conversation: {reply: () => ({frames: logs, answer: `\u{202E}${'x'.repeat(30_000)}`})}});
	const flood = await (await connectAssistant(t, flooding.env)).call<Result>('say', {phrase: 'hello'});
	assert.deepEqual(
		[flood.value.answer.length, flood.value.answer.slice(0, 9), flood.value.events.length, flood.value.not_listed],
		[20_000, String.raw`\u{202e}x`, 50, 12],
	);
});
