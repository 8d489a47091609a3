import {after, assert, path, test, type TestContext} from '../helpers/node.ts';
import {appendFileSync, rmSync} from 'node:fs';
import {
	createRun,
	isWrite,
	lastError,
	parseJson,
	runOnTerminal,
	shareServedHome,
	startLiveLike,
	writeFolder,
	type RequestFilter,
} from './kit.ts';

type Loose = Record<string, unknown>;

const served = await shareServedHome({after});

const forgetDrafts = (env: Readonly<Record<string, string>>): void =>
	rmSync(path.join(env['XDG_STATE_HOME']!, 'switchboard', 'drafts.json'));

test('a draft is saved beside the version in use, and released by a push; one from elsewhere is replaced only after a question', async () => {
	const {run, env} = served;
	const folder = path.join(env['HOME']!, 'pantry');
	const versions = async (): Promise<unknown> => parseJson((await run(['abilities', 'versions', 'pantry', '--json'])).stdout);
	const push = async (...options: readonly string[]): Promise<unknown> => {
		const {stdout, stderr} = await run(['abilities', 'push', folder, ...options, '--json']);
		assert.equal(stderr.includes('"error"'), false, stderr);
		return (parseJson(stdout) as readonly Loose[]).map(({action, version}) => [action, version]);
	};

	const write = (line: string): void => appendFileSync(path.join(folder, 'main.py'), `# ${line}\n`);

	assert.equal((await run(['abilities', 'pull', 'pantry', folder])).exitCode, 0);
	assert.deepEqual(await push('--draft'), [['unchanged', '1']]);
	write('second');
	assert.deepEqual(await push('--draft', '--dry-run'), [['drafted', '1']]);
	assert.deepEqual(await push('--draft'), [['drafted', '2']]);
	assert.deepEqual(await versions(), [
		{version: '2', in_use: false, draft: true},
		{version: '1', in_use: true, draft: false},
	]);
	assert.deepEqual(await push('--draft'), [['unchanged', '1']]);
	write('third');
	assert.deepEqual(await push('--draft'), [['drafted', '2']]);
	forgetDrafts(env);
	write('fourth');
	for (const options of [[], ['--draft']]) {
		const refused = await run(['abilities', 'push', folder, ...options, '--json']);
		assert.deepEqual([refused.exitCode, lastError(refused).kind], [2, 'usage']);
		assert.match(lastError(refused).message, /^pantry has a draft, version 2, that was not saved from here\. Nothing was done\./);
	}

	const question = 'pantry has a draft, version 2, that was not saved from here. Replace it? [y/N]';
	assert.deepEqual(await runOnTerminal(['abilities', 'push', folder], {env, typed: 'n\r'}), [2, `${question} n`, 'Nothing was pushed.']);
	assert.deepEqual(await push('--yes'), [['updated', '2']]);
	assert.deepEqual(await versions(), [
		{version: '2', in_use: true, draft: false},
		{version: '1', in_use: false, draft: false},
	]);
	write('fifth');
	assert.deepEqual(await push('--draft'), [['drafted', '3']]);
	// It was saved from here.
	assert.deepEqual(await push(), [['updated', '3']]);
	// Somebody else's.
	write('sixth');
	await push('--draft');
	const other = await createRun(served);
	assert.equal((await other.run(['abilities', 'edit', 'pantry', '--description', 'Changed'])).exitCode, 0);
	assert.equal((await run(['abilities', 'push', folder, '--json'])).exitCode, 2);
});

test('a draft needs an ability', async () => {
	const {run, env} = served;
	const folder = path.join(env['HOME']!, 'cupboard');
	writeFolder(folder, {'main.py': 'class Cupboard:\n    pass\n', '__init__.py': ''});
	const refused = await run(['abilities', 'push', folder, '--draft', '--yes', '--json']);
	assert.deepEqual([refused.exitCode, lastError(refused).kind], [2, 'refused']);
	assert.match(lastError(refused).message, /^There is no ability cupboard yet, so it can have no draft\./);
});

test('a push gives a new ability its description, category, phrases, image and agent, and leaves one that exists alone', async () => {
	const {run, env} = served;
	const folder = path.join(env['HOME']!, 'garden');
	writeFolder(folder, {'main.py': 'class Garden:\n    pass\n', '__init__.py': ''});
	const words = ['--description', 'Waters', '--category', 'brain', '--triggers', 'water the garden', '--agent', 'Hearth'];
	assert.equal((await run(['abilities', 'push', folder, ...words, '--yes'])).exitCode, 0);
	const {
		capability_id: id,
		description,
		category,
		trigger_words: phrases,
	} = parseJson((await run(['abilities', 'get', 'garden', '--json'])).stdout) as Loose;
	assert.deepEqual([description, category, phrases], ['Waters', 'brain_skill', ['water the garden']]);
	const agents = parseJson((await run(['agents', '--json'])).stdout) as readonly Loose[];
	assert.ok((agents.find(({name}) => name === 'Hearth')!['matching_capabilities'] as readonly unknown[]).includes(id));
	appendFileSync(path.join(folder, 'main.py'), '# second\n');
	const again = await run(['abilities', 'push', folder, '--description', 'Other']);
	assert.match(again.stderr, /--description is for a new ability: garden stays as it is\. To change it: switchboard abilities edit garden/);
	assert.equal((await run(['abilities', 'push', folder, path.join(env['HOME']!, 'cupboard'), '--image', 'x.png'])).exitCode, 2);
	assert.equal((await run(['abilities', 'push', folder, '--agent', 'Nobody'])).exitCode, 4);
});

async function start(t: TestContext, options: Parameters<typeof startLiveLike>[1] = {}) {
	const started = await startLiveLike(t, options);
	const folder = path.join(started.home.folder, 'desk');
	writeFolder(folder, {'main.py': 'class Desk:\n    pass\n', '__init__.py': ''});
	return {
		...started,
		folder,
		releases: () =>
			started.service.requests
				.filter(request => isWrite(request) && request.path.includes('/release-code/'))
				.map(({path: at}) => at.split('/').at(-2)),
	};
}

test('code is released where only the ability is listed: to its draft, or to a version of it', async t => {
	for (const hasDrafts of [true, false]) {
		const {run, service, folder, releases} = await start(t, {hasDrafts});
		const [{id}] = (
			service.abilities.at(-1) as {readonly capability_versions: ReadonlyArray<{readonly id: number}>}
		).capability_versions.slice(-1) as [{readonly id: number}];
		const pushed = await run(['abilities', 'push', folder, '--yes', '--json']);
		assert.equal(pushed.exitCode, 0, pushed.stderr);
		assert.deepEqual(releases(), [String(id)]);
	}
});

test('a draft is saved where a service keeps one, and a push releases it though the service may send it as the source', async t => {
	const {run, service, folder} = await start(t, {hasDrafts: true});
	const desk = service.abilities.at(-1) as {capability_versions: Loose[]};
	const saved = await run(['abilities', 'push', folder, '--draft', '--yes', '--json']);
	assert.deepEqual([saved.exitCode, (parseJson(saved.stdout) as readonly Loose[])[0]!['action']], [0, 'drafted'], saved.stderr);
	assert.equal(desk.capability_versions.find(version => version['is_user_enabled'] === true)!['version'], '1.0.0');
	service.sources.set(24, service.releases.get(Number(desk.capability_versions.at(-1)!['id']))!.files);
	const released = await run(['abilities', 'push', folder, '--json']);
	assert.deepEqual([released.exitCode, (parseJson(released.stdout) as readonly Loose[])[0]!['action']], [0, 'updated'], released.stderr);
});

test('a draft that the list shows as released is no effect', async t => {
	const {run, service, folder, releases} = await start(t, {hasDrafts: true});
	const desk = service.abilities.at(-1) as {readonly capability_versions: readonly Loose[]};
	const {capability_versions: versions} = desk;
	Object.defineProperty(desk, 'capability_versions', {
		enumerable: true,
		get: () =>
			releases().length === 0 || service.requests.at(-1)!.method !== 'GET'
				? versions
				: versions.map((version, index) => ({...version, is_committed: true, is_user_enabled: index === versions.length - 1})),
	});
	const saved = await run(['abilities', 'push', folder, '--draft', '--yes', '--json']);
	assert.deepEqual([saved.exitCode, lastError(saved).kind], [5, 'no-effect']);
	assert.match(lastError(saved).message, /^The service accepted the change, but desk uses version 1\.0\.1 now: the draft was released\./);
});

test('an earlier version is used again by its release or, where that is not offered, by its source; a lost answer is looked up', async t => {
	const {run, service, folder} = await start(t);
	const desk = service.abilities.at(-1) as {readonly capability_versions: readonly Loose[]};
	const inUse = (): unknown => desk.capability_versions.find(version => version['is_user_enabled'] === true)!['version'];
	const isEnabling: RequestFilter = ({path: at}) => at.includes('/enable/release/');
	assert.equal((await run(['install', 'desk'])).exitCode, 0);
	assert.equal((await run(['abilities', 'push', folder])).exitCode, 0);
	assert.equal(inUse(), '1.0.1');
	const restore = async (version: string): Promise<unknown> => {
		const {stdout, stderr} = await run(['abilities', 'restore', 'desk', '--version', version, '--yes', '--json']);
		assert.equal(stderr, '');
		return parseJson(stdout);
	};

	const answer = (action: string, version: string) => ({capability_id: 24, name: 'desk', action, version});
	assert.deepEqual([await restore('1.0.0'), inUse()], [answer('updated', '1.0.0'), '1.0.0']);
	assert.deepEqual(await restore('1.0.0'), answer('unchanged', '1.0.0'));
	service.failNext({cut: 'connection', times: 2, when: isEnabling, isCarriedOut: true});
	assert.deepEqual([await restore('1.0.1'), inUse()], [answer('updated', '1.0.1'), '1.0.1']);
	assert.equal((await run(['abilities', 'pull', 'desk', 'earlier', '--version', '1.0.0'])).exitCode, 0);
	service.failNext({status: 404, times: 9, when: isEnabling});
	const released = await run(['abilities', 'restore', 'desk', '--version', '1.0.0', '--yes']);
	assert.deepEqual([released.exitCode, inUse()], [0, '1.0.2'], released.stderr);
	const told = parseJson((await run(['history', '--json'])).stdout) as readonly Loose[];
	assert.deepEqual(
		told.filter(({field}) => field === 'version').map(({from, to}) => [from, to]),
		[
			['1.0.1', '1.0.2'],
			['1.0.0', '1.0.1'],
			['1.0.1', '1.0.0'],
			['1.0.0', '1.0.1'],
		],
	);
});
