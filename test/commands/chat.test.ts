import {after, assert, createInterface, once, process, spawn, test, type TestContext} from '../helpers/node.ts';
import type {Duplex} from 'node:stream';
import {turnOf} from '../helpers/live-like/conversations.ts';
import {openTalk, streamPath} from '../helpers/talk.ts';
import {lastError, parseJson, shareServedHome} from './served-home.ts';
import {ended, openPseudoTerminal, programFile, runCommand, startLiveLike, startLiveLikeService, waitUntil} from './kit.ts';

const served = await shareServedHome({after});

type Env = Readonly<Record<string, string>>;

const openChat = (env: Env, words: readonly string[] = ['Hearth'], rows = 24) =>
	openPseudoTerminal({command: process.execPath, args: [programFile, 'chat', ...words], env, rows});

/** A chat in a pipe that stays open. */
function startPipe(t: TestContext, env: Env) {
	const child = spawn(process.execPath, [programFile, 'chat', 'Hearth'], {env, stdio: 'pipe'});
	t.after(() => child.kill('SIGKILL'));
	const lines: string[] = [];
	let errors = '';
	createInterface({input: child.stdout}).on('line', line => {
		lines.push(line);
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const closed = once(child, 'close') as Promise<[number | null]>;
	return {
		child,
		lines,
		errors: () => errors,
		write(text: string) {
			child.stdin.write(text);
		},
		async end() {
			child.stdin.end();
			const [exitCode] = await closed;
			return exitCode;
		},
		closed,
	};
}

test('in a pipe each phrase is answered by a line, with --json by an object as say prints it', async () => {
	const phrases = 'good morning\n\nnext song';
	assert.deepEqual(
		await served.run(['chat', 'Hearth'], {stdin: phrases}),
		ended(0, 'This would start morninglights (skill). Abilities are not run here.\nNo ability has this phrase.\n'),
	);
	const {stdout} = await served.run(['chat', 'Hearth', '--json'], {stdin: phrases});
	const objects = stdout
		.trimEnd()
		.split('\n')
		.map(line => parseJson(line) as Readonly<Record<string, unknown>>);
	assert.deepEqual(
		objects.map(each => [Object.keys(each).join(','), each['phrase']]),
		[
			['agent,phrase,answer,seconds,events,personality_id', 'good morning'],
			['agent,phrase,answer,seconds,events,personality_id', 'next song'],
		],
	);
});

test('in a pipe a phrase without an answer is an empty line, and exit 6, or 5 if it was the only one', async (t: TestContext) => {
	const {env} = await startLiveLike(t, {conversation: {reply: ({phrase}) => (phrase === 'silence' ? {} : {answer: 'One\nTwo'})}});
	const run = async (stdin: string) => runCommand(['chat', 'Hearth', '--timeout', '1', '--json'], {env, stdin});
	const several = await run('silence\nhello\n');
	assert.deepEqual([several.exitCode, lastError(several).kind], [6, 'some-failed']);
	assert.match(several.stderr, /^silence: The agent gave no answer within 1 s\.$/m);
	const [first, second] = several.stdout
		.trimEnd()
		.split('\n')
		.map(line => parseJson(line) as {readonly answer: unknown; readonly error?: {readonly kind: string}});
	assert.deepEqual([first?.answer, first?.error?.kind, second?.answer, second?.error], [null, 'timeout', 'One\nTwo', undefined]);
	const one = await run('silence\n');
	assert.deepEqual([one.exitCode, lastError(one).kind], [5, 'timeout']);
	const plain = await runCommand(['chat', 'Hearth', '--timeout', '1'], {env, stdin: 'silence\nhello\n'});
	assert.deepEqual([plain.exitCode, plain.stdout], [6, '\nOne Two\n']);
});

test('in a pipe a conversation that is cut off is opened again, and what was not answered is not said again', async (t: TestContext) => {
	const heard: string[] = [];
	const {env, service} = await startLiveLike(t, {
		conversation: {
			behave(talk) {
				talk.send(turnOf('assistant', 'Hello'));
				talk.socket.on('message', () => {
					const phrase = talk.phrases().at(-1);
					if (phrase === undefined || phrase === heard.at(-1)) {
						return;
					}

					heard.push(phrase);
					if (phrase === 'cut') {
						talk.socket.terminate();
					} else {
						talk.send(turnOf('assistant', `You said: ${phrase}`));
					}
				});
			},
		},
	});
	const chat = startPipe(t, env);
	chat.write('one\ncut\ntwo\n');
	await waitUntil(() => chat.lines.length === 3);
	assert.deepEqual(chat.lines, ['You said: one', '', 'You said: two']);
	assert.deepEqual(heard, ['one', 'cut', 'two']);
	assert.match(chat.errors(), /It is not known whether “cut” was heard\./);
	assert.match(chat.errors(), /Trying again until it works\.\n(?:.*\n)*Connected again\.\n/);
	const port = Number(new URL(service.baseAddress).port);
	await service.close();
	await waitUntil(() => chat.errors().match(/Trying again/g)?.length === 2);
	chat.write('three\n');
	const back = await startLiveLikeService({port});
	t.after(async () => back.close());
	await waitUntil(() => chat.lines.length === 4);
	assert.equal(chat.lines[3], 'You said: three');
	assert.equal(await chat.end(), 6);
});

test('Ctrl+C ends a chat in a pipe with exit 0, and a line without an end is refused', async (t: TestContext) => {
	const chat = startPipe(t, served.env);
	chat.write('good morning\n');
	await waitUntil(() => chat.lines.length === 1);
	chat.child.kill('SIGINT');
	assert.deepEqual(await chat.closed, [0, null]);
	const endless = await served.run(['chat', 'Hearth', '--json'], {stdin: 'x'.repeat(1_100_000)});
	assert.deepEqual([endless.exitCode, lastError(endless).kind], [2, 'too-large']);
});

test('on a terminal answers stand above the line that is typed, /logs shows logs, and the last phrase comes back', async () => {
	await using chat = openChat(served.env);
	await chat.waitFor('Hearth: This is Hearth.');
	chat.write('good mor');
	await chat.waitFor('> good mor');
	chat.write('ning');
	chat.press('enter');
	await chat.waitFor('Hearth: This would start morninglights (skill). Abilities are not run here.\n>');
	assert.ok(chat.screen().every(line => !line.includes('info')));
	chat.write('/logs');
	chat.press('enter');
	await chat.waitFor('Logs are shown.');
	chat.press('up', 'up');
	await chat.waitFor(lines => lines.findLast(line => line !== '') === '> good morning');
	chat.press('enter');
	await chat.waitFor('info       “good morning” would start morninglights.');
	await using other = await openTalk(served.baseAddress, streamPath(served.apiKey));
	other.say('good night');
	await chat.waitFor(/Said elsewhere: good night\n[\s\S]*Hearth: This would start goodnight/);
	chat.write('/sing');
	chat.press('enter');
	await chat.waitFor('That was not said. The commands are /logs and /quit.');
	chat.write('/quit');
	chat.press('enter');
	assert.equal((await chat.exited).exitCode, 0);
	assert.ok(!chat.output.includes(served.apiKey));
});

test('a line of several rows stays whole when something is printed above it', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	await using chat = openChat(env);
	await chat.waitFor('Hearth: Hello, this is Hearth');
	const [talk] = await service.waitForConversations(1);
	chat.write('word '.repeat(40).trim());
	await chat.waitFor(lines => lines.join('').split('word').length === 41);
	talk!.send(turnOf('assistant', 'By the way'));
	// The line is drawn anew after what is printed above it, once.
	await chat.waitFor(screen => {
		const lines = screen.filter(line => line !== '');
		const start = lines.indexOf('Hearth: By the way') + 1;
		return (
			start > 0 &&
			lines[start]?.startsWith('> word') === true &&
			[lines.slice(start), lines].every(part => part.join('').split('word').length === 41)
		);
	});
	chat.press('ctrl+c');
	assert.equal((await chat.exited).exitCode, 0);
});

test('Ctrl+C interrupts an agent that answers, and the next one leaves', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t, {conversation: {reply: () => ({})}});
	await using chat = openChat(env);
	await chat.waitFor('Hearth: Hello, this is Hearth');
	chat.write('tell me a story');
	chat.press('enter');
	const [talk] = await service.waitForConversations(1);
	await waitUntil(() => talk!.phrases().length === 1);
	talk!.send(turnOf('assistant', 'Once upon', false));
	chat.press('ctrl+c');
	await chat.waitFor('Interrupted. Press Ctrl+C again to leave.');
	await waitUntil(() => talk!.received.some(({data}) => data === 'interrupt-event'));
	chat.press('ctrl+c');
	assert.equal((await chat.exited).exitCode, 0);
});

test('on a terminal a phrase typed while the service is away waits, and is said when it returns; Ctrl+D leaves', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t, {conversation: {reply: () => ({})}});
	await using chat = openChat(env);
	await chat.waitFor('Hearth: Hello, this is Hearth');
	chat.write('hello');
	chat.press('enter');
	const [talk] = await service.waitForConversations(1);
	await waitUntil(() => talk!.phrases().length === 1);
	const port = Number(new URL(service.baseAddress).port);
	await service.close();
	await chat.waitFor(/It is not known whether “hello” was heard\.\n[\s\S]*Trying again until it\s+works\./);
	chat.write('again');
	chat.press('enter');
	await chat.waitFor('Waiting: again');
	const back = await startLiveLikeService({port});
	t.after(async () => back.close());
	await chat.waitFor(/Connected again\.[\s\S]*Said: again[\s\S]*Hearth: You said: again/);
	chat.write('now');
	chat.press('enter');
	await chat.waitFor('Hearth: You said: now');
	assert.deepEqual((await back.waitForConversations(1))[0]!.phrases(), ['again', 'now']);
	assert.ok(!chat.output.includes('Said elsewhere'));
	chat.press('ctrl+d');
	assert.equal((await chat.exited).exitCode, 0);
});

test('twenty phrases wait at most before the conversation is open, and are named where nobody hears them', async (t: TestContext) => {
	const sockets: Duplex[] = [];
	const {env} = await startLiveLike(t, {
		conversation: {
			handshake(socket) {
				sockets.push(socket);
			},
		},
	});
	t.after(() => {
		for (const socket of sockets) {
			socket.destroy();
		}
	});
	await using chat = openChat(env, ['Hearth'], 100);
	await waitUntil(() => sockets.length === 1);
	for (let count = 1; count <= 21; count++) {
		chat.write(`number ${count}`);
		chat.press('enter');
		await chat.waitFor(count === 21 ? 'Not said, since 20 phrases are already waiting: number 21' : `Waiting: number ${count}\n`);
	}

	// A paste is one phrase, once it is confirmed.
	chat.write('one\rtwo\rthree\r');
	await chat.waitFor(/Pasted, 13 characters: one two three\nSay it as one phrase\? \[y\/N\]/);
	chat.press('enter');
	await chat.waitFor(/Not said\.\n>/);
	chat.press('ctrl+c');
	assert.equal((await chat.exited).exitCode, 0);
	const named = chat.screen().filter(line => line.startsWith('Not said: '));
	assert.deepEqual(
		named,
		Array.from({length: 20}, (_, index) => `Not said: number ${index + 1}`),
	);
	assert.match(chat.output.toString(), /\[\?2004h[\s\S]*\[\?2004l/);
});
