import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {ended, json, jsonError, openTerminal, shareServedHome, startLiveLike} from './kit.ts';

const served = await shareServedHome({after});

type Stored = {name: string; description?: string; matching_capabilities?: readonly number[]};

async function start(t: TestContext) {
	const {service, run, env} = await startLiveLike(t);
	return {service, run, hearth: service.agents[0] as Stored, open: (...words: readonly string[]) => openTerminal(words, {env})};
}

test('agents get shows an agent with its abilities and their states, and with --json the record as the service returned it', async () => {
	const agents = (await served.runJson(['agents'])) as ReadonlyArray<Readonly<Record<string, unknown>>>;
	const hearth = agents.find(({name}) => name === 'Hearth')!;
	const {exitCode, stdout, stderr} = await served.run(['agents', 'get', 'hearth']);
	assert.deepEqual([exitCode, stderr], [0, '']);
	assert.match(
		stdout,
		/^id\t\d+\nname\tHearth\nabilities\tmorninglights \(on\), nightwatch \(off\), [^\n]*\nprompt\tYou are Hearth, [^\n]+\n$/,
	);
	assert.deepEqual(await served.run(['agents', 'show', String(hearth['personality_id'])]), ended(0, stdout));
	assert.deepEqual(await served.run(['agents', 'get', 'Hearth', '--json']), ended(0, json(hearth)));
	assert.deepEqual(
		await served.run(['agents', 'get', 'Harth', '--json']),
		ended(4, '', jsonError('not-found', 'There is no agent “Harth”. Did you mean: Hearth')),
	);
});

test('abilities that are not installed, not known or not shown are told apart', async (t: TestContext) => {
	const {run, hearth, service} = await start(t);
	const abilities = async () => /^abilities\t(?<text>.*)$/m.exec((await run(['agents', 'get', 'Hearth'])).stdout)?.groups!['text'];
	assert.equal(await abilities(), undefined);
	hearth.matching_capabilities = [];
	assert.equal(await abilities(), 'none');
	hearth.matching_capabilities = [21, 24, 99];
	assert.equal(await abilities(), 'lamps (on), desk (not installed), #99');
	service.failNext({status: 403, when: request => request.path.includes('get-installed-capabilities')});
	assert.equal(await abilities(), 'lamps, desk, #99');
});

test('--prompt gives a pipe the prompt to the byte, and a terminal what is safe to show of it, and nothing else', async (t: TestContext) => {
	const {run, hearth, open} = await start(t);
	const prompt = '\u{FEFF}\tYou look\r\nafter \u{1B}[31ma\u{1B}]52;c;QQ==\u{7} hou\u{202E}se. \n\n';
	for (const text of [prompt, '', 'One line']) {
		hearth.description = text;
		assert.deepEqual(await run(['agents', 'get', 'Hearth', '--prompt']), ended(0, text));
	}

	hearth.description = prompt;
	await using terminal = open('agents', 'get', 'Hearth', '--prompt');
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(terminal.screen().slice(0, 4), ['  You look', 'after a house.', '', '']);
	assert.doesNotMatch(terminal.output.toString(), /\u{1B}\[31m|\u{1B}\]52|\u{202E}/u);
});

test('a prompt goes from agents get to agents edit as it is', async (t: TestContext) => {
	const {hearth, run} = await start(t);
	hearth.description = ' You look\r\n\tafter a house.\n\n';
	const {stdout} = await run(['agents', 'get', 'Hearth', '--prompt']);
	hearth.description = 'Another.';
	assert.equal((await run(['agents', 'edit', 'Hearth', '--prompt', stdout])).exitCode, 0);
	assert.equal(hearth.description, ' You look\r\n\tafter a house.\n\n');
});

test('a prompt that the service does not show is no empty one', async (t: TestContext) => {
	const {run, hearth} = await start(t);
	delete hearth.description;
	assert.deepEqual(await run(['agents', 'get', 'Hearth', '--prompt']), ended(4, '', 'The service does not show the prompt of Hearth.\n'));
});

test('on a terminal the prompt stands beneath the fields as it was written', async (t: TestContext) => {
	const {hearth, open} = await start(t);
	hearth.description = 'You look after a house.\n\nBe brief.\n';
	await using terminal = open('agents', 'get', 'Hearth');
	assert.equal((await terminal.exited).exitCode, 0);
	assert.deepEqual(terminal.screen().slice(0, 6), ['id    1', 'name  Hearth', '', 'You look after a house.', '', 'Be brief.']);
});

test('lists show states in colour on a terminal, and fewer columns where they do not fit, unless some are asked for', async () => {
	const screenOf = async (columns: number, ...words: readonly string[]) => {
		await using terminal = openTerminal(['installed', ...words], {env: served.env, columns});
		await terminal.exited;
		return {
			titles: terminal
				.screen()
				.find(line => line.includes('NAME'))!
				.replaceAll(/ +/g, ' '),
			output: terminal.output.toString(),
		};
	};

	const wide = await screenOf(100);
	assert.equal(wide.titles, 'ID STATE NAME CATEGORY PHRASES CHANGED');
	assert.ok(wide.output.includes('\u{1B}[32mon\u{1B}[39m     morninglights'));
	assert.ok(wide.output.includes('\u{1B}[2moff\u{1B}[22m    nightwatch'));
	const narrow = await screenOf(40);
	assert.equal(narrow.titles, 'ID STATE NAME PHRASES');
	assert.match(narrow.output, /morninglights /);
	assert.equal((await screenOf(40, '--columns', 'state,name,category,changed')).titles, 'STATE NAME CATEGORY CHANGED');
	assert.doesNotMatch((await screenOf(80, '--no-color')).output, /\u{1B}\[\d*m/u);
	const {stdout} = await served.run(['installed', '--format', 'table']);
	assert.match(stdout, /^ID +STATE +NAME +CATEGORY +PHRASES +CHANGED\n/);
});
