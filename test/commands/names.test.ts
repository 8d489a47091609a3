import {assert, Buffer, path, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {
	codeFiles,
	connectAssistant,
	createRun,
	ended,
	environmentFor,
	parseJson,
	startTestService,
	startLiveLike,
	writeFolder,
} from './kit.ts';

/* Names of every form that accounts hold, from an upload to a state file and back. */

const names = [
	'Lamp Smart Devices',
	'hue lights',
	'日本語',
	'hot-take-machine',
	'灯'.repeat(200),
	String.raw`../a/b\c`,
	'👍 lamp',
	'-rf',
	'7 lamps 3',
	'Lamp, kitchen',
	'on',
	'# [x]: "y" {z}, *',
	'lamp*',
];

const folderOf = (name: string): string => `f${String(names.indexOf(name))}`;

const notPlain = (shown: string): string =>
	`“${shown}” is not only letters and digits, with a letter first, as OpenHome's client asks. The service decides.`;

type Run = Awaited<ReturnType<typeof createRun>>['run'];

/** What each command says of an account that was exported, changed and applied again. */
async function goRound(run: Run, folder: string, changed: string): Promise<void> {
	const ok = async (...words: readonly string[]): Promise<string> => {
		const {exitCode, stdout, stderr} = await run(words);
		assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
		return stdout;
	};

	await ok('export', '--into', 'home', '--sources');
	const state = path.join('home', 'home.yaml');
	assert.match(await ok('plan', state, '--prune', '--exit-code'), /^Nothing to do: \d+ unchanged\.\n$/);
	assert.doesNotMatch(await ok('export', '--into', 'home', '--sources'), /\t(?:added|changed|removed)$/m);
	writeFileSync(path.join(folder, 'home', 'abilities', changed, 'main.py'), 'print("newer")\n');
	assert.equal(parsePlan(await ok('plan', state, '--json')).changes.length, 1);
	assert.equal(parsePlan(await ok('apply', state, '--yes', '--json')).changes[0]!.done, true);
	assert.match(await ok('plan', state, '--exit-code'), /^Nothing to do: \d+ unchanged\.\n$/);
}

const parsePlan = (text: string) => parseJson(text) as {readonly changes: ReadonlyArray<{readonly name: string; readonly done?: boolean}>};

test('names of every form go from an upload to a state and back, on the bundled service', async (t: TestContext) => {
	const service = await startTestService({isSampleWanted: false});
	t.after(async () => service.close());
	const {run, folder} = await createRun({baseAddress: service.baseAddress, apiKey: service.key});
	const folders = names.map(name =>
		writeFolder(path.join(folder, folderOf(name)), {
			...codeFiles('print(1)\n'),
			'config.json': JSON.stringify({unique_name: name, matching_hotwords: ['open sesame']}),
		}),
	);
	const push = async (action: string): Promise<string> => {
		const {stdout, stderr} = await run(['abilities', 'push', ...folders, '--json']);
		const pushed = parseJson(stdout) as ReadonlyArray<{name: string; action: string}>;
		assert.deepEqual(
			pushed.map(each => [each.name, each.action]),
			names.map(name => [name, action]),
		);
		return stderr;
	};

	const created = await push('created');
	assert.deepEqual(
		created.split('\n').filter(line => line.includes('letters and digits')),
		names.filter(name => !/^[a-z]+$/.test(name)).map(name => notPlain(name.length < 120 ? name : `${name.slice(0, 119)}…`)),
	);
	for (const [index, name] of names.entries()) {
		assert.equal((await run(['abilities', 'diff', '--', name, folders[index]!])).exitCode, 0);
		writeFolder(folders[index]!, {'main.py': 'print(2)\n'});
	}

	assert.equal(await push('updated'), '');

	// As words, on standard input, in lists and in presets.
	const listed = parseJson((await run(['installed', '--json'])).stdout) as ReadonlyArray<{name: string; enabled: boolean}>;
	assert.deepEqual(listed.map(({name}) => name).toSorted(), names.toSorted());
	assert.equal((await run(['presets', 'save', 'all'])).exitCode, 0);
	const off = await run(['disable', '-', '--json'], {stdin: names.join('\n')});
	assert.deepEqual([off.exitCode, (parseJson(off.stdout) as ReadonlyArray<{changed: boolean}>).every(({changed}) => changed)], [0, true]);
	assert.equal(parsePlan((await run(['presets', 'diff', 'all', '--json'])).stdout).changes.length, names.length);
	assert.equal((await run(['presets', 'apply', 'all', '--yes'])).exitCode, 0);
	const on = parseJson((await run(['enable', '--json', '--', ...names])).stdout) as ReadonlyArray<{enabled: boolean; changed: boolean}>;
	assert.deepEqual([on.length, on.every(({enabled, changed}) => enabled && !changed)], [names.length, true]);

	await goRound(run, folder, '日本語');
	const pulled = await run(['abilities', 'pull', '--json', '--', 'LAMP SMART DEVICES']);
	assert.equal((parseJson(pulled.stdout) as {folder: string}).folder, 'Lamp Smart Devices');
	const {call} = await connectAssistant(t, environmentFor({baseAddress: service.baseAddress, apiKey: service.key}));
	const switched = await call<{outcomes: ReadonlyArray<{changed: boolean}>}>('switch_installed', {installed: names, enabled: false});
	assert.deepEqual([switched.isError, switched.value.outcomes.filter(({changed}) => changed).length], [false, names.length]);
});

/** Two of exactly the same name, and two that differ in case. */
const shared = [
	[41, 'Twin'],
	[42, 'Twin'],
	[43, 'Lamp'],
	[44, 'lamp'],
	[45, 'Lamp, kitchen'],
	[46, 'kitchen'],
] as const;

/** A service on which names may be alike. */
async function startShared(t: TestContext) {
	const live = await startLiveLike(t);
	const {service} = live;
	const category = 'skill';
	service.abilities = shared.map(([id, name]) => ({
		id,
		name,
		category,
		trigger_words: [],
		is_installed: true,
		capability_versions: [{id: 9000 + id, version: '1.0.0', is_user_enabled: true}],
	}));
	service.installed = shared.map(([id, name]) => ({id: 300 + id, name, category, trigger_words: [], enabled: true, capability_id: id}));
	service.agents = [
		{id: 1, name: 'Hearth', description: 'Be brief.', matching_capabilities: [43, 45]},
		{id: 2, name: 'hearth', description: 'Be kind.', matching_capabilities: [41, 44]},
	];
	for (const [id] of shared) {
		service.sources.set(id, [
			{path: 'main.py', bytes: Buffer.from(`print(${String(id)})\n`)},
			{path: '__init__.py', bytes: Buffer.alloc(0)},
		]);
	}

	return {
		...live,
		folder: live.home.folder,
		states: () =>
			live
				.states()
				.map(state => (state === true ? 'on' : 'off'))
				.join(' '),
	};
}

test('a name is the record that is spelled so; only otherwise may it be in any case, and two of one name need their ids', async (t: TestContext) => {
	const {run, states} = await startShared(t);
	assert.equal((await run(['disable', 'lamp'])).exitCode, 0);
	assert.equal(states(), 'on on on off on on');
	assert.equal((await run(['disable', 'KITCHEN', 'Lamp'])).exitCode, 0);
	assert.equal(states(), 'on on off off on off');
	for (const word of ['LAMP', 'Twin', 'twin']) {
		const ids = word === 'LAMP' ? '343 (Lamp), 344 (lamp)' : '341 (Twin), 342 (Twin)';
		assert.deepEqual(
			await run(['enable', word]),
			ended(2, '', `Several installed abilities are named “${word}”: ${ids}. Nothing was done.\nUse the id instead.\n`),
		);
	}

	assert.equal((await run(['disable', '342'])).exitCode, 0);
	assert.equal(states(), 'on off off off on off');
});

test('in a list a name with a comma needs its id', async (t: TestContext) => {
	const {run, service, states} = await startShared(t);
	const problem = '“Lamp, kitchen” has a comma, and commas separate the names of a list. Nothing was done.\n';
	assert.deepEqual(
		await run(['agents', 'edit', '1', '--abilities', 'Lamp, kitchen']),
		ended(2, '', `${problem}For this ability, use its id: 45 (or the ids of the others)\n`),
	);
	assert.deepEqual(
		await run(['disable', '--all', '--except', '344,LAMP,Kitchen', '--yes']),
		ended(2, '', `${problem}For this installed ability, use its id: 345 (or the ids of the others)\n`),
	);
	service.installed = service.installed.filter(record => (record as {id: number}).id !== 346);
	assert.deepEqual(
		await run(['disable', '--all', '--except', 'Lamp, kitchen', '--yes']),
		ended(4, '', `${problem}For this installed ability, use its id: 345\n`),
	);
	assert.equal((await run(['disable', '--all', '--except', '345, lamp', '--yes'])).exitCode, 0);
	assert.equal(states(), 'off off off on on');
	assert.equal((await run(['agents', 'edit', '1', '--abilities', '45,43'])).exitCode, 0);
});

test('export leaves out what only ids can tell apart, and keeps what it wrote of it earlier; the rest goes round', async (t: TestContext) => {
	const {run, service, folder} = await startShared(t);
	const {exitCode, stderr} = await run(['export', '--into', 'home', '--sources']);
	assert.deepEqual(
		[exitCode, stderr.split('\n')],
		[
			6,
			[
				'Left out the installed abilities 341, 342: all are named “Twin”, and a state file refers to records by name. With --prune, apply would switch them off.',
				'Left out the sources of the abilities 41, 42: all are named “Twin”, and a state file refers to records by name.',
				'Left out the abilities of hearth, which no state file can hold. The abilities 41, 42 are all named “Twin”.',
				'Some records were left out, because others have the same names.',
				'Rename or delete the others, then export again.',
				'',
			],
		],
	);
	assert.match((await run(['plan', 'home/home.yaml', '--exit-code'])).stdout, /^Nothing to do: \d+ unchanged\.\n$/);
	Object.assign(service.abilities[1] as object, {name: 'Twin B'});
	Object.assign(service.installed[1] as object, {name: 'Twin B'});
	await goRound(async words => run(words), folder, 'kitchen');
	Object.assign(service.abilities[1] as object, {name: 'Twin'});
	assert.equal((await run(['export', '--into', 'home', '--sources'])).exitCode, 6);
	assert.match((await run(['export', '--into', 'home', '--sources'])).stdout, /^abilities\/lamp-44\/main\.py\tunchanged$/m);
	assert.equal((await run(['abilities', 'diff', '41', 'home/abilities/Twin'])).exitCode, 0);
});

test('presets hold names that differ in case only', async (t: TestContext) => {
	const {run, states} = await startShared(t);
	assert.equal((await run(['disable', 'lamp', '341'])).exitCode, 0);
	const saved = await run(['presets', 'save', 'day']);
	assert.deepEqual(saved, ended(0, 'day\tLamp,Lamp, kitchen,kitchen\tlamp\n', 'Twin is left out: several have this name (341, 342).\n'));
	assert.equal((await run(['enable', 'lamp'])).exitCode, 0);
	assert.equal((await run(['disable', 'Lamp'])).exitCode, 0);
	assert.equal(states(), 'off on off on on on');
	assert.equal((await run(['presets', 'apply', 'day', '--yes'])).exitCode, 0);
	assert.equal(states(), 'off on on off on on');
});

test('tools find the record that is spelled so', async (t: TestContext) => {
	const {states, env} = await startShared(t);
	const {call} = await connectAssistant(t, env);
	await call('switch_installed', {installed: ['Lamp', 'Lamp, kitchen'], enabled: false});
	assert.equal(states(), 'on on off on off on');
	assert.equal((await call('switch_installed', {installed: ['Twin'], enabled: false})).value.error!.kind, 'ambiguous');
	await call('apply_state', {state: 'version: 1\ninstalled: {lamp: off, Lamp: on}'});
	assert.equal(states(), 'on on on off off on');
});

test('a name with hidden characters is found as it is shown, in each direction', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	const hidden = {name: 'La\u{1B}[31mmp\u{200B} one/two '};
	Object.assign(service.abilities[0] as object, hidden);
	Object.assign(service.installed[0] as object, hidden);
	assert.equal((await run(['disable', 'lamp ONE/two'])).exitCode, 0);
	assert.equal((await run(['abilities', 'pull', 'Lamp one/two'])).exitCode, 0);
	writeFolder(path.join(home.folder, 'new'), {...codeFiles('print(2)\n'), 'config.json': '{"unique_name": "Lamp one/two"}'});
	const pushed = await run(['abilities', 'push', 'new', '--json']);
	assert.deepEqual([pushed.exitCode, (parseJson(pushed.stdout) as [{capability_id: number}])[0].capability_id], [0, 21]);
	assert.equal((await run(['abilities', 'diff', '21', 'new'])).exitCode, 0);
	assert.equal((await run(['abilities', 'diff', '21', 'Lamp one-two'])).exitCode, 10);
	await goRound(async words => run(words), home.folder, 'Lamp one-two');
});
