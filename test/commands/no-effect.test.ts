import {assert, path, suite, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import type {LiveLikeService, LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import type {Mishap} from '../helpers/live-like/mishaps.ts';
import {isChange} from './state-file.ts';
import {
	codeFiles,
	type CommandResult,
	createIsolatedHome,
	lastError,
	parseJson,
	type RequestFilter,
	runCommand,
	startLiveLikeService,
	waitUntil,
	writeFolder,
} from './kit.ts';

/*
Changes that are answered with 2xx and go wrong, as people saw it of the public service: commands look at the lists afterwards. Each test has a
service to itself; all share a home, so that their commands run beside each other.
*/

type Loose = Readonly<Record<string, unknown>>;

const home = createIsolatedHome();
writeFolder(path.join(home.folder, 'pantry'), codeFiles('print("new")\n'));
writeFolder(path.join(home.folder, 'cellar'), codeFiles('print("cellar")\n'));
writeFileSync(path.join(home.folder, 'home.yaml'), 'version: 1\ninstalled: {pantry: off}\n');
writeFileSync(path.join(home.folder, 'phrases.yaml'), 'version: 1\ninstalled: {lamps: {triggers: [lantern]}}\n');

const apiKey = 'no-effect-key-0123456789';

const env = {...home.env, SWITCHBOARD_API_KEY: apiKey};

async function start(t: TestContext, options: LiveLikeServiceOptions = {}) {
	const service = await startLiveLikeService({apiKey, ...options});
	t.after(async () => service.close());
	return {
		service,
		run: async (words: string, abort?: AbortSignal) =>
			runCommand([...words.split(' '), '--base-url', service.baseAddress], {env, cwd: home.folder, abort}),
		/** How many lists were read after the last change. */
		readAfterwards: () =>
			service.requests
				.slice(service.requests.findLastIndex(request => isChange(request)) + 1)
				.filter(({path: place}) => /\/get-(?:all|installed)-\w+\/$/.test(place)).length,
	};
}

/** The requests that read after the first change. */
const whenChanged =
	(service: LiveLikeService): RequestFilter =>
	request =>
		!isChange(request) && service.requests.some(earlier => isChange(earlier));

type Row = {
	readonly words: string;
	/** What `--json` says of the only item, besides its error. */
	readonly item?: Loose;
	readonly message: string;
	readonly nextStep: string;
};

const installedStep = 'Check with: switchboard installed';
const abilitiesStep = 'Check with: switchboard abilities';

const planned = (done: boolean) => ({kind: 'installed', name: 'pantry', field: 'enabled', from: true, to: false, done});

const rows: readonly Row[] = [
	{
		words: 'disable pantry',
		item: {installed_cap_id: 302, name: 'pantry', enabled: true, changed: false},
		message: 'pantry is not off.',
		nextStep: installedStep,
	},
	{
		words: 'toggle nightwatch',
		item: {installed_cap_id: 303, name: 'nightwatch', enabled: false, changed: false},
		message: 'nightwatch is not on.',
		nextStep: 'Check with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.',
	},
	{
		words: 'installed edit lamps --triggers lantern',
		item: {installed_cap_id: 301, name: 'lamps', trigger_words: ['lamps please', 'it is dark'], changed: false},
		message: 'lamps has not changed.',
		nextStep: installedStep,
	},
	{
		words: 'install desk',
		item: {capability_id: 24, name: 'desk', installed: false, changed: false},
		message: 'desk is not installed.',
		nextStep: installedStep,
	},
	{
		words: 'uninstall pantry --yes',
		item: {installed_cap_id: 302, name: 'pantry', installed: true, changed: false},
		message: 'pantry is not uninstalled.',
		nextStep: installedStep,
	},
	{
		words: 'abilities delete desk --yes',
		item: {capability_id: 24, name: 'desk', deleted: false},
		message: 'desk is not deleted.',
		nextStep: abilitiesStep,
	},
	{
		words: 'abilities push pantry',
		item: {capability_id: 22, name: 'pantry', action: null, version: null},
		message: 'pantry does not have the new code.',
		nextStep: 'Check with: switchboard abilities diff pantry FOLDER',
	},
	{
		words: 'abilities push cellar',
		item: {capability_id: null, name: 'cellar', action: null, version: null},
		message: 'cellar is not in the list of abilities.',
		nextStep: abilitiesStep,
	},
	{words: 'agents edit Hearth --name Hob', message: 'Hearth has not changed.', nextStep: 'Check with: switchboard agents'},
	{words: 'agents edit Hearth --prompt Listen', message: 'Hearth has not changed.', nextStep: 'Check with: switchboard agents'},
	{words: 'apply home.yaml --yes', item: planned(false), message: 'pantry has not changed.', nextStep: installedStep},
];

/** The items that `--json` printed: of a list, of a plan, or the only one. */
function itemsOf(stdout: string): readonly Loose[] {
	const value = stdout === '' ? [] : (parseJson(stdout) as Loose | readonly Loose[]);
	return ('changes' in value ? [value['changes']] : [value]).flat() as readonly Loose[];
}

/** What the history on this machine has. */
async function changesIn(run: (words: string) => Promise<CommandResult>) {
	const {stdout} = await run('history --json');
	return (parseJson(stdout) as readonly Loose[]).map(({name, field, by}) => [name, field, by]);
}

suite('a change that is answered with 2xx and shown by no list', {concurrency: 12}, () => {
	for (const {words, item, message, nextStep} of rows) {
		test(`${words}: is no-effect, with what was seen`, async (t: TestContext) => {
			const {run, service, readAfterwards} = await start(t, {mishap: {kind: 'no effect'}});
			const before = structuredClone([service.agents, service.abilities, service.installed]);
			const result = await run(`${words} --json`);
			const error = {kind: 'no-effect', message: `The service accepted the change, but ${message} ${nextStep}`};
			assert.deepEqual([result.exitCode, lastError(result)], [5, error]);
			assert.deepEqual(itemsOf(result.stdout), item === undefined ? [] : [{...item, error}]);
			assert.deepEqual([service.agents, service.abilities, service.installed], before);
			assert.equal(readAfterwards(), 2);
			// Nobody else is blamed for it either. Some services keep the number of a version, so a release stays.
			assert.deepEqual(await changesIn(run), words === 'abilities push pantry' ? [['pantry', 'version', 'you']] : []);
		});
	}

	// How the lists are looked at is the same for all: of each kind of change one.
	for (const words of [
		'disable pantry',
		'install desk',
		'abilities push pantry',
		'agents edit Hearth --name Hob',
		'apply home.yaml --yes',
	]) {
		test(`${words}: is done where a list shows it late`, async (t: TestContext) => {
			const {run} = await start(t, {mishap: {kind: 'late list'}});
			const {exitCode, stderr} = await run(words);
			assert.deepEqual([exitCode, /accepted the change|checked/.exec(stderr)], [0, null]);
			assert.deepEqual(
				(await changesIn(run)).map(([, , by]) => by),
				['you'],
			);
		});

		test(`${words}: stays as it was answered where no list can be read`, async (t: TestContext) => {
			const {run, service} = await start(t);
			service.goWrong({kind: 'no effect'});
			service.failNext({status: 500, times: 99, when: whenChanged(service)});
			const {exitCode, stderr} = await run(words);
			assert.equal(exitCode, 0);
			assert.match(stderr, /^Not checked whether it took effect: the list of \w+(?: abilities)? could not be read\.$/m);
		});
	}
});

const noticedRows: ReadonlyArray<{
	readonly mishap: Mishap;
	readonly words: string;
	readonly exitCode: number;
	readonly noticed: readonly Loose[];
	readonly told: readonly string[];
}> = [
	{
		mishap: {kind: 'duplicate'},
		words: 'installed edit lamps --triggers lantern',
		exitCode: 5,
		noticed: [
			{kind: 'appeared', name: 'LampS', id: 304},
			{kind: 'disappeared', name: 'lamps', id: 301},
		],
		told: [
			'Warning: LampS (304) has appeared in the list of installed abilities, with nearly the name of a changed record.',
			'Warning: lamps (301) is no longer installed.',
		],
	},
	{
		mishap: {kind: 'duplicate'},
		words: 'abilities edit lamps --triggers lantern --yes',
		exitCode: 0,
		noticed: [
			{kind: 'appeared', name: 'LampS', id: 25},
			{kind: 'disappeared', name: 'lamps', id: 21},
		],
		told: [
			'Warning: LampS (25) has appeared in the list of abilities, with nearly the name of a changed record.',
			'Warning: lamps (21) is no longer installed.',
		],
	},
	{
		mishap: {kind: 'uninstalls'},
		words: 'abilities push pantry',
		exitCode: 0,
		noticed: [{kind: 'disappeared', name: 'pantry', id: 22}],
		told: ['Warning: pantry (22) is no longer installed.'],
	},
	{
		mishap: {kind: 'uninstalls', when: ({path: place}) => place.includes('/edit-installed-capability/')},
		words: 'apply phrases.yaml --yes',
		exitCode: 5,
		noticed: [{kind: 'disappeared', name: 'lamps', id: 301}],
		told: ['Warning: lamps (301) is no longer installed.'],
	},
];

suite('what came or went beside a change is told', {concurrency: 12}, () => {
	for (const {mishap, words, exitCode, noticed, told} of noticedRows) {
		test(`${words}: ${mishap.kind}`, async (t: TestContext) => {
			const {run} = await start(t, {mishap});
			const result = await run(`${words} --json`);
			const [item = {}] = itemsOf(result.stdout);
			assert.deepEqual([result.exitCode, item['noticed']], [exitCode, noticed]);
			const lines = result.stderr.split('\n');
			for (const line of told) {
				assert.ok(lines.includes(line), result.stderr);
			}
		});
	}

	test('what was removed itself is not', async (t: TestContext) => {
		const {run} = await start(t);
		const {exitCode, stdout, stderr} = await run('abilities delete pantry --yes --json');
		assert.deepEqual([exitCode, stderr, stdout.includes('noticed')], [0, '', false]);
	});
});

test('one of several without effect is an item of its own, and the switches whose answers show the record are not looked up', async (t: TestContext) => {
	const {run, readAfterwards, service} = await start(t, {mishap: {kind: 'no effect', when: ({path: place}) => place.includes('/302/')}});
	const result = await run('disable lamps pantry');
	assert.deepEqual(
		[result.exitCode, result.stdout, result.stderr],
		[
			6,
			'301\toff\tlamps\tchanged\n302\ton\tpantry\tfailed\n',
			`pantry: The service accepted the change, but pantry is not off.\n1 of 2 failed.\n${installedStep}\n`,
		],
	);
	service.goWrong();
	const enabled = await run('enable lamps pantry');
	assert.deepEqual([enabled.exitCode, readAfterwards()], [0, 0]);
});

test('somebody else’s later change of the same thing is not called an effect that is missing', async (t: TestContext) => {
	const {run, service} = await start(t);
	const hearth = service.agents[0] as {name: string; description: string};
	service.failNext({
		status: 200,
		isCarriedOut: true,
		when(request) {
			if (!isChange(request)) {
				return false;
			}

			setImmediate(() => {
				hearth.description = 'Sing.';
			});
			return true;
		},
	});
	const {exitCode, stderr} = await run('agents edit Hearth --prompt Listen');
	assert.deepEqual([exitCode, stderr.split('\n')[0]], [0, 'Hearth was changed again since: the list shows something else.']);
});

test('a signal during the check ends it: what was answered counts, and it is said that it was not checked', async (t: TestContext) => {
	const {run, service} = await start(t, {mishap: {kind: 'no effect'}});
	const ending = new AbortController();
	t.after(service.hold({when: whenChanged(service)}));
	const running = run('uninstall pantry --yes', ending.signal);
	await waitUntil(() => service.heldCount() === 1);
	ending.abort('SIGINT');
	const {exitCode, stdout, stderr} = await running;
	assert.deepEqual([exitCode, stdout], [130, '302\tpantry\tuninstalled\n']);
	assert.match(stderr, /^Not checked whether it took effect: the list of installed abilities could not be read\.$/m);
});

test('the time of the command being up during the check does the same', async (t: TestContext) => {
	const {run, service} = await start(t, {mishap: {kind: 'no effect'}});
	t.after(service.hold({when: whenChanged(service)}));
	const {exitCode, stdout, stderr} = await run('uninstall pantry --yes --timeout 2');
	assert.deepEqual([exitCode, stdout], [0, '302\tpantry\tuninstalled\n']);
	assert.match(stderr, /^Not checked whether it took effect: /m);
});

test('an earlier version that is not used after all is no-effect, and one that uninstalls is told', async (t: TestContext) => {
	const {run, service} = await start(t);
	assert.equal((await run('abilities push pantry')).exitCode, 0);
	service.goWrong({kind: 'no effect'});
	const failed = await run('abilities restore pantry --version 1.0.0 --yes --json');
	assert.deepEqual([failed.exitCode, lastError(failed).kind], [5, 'no-effect']);
	service.goWrong({kind: 'uninstalls'});
	const {exitCode, stdout} = await run('abilities restore pantry --version 1.0.0 --yes --json');
	assert.deepEqual(
		[exitCode, parseJson(stdout)],
		[0, {capability_id: 22, name: 'pantry', action: 'updated', version: '1.0.0', noticed: [{kind: 'disappeared', name: 'pantry', id: 22}]}],
	);
});
