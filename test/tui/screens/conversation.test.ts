import {assert, test, type TestContext} from '../../helpers/node.ts';
import {formatKeyRights} from '../../../source/interface/key-rights.ts';
import {type ConversationOptions, type LiveTalk, turnOf} from '../../helpers/live-like/conversations.ts';
import {openApp, openHome, type OpenAppOptions} from '../helpers/open-home.ts';
import {cursorLine, includes, isFresh, type RenderedApp, says, small, wide} from '../helpers/kit.ts';

const agent = (id: number, name: string, abilityIds: readonly number[]) => ({id, name, description: '', matching_capabilities: abilityIds});

const agents = [agent(1, 'Hearth', [21, 22]), agent(2, 'Porch', [21]), agent(3, 'Study', [])];

/** Waits for nobody, and says nothing by itself. */
const silent: ConversationOptions = {behave: () => undefined};

type Options = OpenAppOptions & {
	readonly conversation?: ConversationOptions;
	readonly keyRights?: string;
	readonly home?: {readonly agents: unknown[]};
};

const open = async (t: TestContext, options: Options = {}) => openHome(t, {home: {agents}, screen: 'agents', ...options});

/** Opens the conversation with Hearth, and waits until the service has it. */
async function openSilent(t: TestContext, options: Options = {}) {
	const {app, service} = await open(t, {conversation: silent, ...options});
	app.press('T');
	const [talk] = await service.waitForConversations(1);
	await app.shows(lines => lines[0]!.includes(' Hearth ') && !includes('Connecting…')(lines));
	return {app, service, talk: talk!};
}

/** The lines that are not empty. */
const shown = (lines: readonly string[]): readonly string[] => lines.filter(line => line !== '');

const line = (lines: readonly string[]): string =>
	lines
		.findLast(each => each.startsWith('> Say'))
		?.slice(6)
		.trim() ?? '';

const hasLine =
	(text: string) =>
	(lines: readonly string[]): boolean =>
		line(lines) === text;

async function waitForPhrases(app: RenderedApp, {phrases}: LiveTalk, count: number): Promise<readonly string[]> {
	await app.until(() => phrases().length >= count);
	return phrases();
}

test('T talks to the agent under the cursor, at 40 columns and at 80; keys of the same chunk go to its line', async t => {
	const app = await openApp(t, {screen: 'agents', size: small});
	app.write('T');
	const lines = await app.write('what now\r').shows('No ability');
	assert.deepEqual(lines, [
		' Hearth                           local',
		' you     what now',
		' Hearth  No ability has this phrase.',
		'',
		'',
		'',
		'',
		'',
		'> Say',
		' enter say  esc back  ctrl+c end',
	]);
	assert.deepEqual(shown(await app.resize(wide).shows('up earlier')), [
		' Talking to Hearth                                                        local',
		' you     what now',
		' Hearth  No ability has this phrase.',
		'> Say',
		' enter say  esc back  ctrl+c end  ctrl+o logs (1)  up earlier',
	]);
	assert.deepEqual(shown(await app.press('ctrl+o').shows('hide logs')).slice(1, -2), [
		' you     what now',
		'         · info: No phrase was heard.',
		' Hearth  No ability has this phrase.',
	]);
});

test('on an ability T asks which of its agents, and a key says each of its phrases', async t => {
	const {app, service} = await open(t, {screen: 'installed', size: small});
	assert.deepEqual(shown(await app.press('T').shows('Porch')), [
		' Which agent? Several have lamps',
		' > Hearth',
		'   Porch',
		' enter talk  j/k move  esc back',
	]);
	await app.write('j\r').shows('Hello, this is Porch');
	const lines = await app.press('2').shows('You said: it is dark', '1-2 say a phrase');
	assert.deepEqual(lines, [
		' Porch                      environment',
		' Porch  Hello, this is Porch',
		' you    it is dark',
		' Porch  You said: it is dark',
		'',
		'',
		'',
		' 1 lamps please  2 it is dark',
		'> Say',
		' enter say  1-2 say a phrase  esc back',
	]);
	// In a line that is not empty a figure is text.
	await app.press('x', '1').shows(hasLine('x1'));
	assert.deepEqual(
		service.conversations.map(({agentId, phrases}) => [agentId, phrases()]),
		[[2, ['it is dark']]],
	);
});

test('an ability that no phrase starts says why, and one that nobody has is tried with the first agent', async t => {
	const {app, service} = await open(t, {screen: 'abilities', size: wide, conversation: silent});
	for (const [name, reason, title] of [
		['pantry', 'the agent decides', 'Hearth'],
		['nightwatch', 'it is a daemon', 'Hearth'],
		['desk', 'it is not installed', 'Hearth'],
	] as const) {
		await app.press('j').shows(lines => cursorLine(lines)?.includes(name) === true);
		const lines = await app.press('T').shows(`No phrase starts ${name}: ${reason}.`);
		assert.match(lines[0]!, new RegExp(`^ Talking to ${title} `));
		await app.press('escape').shows(isFresh);
	}

	assert.equal(service.conversations.length, 1);
});

test('what is typed is kept when one goes back, the header says that it goes on and what came, and T returns to it', async t => {
	const {app, talk} = await openSilent(t, {size: wide});
	await app.paste('two\nlines').shows(hasLine('two lines'));
	await app.press('escape').shows('[talking to Hearth]');
	talk.send(turnOf('assistant', 'Are you there?'));
	await app.shows('[new from Hearth]');
	const narrow = await app.resize(small).shows(lines => lines.length === small.rows);
	assert.doesNotMatch(narrow[0]!, /Hearth/);
	await app.press('T').shows('Are you there?', hasLine('two lines'));
	await app.press('enter').shows(hasLine(''));
	app.write('again\r');
	assert.deepEqual(await waitForPhrases(app, talk, 2), ['two lines', 'again']);
	await app.press('n', 'up', 'up').shows(hasLine('two lines'));
	await app.press('down', 'down').shows(hasLine('n'));
	await app.close();
	await app.until(() => talk.socket.readyState === talk.socket.CLOSED);
});

test('Ctrl+C interrupts the agent while it answers, then ends the conversation, then quits', async t => {
	const {app, talk} = await openSilent(t, {size: wide});
	app.write('hello\r');
	await waitForPhrases(app, talk, 1);
	talk.send(turnOf('assistant', 'Well, it', false));
	await app.shows('Well, it', 'ctrl+c interrupt');
	await app.press('ctrl+c').until(() => talk.received.some(({data}) => data === 'interrupt-event'));
	await app.shows('ctrl+c end');
	await app.press('ctrl+c').says('The conversation with Hearth has ended.');
	await app.until(() => talk.socket.readyState === talk.socket.CLOSED);
	assert.equal(app.exitCode(), undefined);
	await app.press('ctrl+c').until(() => app.exitCode() === 0);
});

test('Ctrl+D on an empty line ends the conversation, and deletes in a line with text', async t => {
	const {app, talk} = await openSilent(t, {size: wide});
	await app.press('a', 'b', 'left', 'ctrl+d').shows('> Say a');
	await app.press('backspace').shows(lines => lines.some(line => line.trimEnd() === '> Say'));
	await app.press('ctrl+d').says('The conversation with Hearth has ended.');
	await app.until(() => talk.socket.readyState === talk.socket.CLOSED);
	assert.ok(!app.lines()[0]!.includes('talking to'));
});

test('an answer in 2,000 parts is drawn some times only, and the keys go on', async t => {
	const {app, talk} = await openSilent(t);
	const before = app.frames().length;
	for (let count = 0; count < 2000; count++) {
		talk.send(turnOf('assistant', `part ${count}`, false));
	}

	talk.send(turnOf('assistant', 'the end'));
	await app.write('typed').shows(hasLine('typed'));
	await app.shows('the end');
	// The letters are five of them.
	assert.ok(app.frames().length - before < 50, `${app.frames().length - before} frames`);
});

test('a text longer than the screen is scrolled by pages and by the wheel, and stays there while more comes', async t => {
	const {app, talk} = await openSilent(t, {size: small});
	for (let count = 1; count <= 30; count++) {
		talk.send(turnOf('assistant', `turn ${count}`));
	}

	await app.shows(lines => lines[7] === ' Hearth  turn 30');
	await app.press('pageup').shows(lines => lines[1] === ' Hearth  turn 18' && lines[0]!.includes('18–24 of 30'));
	talk.send(turnOf('assistant', 'turn 31'));
	await app.shows(lines => lines[1] === ' Hearth  turn 18' && lines[0]!.includes('of 31'));
	await app.write('\u{1B}[<64;5;5M').shows(lines => lines[1] === ' Hearth  turn 15');
	await app.press('pagedown', 'pagedown', 'pagedown').shows(lines => lines[7] === ' Hearth  turn 31');
});

test('a conversation that is lost is opened again, and it is said what is not known', async t => {
	const {app, service, talk} = await openSilent(t, {size: wide});
	app.write('hello\r');
	await waitForPhrases(app, talk, 1);
	talk.socket.terminate();
	await app.says('broke off the conversation (1006). Connecting again in 1 s.');
	await app.shows('! It is not known whether “hello” was heard.');
	app.write('more\r');
	const [, again] = await service.waitForConversations(2);
	assert.deepEqual(await waitForPhrases(app, again!, 1), ['more']);
	assert.deepEqual(talk.phrases(), ['hello']);
});

test('one that the service ends, or refuses, says why and which key connects again, and keeps the line', async t => {
	let isWelcome = false;
	const {app, service} = await open(t, {
		size: wide,
		conversation: {
			behave({socket}) {
				if (!isWelcome) {
					socket.close(1008, 'Policy');
				}
			},
		},
	});
	await app.press('T').says('Enter connects again.');
	const lines = await app.write('hello').shows(hasLine('hello'));
	assert.deepEqual(shown(lines), [
		' Talking to Hearth                                                  environment',
		' ! http://127.0.0.1:00000 refused the conversation: Policy (1008). Enter',
		' connects again. Check the key with: switchboard status',
		'> Say hello',
		' enter connect  esc back  ctrl+c quit  ctrl+o logs',
	]);
	isWelcome = true;
	app.press('enter');
	const [, again] = await service.waitForConversations(2);
	await app.shows(frame => hasLine('hello')(frame) && !says('Enter connects again.')(frame));
	app.press('enter');
	assert.deepEqual(await waitForPhrases(app, again!, 1), ['hello']);
});

test('where nothing may be said one may listen: in a read-only run, and with a key that may only switch', async t => {
	for (const [options, title, why] of [
		[{isReadOnly: true}, ' Hearth         environment [read-only]', ['', '', ' Read-only: you cannot talk.']],
		[
			{keyRights: formatKeyRights({name: 'tablet', rights: 'switch'})},
			' Hearth                     environment',
			['', ' You cannot talk: the key “tablet” may', ' only list and switch.'],
		],
	] as const) {
		const {app, service, talk} = await openSilent(t, {size: small, ...options});
		talk.send(turnOf('assistant', 'Hello.'));
		assert.deepEqual(await app.press('s', 'a', 'y', 'enter', 'x').shows('Hello.'), [
			title,
			' Hearth  Hello.',
			'',
			'',
			'',
			'',
			...why,
			' esc back  ctrl+o logs',
		]);
		assert.deepEqual(
			service.conversations.map(each => each.phrases()),
			[[]],
		);
	}
});

test('what others send is drawn without its escape sequences, and who speaks is read without colours', async t => {
	const {app, talk} = await openSilent(t, {size: small, isAscii: true});
	for (const frame of [
		turnOf('user', 'from \u{1B}[31melsewhere\u{1B}[m\u{202E}'),
		turnOf('assistant', 'One\r\ntwo \u{1B}]0;title\u{7}and three'),
		{type: 'log', data: {l: 'warn\u{1B}[2J', m: 'careful\nnow'}},
		{type: 'question', data: {room: 1}},
		{type: 'error-event', data: {message: 'Too much.'}},
	]) {
		talk.send(frame);
	}

	assert.deepEqual(shown(await app.press('ctrl+o').shows('Too much.')).slice(1, -2), [
		' other   from elsewhere',
		' Hearth  One',
		'         two and three',
		'         · warn: careful',
		'         now',
		'         · question: {"room":1}',
		'         ! Too much.',
	]);
	assert.doesNotMatch(app.rawFrame(), /\u{1B}\[2J|title/u);
});

test('a sixth conversation ends the one that was on the screen the longest time ago', async t => {
	const {app, service} = await open(t, {
		size: wide,
		conversation: silent,
		home: {agents: Array.from({length: 6}, (_, index) => agent(index + 1, `agent${index + 1}`, []))},
	});
	for (let count = 1; count <= 6; count++) {
		app.press('T');
		await service.waitForConversations(count);
		await app.shows(`Talking to agent${count}`);
		await app.press('escape').shows(isFresh);
		app.press('j');
	}

	await app.shows('[talking to 5 agents]');
	const [first, ...others] = service.conversations;
	await app.until(() => first!.socket.readyState === first!.socket.CLOSED);
	assert.ok(others.every(({socket}) => socket.readyState === socket.OPEN));
});
