import {assert, path, suite, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import type {LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import {isChange} from './state-file.ts';
import {
	codeFiles,
	type CommandResult,
	createIsolatedHome,
	lastError,
	parseJson,
	runCommand,
	startLiveLikeService,
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

const apiKey = 'no-effect-key-0123456789';

const env = {...home.env, SWITCHBOARD_API_KEY: apiKey};

const start = async (t: TestContext, options: LiveLikeServiceOptions = {}) => {
	const service = await startLiveLikeService({apiKey, ...options});
	t.after(async () => service.close());
	return {
		service,
		run: async (words: string) => runCommand([...words.split(' '), '--base-url', service.baseAddress], {env, cwd: home.folder}),
		/** How many lists were read after the last change. */
		readAfterwards: () =>
			service.requests
				.slice(service.requests.findLastIndex(request => isChange(request)) + 1)
				.filter(({path: place}) => /\/get-(?:all|installed)-\w+\/$/.test(place)).length,
	};
};

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

/** What the history on this machine has. */
const changesIn = async (run: (words: string) => Promise<CommandResult>) => {
	const {stdout} = await run('history --json');
	return (parseJson(stdout) as readonly Loose[]).map(({name, field, by}) => [name, field, by]);
};

suite('a change that is answered with 2xx and shown by no list', {concurrency: 12}, () => {
	for (const {words, item, message, nextStep} of rows) {
		test(`${words}: is no-effect, with what was seen`, async (t: TestContext) => {
			const {run, service, readAfterwards} = await start(t, {mishap: {kind: 'no effect'}});
			const before = structuredClone([service.agents, service.abilities, service.installed]);
			const result = await run(`${words} --json`);
			const error = {kind: 'no-effect', message: `The service said yes, but ${message} ${nextStep}`};
			assert.deepEqual([result.exitCode, lastError(result)], [5, error]);
			const value =
				result.stdout === '' ? undefined : (parseJson(result.stdout) as readonly Loose[] | {readonly changes: readonly Loose[]});
			assert.deepEqual(
				Array.isArray(value) ? value : (value as {readonly changes?: unknown} | undefined)?.changes,
				item && [{...item, error}],
			);
			assert.deepEqual([service.agents, service.abilities, service.installed], before);
			assert.equal(readAfterwards(), 2);
			// Nobody else is blamed for it either. Some services keep the number of a version, so a release stays.
			assert.deepEqual(await changesIn(run), words === 'abilities push pantry' ? [['pantry', 'version', 'you']] : []);
		});

		test(`${words}: is done where a list shows it late`, async (t: TestContext) => {
			const {run} = await start(t, {mishap: {kind: 'late list'}});
			const {exitCode, stderr} = await run(words);
			assert.deepEqual([exitCode, /said yes|checked/.exec(stderr)], [0, null]);
			assert.deepEqual(
				(await changesIn(run)).map(([, , by]) => by),
				['you'],
			);
		});

		test(`${words}: stays as it was answered where no list can be read`, async (t: TestContext) => {
			const {run, service} = await start(t);
			service.goWrong({kind: 'no effect'});
			service.failNext({
				status: 500,
				times: 99,
				when: request => !isChange(request) && service.requests.some(earlier => isChange(earlier)),
			});
			const {exitCode, stderr} = await run(words);
			assert.equal(exitCode, 0);
			assert.match(stderr, /^Not checked whether it took effect: the list of \w+(?: abilities)? could not be read\.$/m);
		});
	}
});
