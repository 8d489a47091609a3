import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {parse} from 'yaml';
import {lastError, parseJson, shareServedHome} from './served-home.ts';
import {
	createRun,
	ended,
	json,
	jsonAnswer,
	runCommand,
	runOnTerminal,
	startDocumentedService,
	startLiveLike,
	startOddService,
} from './kit.ts';

const served = await shareServedHome({after});

type Loose = Readonly<Record<string, unknown>>;

const installedPath = '/api/capabilities/get-installed-capabilities/';

/** When a key was last used is stored a little later, perhaps between two of these. */
const lists = ['agents', 'abilities', 'installed', 'profiles', 'keys list --columns id,name,account,created'];

test('every list is the same in all formats of data', async () => {
	for (const line of lists) {
		const words = line.split(' ');
		const value = (await served.runJson(words)) as readonly Loose[];
		assert.deepEqual(parseJson((await served.run([...words, '--format', 'json'])).stdout), value);
		assert.deepEqual(parse((await served.run([...words, '--format', 'yaml'])).stdout), value);
		const lines = (await served.run([...words, '--format=jsonl'])).stdout.split('\n').slice(0, -1);
		assert.deepEqual(
			lines.map(text => parseJson(text)),
			value,
		);
		assert.deepEqual(await served.run([...words, '--format', 'tsv']), await served.run(words));
	}
});

test('--columns picks and orders them, with typed values in JSON', async (t: TestContext) => {
	const {run} = await startLiveLike(t);
	assert.deepEqual(await run(['installed', '--columns', 'name,State']), ended(0, 'lamps\ton\npantry\ton\nnightwatch\toff\n'));
	assert.deepEqual(
		await run(['installed', '--columns=triggers,id,state,changed', '--json']),
		ended(
			0,
			json([
				{triggers: ['lamps please', 'it is dark'], id: 301, state: 'on', changed: '2026-03-04T05:06:07.000Z'},
				{triggers: [], id: 302, state: 'on', changed: '2026-03-04T05:06:07.000Z'},
				{triggers: [], id: 303, state: 'off', changed: '2026-03-04T05:06:07.000Z'},
			]),
		),
	);
	assert.deepEqual(await run(['installed', '--columns', 'phrases']), await run(['installed', '--columns', 'triggers']));
	assert.deepEqual(
		await run(['abilities', 'list', '--columns', 'name,installed,category', '--format', 'jsonl']),
		ended(
			0,
			[
				'{"name":"lamps","installed":true,"category":"skill"}',
				'{"name":"pantry","installed":true,"category":"brain_skill"}',
				'{"name":"nightwatch","installed":true,"category":"background_daemon"}',
				'{"name":"desk","installed":false,"category":"local"}',
				'',
			].join('\n'),
		),
	);
	assert.deepEqual(
		await run(['agents', '--columns', 'name,abilities,prompt', '--format', 'yaml']),
		ended(
			0,
			[
				'- name: Hearth',
				'  abilities: null',
				'  prompt: You look after a house.',
				'- name: Porch',
				'  abilities: null',
				'  prompt: You greet guests.',
				'',
			].join('\n'),
		),
	);
});

test('what a service does not show is null in a column', async (t: TestContext) => {
	const service = await startDocumentedService({installed: [{installed_cap_id: 101, enabled: true}]});
	t.after(async () => service.close());
	const {run} = await createRun(service);
	assert.deepEqual(
		await run(['installed', '--columns', 'id,name,category,triggers,changed', '--json']),
		ended(0, json([{id: 101, name: '#101', category: null, triggers: [], changed: null}])),
	);
});

test('a table in a pipe is as wide as COLUMNS says, or 80 columns', async () => {
	const table = await served.run(['installed', '--format', 'table']);
	assert.deepEqual([table.exitCode, table.stderr], [0, '']);
	const lines = table.stdout.split('\n').slice(0, -1);
	assert.match(lines[0]!, /^ID +STATE +NAME +CATEGORY +PHRASES +CHANGED$/);
	assert.equal(lines.length, 1 + ((await served.runJson(['installed'])) as readonly unknown[]).length);
	assert.deepEqual(
		lines.filter(line => line.length > 80),
		[],
	);
	const {stdout} = await runCommand(['installed', '--format', 'table', '--columns', 'id,name,triggers'], {
		env: {...served.env, COLUMNS: '40'},
	});
	assert.match(stdout, /^ID +NAME +PHRASES\n/);
	assert.deepEqual(
		stdout.split('\n').filter(line => line.length > 40),
		[],
	);
});

test('a terminal gets tabs where they are asked for, and a table by default', async (t: TestContext) => {
	const {env} = await startLiveLike(t);
	const words = ['installed', '--columns', 'id,name'];
	const tableLines = ['ID   NAME', '301  lamps', '302  pantry', '303  nightwatch'];
	assert.deepEqual(await runOnTerminal(words, {env, columns: 60}), [0, ...tableLines]);
	assert.deepEqual(await runOnTerminal([...words, '--format', 'tsv'], {env, columns: 60}), [
		0,
		'301     lamps',
		'302     pantry',
		'303     nightwatch',
	]);
});

const mistakes: ReadonlyArray<readonly [words: readonly string[], message: string]> = [
	[
		['installed', '--columns', 'id,nmae'],
		'Invalid value “nmae” for --columns. Use some of id, state, name, category, phrases, changed, separated by commas.',
	],
	[['agents', '--columns', ''], 'The value for --columns is empty. Use some of id, name, abilities, prompt, separated by commas.'],
	[['abilities', '--format', 'xml'], 'Invalid value “xml” for --format. Use table, tsv, json, jsonl or yaml.'],
	[['installed', '--json', '--format', 'yaml'], '--json and --format yaml cannot be used together. Use one of them.'],
	[['keys', 'list', '--json', '--format', 'table'], '--json and --format table cannot be used together. Use one of them.'],
	[['profiles', '--json', '--format', 'tsv'], '--json and --format tsv cannot be used together. Use one of them.'],
	[['agents', 'edit', '1', '--format', 'json'], 'Unknown option --format for “switchboard agents edit”.'],
];

for (const [words, message] of mistakes) {
	test(`“${words.join(' ')}” is refused before anything is asked`, async (t: TestContext) => {
		const {run, service} = await startLiveLike(t);
		const {exitCode, stdout, stderr} = await run(words);
		assert.deepEqual([exitCode, stdout], [2, '']);
		assert.ok(stderr.replaceAll('\n', ' ').includes(message), stderr);
		assert.deepEqual(service.requests, []);
	});
}

test('--format json makes errors JSON too, as --json does', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	service.failNext({status: 403, body: '{}'});
	const result = await run(['installed', '--format', 'json']);
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [3, '', 'forbidden']);
});

test('an empty list is an empty array in JSON and YAML, and nothing in lines', async (t: TestContext) => {
	const {run} = await startLiveLike(t, {home: {installed: []}});
	assert.deepEqual(await run(['installed', '--format', 'yaml']), ended(0, '[]\n'));
	assert.deepEqual(await run(['installed', '--format', 'jsonl']), ended(0, ''));
	assert.deepEqual(await run(['installed', '--format', 'table']), ended(0, '', 'Nothing is installed.\n'));
});

test('no format lets a character through that a terminal would obey', async (t: TestContext) => {
	const hostile = 'a\u{1B}]52;c;QQ==\u{7}b\u{9B}31m\u{202E}c\u{2028}\u{E0041}\u{7F}\r\nnext line\n';
	const {run} = await startLiveLike(t, {home: {agents: [{id: 1, name: hostile, description: hostile, [hostile]: hostile}]}});
	for (const format of ['table', 'tsv', 'json', 'jsonl', 'yaml']) {
		const {stdout} = await run(['agents', '--format', format]);
		assert.doesNotMatch(stdout, /[\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{2028}\u{202E}\u{E0041}]/u, format);
	}

	assert.deepEqual(parse((await run(['agents', '--format', 'yaml'])).stdout), parseJson((await run(['agents', '--json'])).stdout));
	assert.deepEqual(parse((await run(['agents', '--format', 'yaml', '--columns', 'prompt'])).stdout), [{prompt: hostile}]);
});

test('a long list is whole in every format', async (t: TestContext) => {
	const installed = Array.from({length: 1100}, (_, index) => ({id: index + 1, name: `lamp${index}`, enabled: true}));
	const {run} = await startLiveLike(t, {home: {installed}});
	const names = installed.map(({name}) => name);
	const namesIn = (records: unknown): readonly unknown[] => (records as readonly Loose[]).map(({name}) => name);
	assert.deepEqual(namesIn(parse((await run(['installed', '--format', 'yaml'])).stdout)), names);
	assert.deepEqual(
		namesIn(
			(await run(['installed', '--format', 'jsonl'])).stdout
				.trimEnd()
				.split('\n')
				.map(line => parseJson(line)),
		),
		names,
	);
	assert.equal((await run(['installed', '--format', 'table', '--columns', 'id'])).stdout.split('\n').length, 1102);
});

test('“agents list” does the same as “agents”', async () => {
	for (const word of ['agents', 'abilities', 'installed', 'profiles']) {
		const [bare, listed] = [await served.run([word]), await served.run([word, 'list'])];
		assert.deepEqual(listed, bare);
		assert.equal(bare.exitCode, 0);
		assert.deepEqual(await served.runJson([word, 'list']), await served.runJson([word]));
	}
});

/** Runs commands on a service that answers this where installed abilities are asked for. */
async function createOddRun(t: TestContext, body: unknown) {
	const service = await startOddService({[installedPath]: jsonAnswer(body)});
	t.after(async () => service.close());
	return (await createRun(service)).run;
}

test('a list whose next page is one that was read is reported as incomplete', async (t: TestContext) => {
	const run = await createOddRun(t, {results: [{id: 1, name: 'lamp', enabled: true}], next: installedPath});
	const incomplete = 'The list is incomplete: its next page has been read before, or is on another host, to which the key is not sent.\n';
	assert.deepEqual(await run(['installed']), ended(0, '1\ton\tlamp\t\t\t\n', incomplete));
});
