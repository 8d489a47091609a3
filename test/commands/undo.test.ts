import {assert, Buffer, path, test, type TestContext} from '../helpers/node.ts';
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import type {LiveLikeService} from '../helpers/live-like-service.ts';
import {fingerprintOf} from '../helpers/remote-terminal.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {shareTestService} from '../service/running-service.ts';
import {
	createRemoteClient,
	createServerFolders,
	ended,
	environmentFor,
	json,
	lastError,
	parseJson,
	runCommand,
	runOnTerminal,
	startLiveLike,
	startLiveLikeService,
} from './kit.ts';

type Loose = Record<string, unknown>;

const hosted = await shareTestService();

/** Runs commands with a key of that name of the bundled service, which keeps a history. */
async function createPerson(name: string) {
	const keys = await openApiKeys(hosted.dataFolder);
	const {key} = await keys.create({account: 'default', name});
	await keys.close();
	const env = environmentFor({...hosted, apiKey: key});
	return async (...words: readonly string[]) => runCommand(words, {env});
}

const isOn = async (person: Awaited<ReturnType<typeof createPerson>>, wanted: string): Promise<unknown> =>
	(parseJson((await person('installed', '--json')).stdout) as readonly Loose[]).find(({name}) => name === wanted)!['enabled'];

test('undo takes back what a command did, and the next one what was done before', async (t: TestContext) => {
	const {env, run, service, states} = await startLiveLike(t);
	const [before, hearth] = [states(), service.agents[0] as Loose];
	const {name, description} = hearth;
	await run(['disable', '--all']);
	await run(['agents', 'edit', 'Hearth', '--name', 'Hob', '--prompt', 'Be brief.']);
	await run(['installed', 'edit', 'lamps', '--triggers', 'light it up']);
	const refused = await run(['undo']);
	assert.deepEqual([refused.exitCode, refused.stdout], [2, '']);
	assert.match(refused.stderr, /^By “installed edit”, (?:\d{4}-\d\d-\d\d )?\d\d:\d\d: 1 change\.\n/);
	const dry = await run(['undo', '2', '--dry-run', '--json']);
	assert.deepEqual(
		[
			dry.exitCode,
			(JSON.parse(dry.stdout) as {readonly changes: readonly Loose[]}).changes.map(({name: its, field}) => [its, field].join(' ')),
		],
		[0, ['lamps triggers', 'Hob prompt', 'Hob name']],
	);
	const [exitCode, ...lines] = await runOnTerminal(['undo'], {env, typed: 'y\r'});
	assert.deepEqual(
		[exitCode, ...lines.slice(-2)],
		[0, 'done       ~ lamps triggers: light it up → lamps please, it is dark', '1 done, 0 unchanged.'],
	);
	assert.deepEqual(await run(['undo', '--yes', '--json']).then(({exitCode: code, stdout}) => [code, stdout]), [
		0,
		json({
			changes: [
				{kind: 'agent', name: 'Hob', field: 'prompt', from: 'Be brief.', to: description, done: true},
				{kind: 'agent', name: 'Hob', field: 'name', from: 'Hob', to: name, done: true},
			],
			unchanged: 0,
			overtaken: [],
		}),
	]);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.deepEqual([states(), hearth['name'], hearth['description']], [before, name, description]);
	assert.deepEqual(await run(['undo', '--json']), ended(0, json({changes: [], unchanged: 0, overtaken: []})));
	assert.match((await run(['undo'])).stderr, /^There is nothing to undo: /);
	// A change that is undone again is a change like any other.
	await run(['history', 'revert', '1', '--yes']);
	assert.equal(lastError(await run(['undo', 'many', '--json'])).kind, 'usage');
});

test('undo and history revert notice that a colleague switched it off and on again', async () => {
	const [anna, ben] = [await createPerson('anna'), await createPerson('ben')];
	await anna('enable', 'pantry');
	await anna('disable', 'pantry');
	await ben('enable', 'pantry');
	await ben('disable', 'pantry');
	const undone = await anna('undo', '--yes', '--json');
	const {changes, overtaken} = JSON.parse(undone.stdout) as {readonly changes: readonly Loose[]; readonly overtaken: readonly Loose[]};
	assert.deepEqual([undone.exitCode, lastError(undone).kind, changes[0]!['done'], overtaken[0]!['by']], [2, 'conflict', false, 'ben']);
	assert.match(undone.stderr, /ben changed pantry after that, (?:\d{4}-\d\d-\d\d )?\d\d:\d\d: on → off\./);
	const [{id} = {}] = parseJson((await anna('history', 'pantry', '--by', 'anna', '--json')).stdout) as readonly Loose[];
	const reverted = await anna('history', 'revert', String(id), '--yes', '--json');
	assert.deepEqual([reverted.exitCode, lastError(reverted).kind], [2, 'conflict']);
	assert.equal(await isOn(anna, 'pantry'), false);

	// What nobody changed since is taken back beside it, and other fields are not in the way.
	await anna('enable', 'pantry', 'nightwatch');
	await ben('toggle', 'pantry');
	await ben('toggle', 'pantry');
	await ben('installed', 'edit', 'nightwatch', '--triggers', 'who goes there');
	const part = await anna('undo', '--yes', '--json');
	assert.deepEqual([part.exitCode, await isOn(anna, 'nightwatch'), await isOn(anna, 'pantry')], [6, false, true]);
});

test('several changes of one field are reverted at once, and what is taken back already is not counted', async (t: TestContext) => {
	const {run, states} = await startLiveLike(t);
	const before = states();
	await run(['disable', 'lamps']);
	await run(['enable', 'lamps']);
	await run(['disable', 'lamps', 'pantry']);
	const result = await run(['history', 'revert', '1', '2', '3', '4', '--yes', '--json']);
	assert.deepEqual(
		[
			result.exitCode,
			(JSON.parse(result.stdout) as {readonly changes: readonly Loose[]}).changes.map(({name, to}) => `${String(name)} ${String(to)}`),
		],
		[0, ['pantry true', 'lamps true']],
	);
	assert.deepEqual(states(), before);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0, 'the switches before are so already');
});

test('what is so already is told once, and the next undo goes on before it; what cannot be read is not skipped', async (t: TestContext) => {
	const {run, service, states} = await startLiveLike(t);
	const before = states();
	await run(['disable', 'lamps']);
	await run(['disable', 'pantry']);
	(service.installed[1] as Loose)['enabled'] = true;
	service.failNext({status: 500, times: 3, when: ({path: requested}) => requested.includes('get-installed-capabilities')});
	assert.equal((await run(['undo', '--yes'])).exitCode, 5);
	assert.match((await run(['undo', '--dry-run'])).stdout, /^Nothing to do: 1 unchanged\.\n$/);
	assert.match((await run(['undo'])).stdout, /^Nothing to do: 1 unchanged\.\n$/);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.deepEqual(states(), before);
});

const installedOf = (service: LiveLikeService, name: string): Loose | undefined =>
	(service.installed as readonly Loose[]).find(entry => entry['name'] === name);

test('undo installs again what a command uninstalled, with state, phrases, flags and agents', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	for (const agent of service.agents) {
		Object.assign(agent as object, {matching_capabilities: agent === service.agents[0] ? [21, 22] : []});
	}

	Object.assign(installedOf(service, 'lamps')!, {enabled: false, trigger_words: ['only this phrase'], system_capability: true});
	await run(['disable', 'pantry']);
	await run(['uninstall', 'lamps', '--yes']);
	// Some services untie what is uninstalled.
	Object.assign(service.agents[0] as object, {matching_capabilities: [22]});
	const undone = await run(['undo', '--yes', '--json']);
	assert.deepEqual(
		[undone.exitCode, (JSON.parse(undone.stdout) as {readonly changes: readonly Loose[]}).changes.map(({field, to}) => [field, to])],
		[
			0,
			[
				['installed', true],
				['enabled', false],
				['triggers', ['only this phrase']],
				['abilities', ['lamps', 'pantry']],
			],
		],
	);
	const {enabled, trigger_words: phrases, system_capability: isSystem} = installedOf(service, 'lamps')!;
	assert.deepEqual({enabled, phrases, isSystem}, {enabled: false, phrases: ['only this phrase'], isSystem: true});
	assert.deepEqual([...service.ties], [[1, [22, 21]]]);
	assert.match((await run(['undo', '--yes'])).stderr, /^By “disable”/);
	assert.match((await run(['undo', '--yes'])).stderr, /^There is nothing to undo/);
});

test('undo uploads a deleted ability again, goes on where it was cut, and takes earlier changes of it back too', async (t: TestContext) => {
	const {run, env, service} = await startLiveLike(t);
	const before = service.sources.get(21)!;
	await run(['disable', 'lamps']);
	const [, ...question] = await runOnTerminal(['abilities', 'delete', 'lamps'], {env, typed: 'n\r'});
	assert.match(question.join(' '), /Its source is kept for 30 days in \S+ ?\S*journal; to bring it\s+back: switchboard undo\./);
	await run(['abilities', 'delete', 'lamps', '--yes']);
	assert.equal(installedOf(service, 'lamps'), undefined);
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	const cut = await run(['undo', '--yes']);
	assert.equal(cut.exitCode, 6, cut.stderr);
	assert.equal(installedOf(service, 'lamps')!['enabled'], true);
	const undone = await run(['undo', '--yes']);
	assert.equal(undone.exitCode, 0, undone.stderr);
	assert.equal(service.abilities.filter(entry => (entry as Loose)['name'] === 'lamps').length, 1);
	const {id} = service.abilities.find(entry => (entry as Loose)['name'] === 'lamps') as {readonly id: number};
	const textsOf = (files: typeof before) => new Map(files.map(({path: name, bytes}) => [name, Buffer.from(bytes).toString()]));
	assert.deepEqual(textsOf(service.sources.get(id)!), textsOf(before));
	assert.equal(installedOf(service, 'lamps')!['enabled'], false);
	assert.match((await run(['undo', '--yes'])).stderr, /^By “disable”/);
	assert.equal(installedOf(service, 'lamps')!['enabled'], true, 'it was on before it was switched off');
});

test('undo refuses to upload beside a namesake, and says why a source was not kept', async (t: TestContext) => {
	const {run, env, service} = await startLiveLike(t);
	service.sources.delete(21);
	const unkept = await run(['abilities', 'delete', 'lamps', '--yes']);
	assert.match(unkept.stderr, /lamps cannot be brought back: The service does not send the source of lamps/);
	assert.match((await run(['undo', '--yes'])).stderr, /lamps cannot be brought back\. The service does not send the source of lamps/);
	await run(['abilities', 'delete', 'desk', '--yes']);
	service.abilities.push({id: 31, name: 'desk', category: 'local'});
	const refused = await run(['undo', '--yes']);
	assert.match(refused.stderr, /There is an ability named desk again \(id 31\)\./);
	const off = await runCommand(['abilities', 'delete', 'nightwatch', '--yes'], {env: {...env, SWITCHBOARD_JOURNAL: 'off'}});
	assert.match(off.stderr, /nightwatch cannot be brought back: Changes are not noted with SWITCHBOARD_JOURNAL=off\./);
});

test('a removal that the service refused is not undone; one that was cut off before it was noted is', async (t: TestContext) => {
	const {run, service, home} = await startLiveLike(t);
	service.failNext({when: ({path: requested}) => requested.includes('uninstall'), status: 403});
	await run(['uninstall', 'lamps', '--yes']);
	assert.match((await run(['undo', '--yes'])).stderr, /^There is nothing to undo/);
	await run(['uninstall', 'lamps', '--yes']);
	const [log = ''] = globSync(path.join(home.folder, '**', 'journal', '*.jsonl'));
	writeFileSync(
		log,
		readFileSync(log, 'utf8')
			.split('\n')
			.filter(line => !line.includes('"kind":"change"'))
			.join('\n'),
	);
	assert.equal((await run(['undo', '--yes'])).exitCode, 0);
	assert.notEqual(installedOf(service, 'lamps'), undefined);
});

test('over SSH undo takes back what this person did, not what others did with the same profile', async (t: TestContext) => {
	const service = await startLiveLikeService();
	t.after(async () => service.close());
	const folders = await createServerFolders([{name: 'default', baseAddress: service.baseAddress, apiKey: service.apiKey}]);
	const [anna, ben] = ['a', 'b'].map(
		(letter, index) => async (words: readonly string[]) =>
			createRemoteClient(folders, {
				fingerprint: fingerprintOf(letter),
				person: {name: ['anna', 'ben'][index]!, address: '203.0.113.7'},
			}).runWhole(words),
	);
	await anna!(['disable', 'lamps']);
	await ben!(['disable', 'pantry']);
	assert.equal((await anna!(['undo', '--yes'])).exitCode, 0);
	assert.deepEqual(
		service.installed.map(record => `${String((record as Loose)['name'])} ${String((record as Loose)['enabled'])}`).slice(0, 2),
		['lamps true', 'pantry false'],
	);
	assert.match((await anna!(['undo', '--yes'])).stderr, /^There is nothing to undo: /);
});
