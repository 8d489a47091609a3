import {after, assert, execFileSync, path, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {parse} from 'yaml';
import {type DocumentedServiceOptions} from '../helpers/documented-service.ts';
import {ended, json, jsonError, modeOf, parseJson, shareServedHome, startLiveLike, startDocumented} from './kit.ts';

const served = await shareServedHome({after});

/** A service with the documented paths, and a folder of its own. */
async function start(t: TestContext, options: DocumentedServiceOptions = {}) {
	const documented = await startDocumented(t, options);
	return {...documented, inFolder: (name: string): string => path.join(documented.folder, name)};
}

const barest = 'version: 1\ninstalled:\n  "#101": on\n  "#102": off\n  "#103": on\nagents:\n  "#1": {}\n  "#2": {}\n';

const wrote = (file: string): string => `Wrote ${file}: 3 installed, 2 agents.\n`;

test('the state of the sample home is printed as YAML, and the same as JSON', async () => {
	const {stdout, stderr, exitCode} = await served.run(['export']);
	assert.deepEqual([stderr, exitCode], ['', 0]);
	assert.ok(stdout.startsWith('version: 1\ninstalled:\n  deskmusic:\n    enabled: off\n    triggers:\n      - play some music\n'), stdout);
	assert.match(stdout, /\n {2}Pepper:\n {4}prompt: \|-\n {6}You are Pepper, /);
	assert.match(stdout, /\n {4}abilities:\n {6}- dinnerideas\n {6}- kitchentimer\n {6}- pantry\n {6}- shoppinglist\n$/);
	assert.doesNotMatch(stdout, /^abilities:/m);
	const state = (await served.runJson(['export'])) as {installed: Record<string, {enabled: boolean; triggers: string[]}>; agents: object};
	assert.deepEqual(state.installed['nightwatch'], {enabled: false, triggers: []});
	const inWords = JSON.stringify(state, (key, value: unknown) => (key === 'enabled' ? (value === true ? 'on' : 'off') : value));
	assert.deepEqual(parse(stdout), parseJson(inWords));
	assert.deepEqual(Object.keys(state.agents), ['Desk', 'Hearth', 'Pepper']);
});

test('a service that shows nothing but ids and states leaves the other fields out', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.deepEqual(await run(['export']), ended(0, barest));
	assert.deepEqual(await run(['export', '-']), ended(0, barest));
	assert.deepEqual(
		await run(['export', '--json']),
		ended(0, json({version: 1, installed: {'#101': true, '#102': false, '#103': true}, agents: {'#1': {}, '#2': {}}})),
	);
	// Three lists and nothing else, also where it may change nothing.
	const {length} = service.requests;
	assert.deepEqual(await run(['export', '--read-only']), ended(0, barest));
	assert.deepEqual(
		service.requests.slice(length).map(({method}) => method),
		['GET', 'GET', 'GET'],
	);
});

test('an account with nothing in it has a state without entries', async (t: TestContext) => {
	const {run} = await start(t, {agents: [], abilities: [], installed: []});
	assert.deepEqual(await run(['export']), ended(0, 'version: 1\n'));
});

test('--ascii leaves the letters of a state as they are: others would be another state', async (t: TestContext) => {
	const {run} = await start(t, {agents: [{id: 1, name: 'Zoë', description: 'Sei nett – grüß alle.'}], installed: []});
	assert.deepEqual(await run(['export', '--ascii']), ended(0, 'version: 1\nagents:\n  Zoë:\n    prompt: Sei nett – grüß alle.\n'));
});

test('records of one name are left out with their ids, the rest is written, and that is exit 6', async (t: TestContext) => {
	const {run, inFolder} = await start(t, {
		installed: [
			{installed_cap_id: 101, name: 'pantry', enabled: true},
			{installed_cap_id: 102, name: 'Pantry', enabled: false},
			{installed_cap_id: 103, name: 'twin', enabled: true},
			{installed_cap_id: 104, name: 'twin', enabled: false},
		],
		agents: [],
	});
	const leftOut =
		'Left out the installed abilities 103, 104: all are named “twin”, and a state file refers to records by name. With --prune, apply would switch them off.\n';
	const [message, nextStep] = [
		'Some records were left out, because others have the same names.',
		'Rename or delete the others, then export again.',
	];
	const state = 'version: 1\ninstalled:\n  Pantry: off\n  pantry: on\n';
	assert.deepEqual(await run(['export']), ended(6, state, `${leftOut}${message}\n${nextStep}\n`));
	assert.deepEqual(
		await run(['export', 'home.yaml']),
		ended(6, '', `${leftOut}Wrote home.yaml: 2 installed, 0 agents.\n${message}\n${nextStep}\n`),
	);
	assert.equal(readFileSync(inFolder('home.yaml'), 'utf8'), state);
	assert.deepEqual(await run(['plan', 'home.yaml', '--exit-code']), ended(0, 'Nothing to do: 2 unchanged.\n'));
	assert.deepEqual(
		await run(['export', '--json']),
		ended(6, json({version: 1, installed: {Pantry: false, pantry: true}}), leftOut + jsonError('some-failed', `${message} ${nextStep}`)),
	);
});

test('an incomplete list is refused: what is missing would be switched off by a later apply --prune', async (t: TestContext) => {
	const {run} = await startLiveLike(t, {
		listShape: 'results',
		pageSize: 2,
		nextAddress: page => `http://127.0.0.1:9/api/next/?page=${page}`,
	});
	const {stdout, stderr, exitCode} = await run(['export']);
	assert.deepEqual([stdout, exitCode], ['', 2]);
	assert.match(stderr, /\nThe list of installed abilities is incomplete, so the state would be too\.\n$/);
});

test('a file gets the state, as JSON where its name or --json says so, and the same state again', async (t: TestContext) => {
	const {run, inFolder, folder} = await start(t);
	const before = readdirSync(folder);
	assert.deepEqual(await run(['export', 'home.yaml']), ended(0, '', wrote('home.yaml')));
	assert.equal(readFileSync(inFolder('home.yaml'), 'utf8'), barest);
	assert.deepEqual(await run(['export', 'home.yaml']), ended(0, '', wrote('home.yaml')));
	const {stdout} = await run(['export', '--json']);
	assert.deepEqual(await run(['export', 'home.JSON']), ended(0, '', wrote('home.JSON')));
	assert.equal(readFileSync(inFolder('home.JSON'), 'utf8'), stdout);
	assert.deepEqual(await run(['export', 'both.yaml', '--json']), ended(0, stdout, wrote('both.yaml')));
	assert.equal(readFileSync(inFolder('both.yaml'), 'utf8'), stdout);
	assert.deepEqual(new Set(readdirSync(folder)).difference(new Set(before)), new Set(['home.yaml', 'home.JSON', 'both.yaml']));
});

test('an existing file keeps its mode, and a link to it stays one, whose target is told', async (t: TestContext) => {
	const {run, inFolder} = await start(t);
	mkdirSync(inFolder('git'));
	writeFileSync(inFolder('git/home.yaml'), '');
	chmodSync(inFolder('git/home.yaml'), 0o640);
	symlinkSync('git/home.yaml', inFolder('link.yaml'));
	assert.deepEqual(await run(['export', 'link.yaml']), ended(0, '', wrote(`link.yaml → ${realpathSync(inFolder('git/home.yaml'))}`)));
	assert.ok(lstatSync(inFolder('link.yaml')).isSymbolicLink());
	assert.deepEqual([readFileSync(inFolder('git/home.yaml'), 'utf8'), modeOf(inFolder('git/home.yaml'))], [barest, '640']);
	assert.deepEqual(readdirSync(inFolder('git')), ['home.yaml']);
});

const losses = [
	['comments', '# Kept by hand.\nversion: 1\n', 'comments'],
	['a comment at the end of a line', 'version: 1\ninstalled: {pantry: on} # always\n', 'comments'],
	['abilities with their folders', 'version: 1\nabilities: {a: {source: ./a}}\n', '“abilities:”'],
	['prompts in files', 'version: 1\nagents: {Hearth: {prompt_file: hearth.md}}\n', '“prompt_file:”'],
	['new names', 'version: 1\nagents: {Hearth: {name: Hob}}\n', '“name:”'],
	['something else', 'Dear diary\n', 'something else than a state'],
	['another mapping', 'services: {web: {}}\n', 'something else than a state'],
	['bytes that are no text', Uint8Array.of(0xff, 0xfe), 'something else than a state'],
] as const;

test('a file with what an export would lose is kept, and nothing is asked of the service, without --force', async (t: TestContext) => {
	const {run, inFolder, service} = await start(t);
	for (const [what, content, named] of losses) {
		const nextStep = `Use another file, or --force to replace it.${named === 'something else than a state' ? '' : ' Compare it with: switchboard export | diff home.yaml -'}`;
		writeFileSync(inFolder('home.yaml'), content);
		const problem = `“home.yaml” contains ${named}, which would be lost. Nothing was done.`;
		assert.deepEqual(await run(['export', 'home.yaml']), ended(2, '', `${problem}\n${nextStep}\n`), what);
		assert.deepEqual(await run(['export', 'home.yaml', '--json']), ended(2, '', jsonError('conflict', `${problem} ${nextStep}`)), what);
	}

	assert.deepEqual(service.requests, []);
	assert.deepEqual(await run(['export', 'home.yaml', '--force']), ended(0, '', wrote('home.yaml')));
	assert.equal(readFileSync(inFolder('home.yaml'), 'utf8'), barest);
});

test('the first line that names the schema for editors is kept, and no other comment is', async (t: TestContext) => {
	const {run, inFolder} = await start(t);
	const line = '# yaml-language-server: $schema=./state.schema.json\n';
	writeFileSync(inFolder('home.yaml'), line);
	for (const options of [[], ['--force']]) {
		assert.deepEqual(await run(['export', 'home.yaml', ...options]), ended(0, '', wrote('home.yaml')));
		assert.equal(readFileSync(inFolder('home.yaml'), 'utf8'), line + barest);
	}

	for (const [file, content] of [
		['home.yaml', `${line}# Kept by hand.\n${barest}`],
		['home.yaml', `${barest}${line}`],
		['home.json', `${line}{"version": 1}\n`],
	] as const) {
		writeFileSync(inFolder(file), content);
		assert.equal((await run(['export', file])).exitCode, 2, content);
		assert.equal(readFileSync(inFolder(file), 'utf8'), content);
	}
});

test('a prompt that begins with a number sign is no comment', async (t: TestContext) => {
	const {run} = await start(t, {agents: [{id: 1, name: '#1', description: '# Rules\n#\n  # be brief\n'}], installed: []});
	await run(['export', 'home.yaml']);
	assert.deepEqual(await run(['export', 'home.yaml']), ended(0, '', 'Wrote home.yaml: 0 installed, 1 agent.\n'));
});

test('what is no file is not written to', async (t: TestContext) => {
	const {run, inFolder, service} = await start(t);
	mkdirSync(inFolder('folder.yaml'));
	execFileSync('mkfifo', [inFolder('pipe.yaml')]);
	symlinkSync('nowhere.yaml', inFolder('link.yaml'));
	for (const [file, problem] of [
		['folder.yaml', 'is a folder'],
		['pipe.yaml', 'is not a regular file'],
		['/dev/null', 'is not a regular file'],
		['link.yaml', 'is a link that leads nowhere'],
	] as const) {
		assert.deepEqual(await run(['export', file, '--force']), ended(2, '', `“${file}” ${problem}. Nothing was done.\nCheck the path.\n`));
	}

	assert.deepEqual(service.requests, []);
	assert.deepEqual(
		await run(['export', 'nowhere/home.yaml']),
		ended(2, '', '“nowhere/home.yaml” cannot be written: its folder does not exist. Nothing was done.\nCheck the path.\n'),
	);
});
