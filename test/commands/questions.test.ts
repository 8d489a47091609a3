import {assert, path, process, readdirSync, readFileSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {replyTo} from '../helpers/live-like/conversations.ts';
import {installedRecord, isWrite, startLiveLike} from './start-live-like.ts';
import {startToldHistory, toldEntry} from './told-history.ts';
import {
	jsonError,
	lastError,
	openPseudoTerminal,
	parseJson,
	programFile,
	runCommand,
	runOnTerminal,
	spokenFiles,
	writeFolder,
} from './kit.ts';

/*
Each command that asks, by each way of answering: on a terminal in this process, and where there is none. Real terminals are for what
only they do: to hang up, and to stop the job.
*/

type Place = Pick<Awaited<ReturnType<typeof startLiveLike>>, 'home' | 'env' | 'service'>;

async function startHome(t: TestContext) {
	const started = await startLiveLike(t, {
		home: {installed: [installedRecord(1, 'Lamp', true), installedRecord(2, 'Radio', true), installedRecord(3, 'Desk', false)]},
	});
	const disable = async (words: readonly string[], typed?: string, meanwhile?: () => void) =>
		runOnTerminal(['disable', ...words], {env: started.env, typed, meanwhile});
	return {...started, disable};
}

async function startWithFolder(t: TestContext, name: string) {
	const live = await startLiveLike(t);
	writeFolder(path.join(live.home.folder, name), spokenFiles('new'));
	return live;
}

type Asking = {
	readonly words: readonly string[];
	readonly start?: (t: TestContext) => Promise<Place>;
	/** Commands that run before it, each with its standard input. */
	readonly before?: ReadonlyArray<readonly [words: readonly string[], stdin?: string]>;
	readonly question: string | RegExp;
	readonly ifNo: string;
	/** Where nobody can be asked, it is refused, in these words or the usual ones. Without both a script goes on unasked. */
	readonly needsYes?: true;
	readonly refusal?: string;
	/** The value of `--json` after a no. */
	readonly unchanged?: unknown;
	/** After Ctrl+C; the same value by default. */
	readonly cut?: unknown;
	/** The last line after a yes. */
	readonly done: string | RegExp;
	/** The commands that list what it changes, where the service has none of it. */
	readonly list?: readonly string[];
};

const notSent = {error: {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'}};

/** The value of `--json` for several records that stay as they are, after a no and after Ctrl+C. */
const stays = (...items: readonly object[]) => ({unchanged: items, cut: items.map(item => ({...item, ...notSent}))});

const change = {kind: 'installed', field: 'enabled', from: true, to: false, done: false};

/** The same for a plan. */
const planStays = (...changes: readonly object[]) => ({
	unchanged: {changes, unchanged: 0},
	cut: {changes: changes.map(item => ({...item, ...notSent})), unchanged: 0},
});

const switches = [
	['Lamp', true],
	['Radio', true],
	['Desk', false],
].map(([name, enabled], index) => ({installed_cap_id: index + 1, name, enabled, changed: false}));

const cases: readonly Asking[] = [
	{
		words: ['disable', '--all'],
		question: 'Switch off 2 abilities?',
		ifNo: 'Nothing was switched off.',
		...stays(...switches),
		done: 'Desk was already off.',
	},
	{
		words: ['toggle', 'l*', 'radio'],
		question: 'Toggle 2 abilities?',
		ifNo: 'Nothing was toggled.',
		...stays(...switches.slice(0, 2)),
		done: 'Radio is off.',
	},
	{
		words: ['install', 'desk*'],
		start: async t => startLiveLike(t),
		question: 'Install desk?',
		ifNo: 'Nothing was installed.',
		cut: [{capability_id: 24, name: 'desk', installed: false, changed: false, ...notSent}],
		done: 'Installed desk.',
	},
	{
		words: ['uninstall', 'radio'],
		question: /^Uninstall Radio \(2\)\? Its state \(on\) and its trigger phrases .* are lost/,
		ifNo: 'Nothing was uninstalled.',
		needsYes: true,
		...stays({installed_cap_id: 2, name: 'Radio', installed: true, changed: false}),
		done: 'Uninstalled Radio.',
	},
	{
		words: ['abilities', 'delete', 'pantry', 'lamps'],
		question: /^Delete pantry \(22\), lamps \(21\)\? Sources are kept for 30 days in \S+journal; to bring them back: switchboard undo\.$/,
		ifNo: 'Nothing was deleted.',
		needsYes: true,
		...stays({capability_id: 22, name: 'pantry', deleted: false}, {capability_id: 21, name: 'lamps', deleted: false}),
		done: 'Deleted lamps.',
	},
	{
		words: ['abilities', 'upload', 'Pan-Try'],
		start: async t => startWithFolder(t, 'Pan-Try'),
		question: 'There is an ability with nearly the same name: 22 (pantry). Create PanTry as well?',
		ifNo: 'Nothing was uploaded.',
		done: /^Uploaded PanTry, id 25/,
	},
	{
		words: ['abilities', 'push', 'new-shed'],
		start: async t => startWithFolder(t, 'new-shed'),
		question: 'Create the ability newshed?',
		ifNo: 'Nothing was pushed.',
		...stays({capability_id: null, name: 'newshed', action: null, version: null}),
		done: /^Created newshed \(id 25, /,
	},
	{
		words: ['agents', 'edit', 'Hearth', '--prompt', 'Be brief.'],
		question: 'Replace the prompt of Hearth?',
		ifNo: 'Nothing was changed.',
		done: 'The earlier prompt is kept. To bring it back: switchboard agents restore Hearth',
	},
	{
		words: ['agents', 'edit', 'Hearth', '--abilities', 'desk'],
		question: 'The service does not show which abilities Hearth has. Replace them all with these 1?',
		ifNo: 'Nothing was changed.',
		refusal:
			'The service does not show which abilities Hearth has, and there is no terminal to ask for confirmation. Use --yes to replace them without confirmation.',
		done: 'Changed Hearth.',
	},
	{
		words: ['apply', 'home.yaml'],
		question: 'Make this change?',
		ifNo: 'Nothing was changed.',
		needsYes: true,
		...planStays({...change, name: 'Lamp'}),
		done: '1 done, 0 unchanged.',
	},
	{
		words: ['presets', 'apply', 'day'],
		before: [[['disable', 'lamp', 'radio']], [['presets', 'save', 'day']], [['enable', 'lamp', 'radio']]],
		question: 'Make these 2 changes?',
		ifNo: 'Nothing was changed.',
		needsYes: true,
		unchanged: {changes: ['Lamp', 'Radio'].map(name => ({...change, name})), unchanged: 1},
		cut: {changes: ['Lamp', 'Radio'].map(name => ({...change, name, ...notSent})), unchanged: 1},
		done: 'To go back: switchboard undo',
	},
	{
		words: ['presets', 'delete', 'Day'],
		before: [[['presets', 'save', 'day']]],
		question: 'Delete the preset day (2 on, 1 off)? This cannot be undone.',
		ifNo: 'Nothing was deleted.',
		unchanged: {name: 'day', deleted: false},
		done: 'Deleted the preset day.',
		list: ['presets'],
	},
	{
		words: ['history', 'revert', '1'],
		start: async t => startToldHistory(t, [toldEntry(1, {from: false, to: true})]),
		question: 'Make this change?',
		ifNo: 'Nothing was changed.',
		needsYes: true,
		...planStays({...change, name: 'lamps'}),
		done: '1 done, 0 unchanged.',
	},
	{
		words: ['test', 'radio', '--pause', '0'],
		start: async t =>
			startLiveLike(t, {
				home: {
					installed: [{...installedRecord(2, 'Radio', true), capability_id: 102}],
					agents: [{id: 8, name: 'Porch', matching_capabilities: [102]}],
				},
				conversation: {reply: replyTo},
			}),
		question: 'Say 1 phrase to Porch? The abilities will start.',
		ifNo: 'Nothing was said.',
		needsYes: true,
		unchanged: [],
		done: /Radio +open sesame/,
	},
	{
		words: ['api', 'PUT', '/api/capabilities/edit-installed-capability/1/', '--input', 'off.json'],
		question: /^Send PUT \S+ to http:\S+\? It is a change: “.+”\.$/,
		ifNo: 'Nothing was sent.',
		needsYes: true,
		done: /./,
	},
	{
		words: ['keys', 'revoke', 'CI'],
		before: [[['keys', 'create', '--name', 'ci']]],
		question: 'Revoke the key “ci” (1) of the account “default”? Programs that use it lose access at once.',
		ifNo: 'Nothing was revoked.',
		...stays({id: 1, name: 'ci', revoked: false}),
		done: 'Revoked ci (1).',
		list: ['keys', 'list'],
	},
	{
		words: ['keys', 'rotate', 'ci'],
		before: [[['keys', 'create', '--name', 'ci']]],
		question: 'Replace the key “ci” (1) of the account “default”? Programs that use it lose access at once; --grace gives them time.',
		ifNo: 'No key was changed.',
		done: /^Created a new key “ci”/,
		list: ['keys', 'list'],
	},
	{
		words: ['accounts', 'delete', 'guests'],
		before: [[['keys', 'create', '--account', 'guests']]],
		question: /^Delete the account “guests” with all that it holds \(\d+ bytes\) and its 1 key\? This cannot be undone\.$/,
		ifNo: 'Nothing was deleted.',
		needsYes: true,
		done: 'Deleted the account guests.',
		list: ['accounts'],
	},
	{
		words: ['restore', 'home.db'],
		before: [[['keys', 'create', '--name', 'old']], [['backup', 'home.db']], [['keys', 'create', '--name', 'new']]],
		question: /^Replace the data in \S+\? It is kept as \S+\.before-restore\.$/,
		ifNo: 'Nothing was restored.',
		needsYes: true,
		done: /^Restored home\.db into/,
		list: ['keys', 'list'],
	},
	{
		words: ['profiles', 'remove', 'two'],
		before: [[['login', '--api-key-stdin', '--profile', 'two'], 'KEY']],
		question:
			/^Remove the profile “two”\? Its key \(….{4}\), its presets, its unsaved texts and its kept prompts are deleted; this cannot be undone\.$/,
		ifNo: 'Nothing was removed.',
		done: /./,
		list: ['profiles'],
	},
	{
		words: ['logout', '--profile', 'two'],
		before: [
			[['login', '--api-key-stdin', '--profile', 'two'], 'KEY'],
			[['agents', 'edit', 'Hearth', '--prompt', 'Be brief.', '--profile', 'two']],
		],
		question: 'Sign out of “two”? This deletes 1 earlier prompt of 1 agent and cannot be undone; --keep-prompts keeps them.',
		ifNo: 'Nothing was removed.',
		done: /./,
		list: ['profiles'],
	},
];

/** A place to run it in, with what it may change there, as text. */
async function startCase(t: TestContext, {words, start = startHome, before = [], list}: Asking) {
	const {env, home, service} = await start(t);
	writeFileSync(path.join(home.folder, 'home.yaml'), 'version: 1\ninstalled: {lamp: off}\n');
	writeFileSync(path.join(home.folder, 'off.json'), '{"name": "Lamp", "enabled": false}');
	const options = {env, cwd: home.folder};
	for (const [first, stdin] of before) {
		const {exitCode, stderr} = await runCommand(first, {...options, stdin: stdin?.replace('KEY', service.apiKey)});
		assert.equal(exitCode, 0, stderr);
	}

	return {
		run: async (...more: readonly string[]) => runCommand([...words, ...more], options),
		answer: async (typed: string | undefined, ...more: readonly string[]) => runOnTerminal([...words, ...more], {...options, typed}),
		async look() {
			const {agents, installed, abilities, ties, conversations} = service;
			const talks = conversations.map(talk => talk.phrases());
			const listed = list === undefined ? '' : (await runCommand([...list, '--json'], options)).stdout;
			return JSON.stringify([agents, installed, abilities, [...ties], talks, listed]);
		},
	};
}

const ctrlC = '\u{3}';

/** What stands below the question: the value that standard output has, if any, and the last line. */
function belowQuestion([exitCode, ...lines]: Awaited<ReturnType<typeof runOnTerminal>>) {
	const shown = lines.slice(lines.findIndex(line => line.includes('[y/N]')) + 1);
	return [exitCode, shown.length > 1 ? parseJson(shown.slice(0, -1).join('')) : undefined, `${shown.at(-1)!}\n`];
}

function check(shown: string, expected: string | RegExp): void {
	if (typeof expected === 'string') {
		assert.equal(shown, expected);
	} else {
		assert.match(shown, expected);
	}
}

for (const asking of cases) {
	const {words, question, ifNo, needsYes, unchanged, cut = unchanged, done} = asking;
	const {refusal = needsYes && 'This needs a yes, and there is no terminal to ask on. Add --yes.'} = asking;
	const name = words.join(' ');

	test(`“${name}” asks on a terminal, and changes nothing without a yes`, async (t: TestContext) => {
		const {answer, look} = await startCase(t, asking);
		const before = await look();
		const ways = [
			['n\r', 2, ifNo],
			[ctrlC, 130, 'Interrupted.'],
			['\r', 2, ifNo],
			['yess\r', 2, ifNo],
			['\u{4}', 2, 'The input ended before an answer was given.'],
		] as const;
		// Each command asks by the same function: all ways once.
		for (const [typed, exitCode, sentence] of asking === cases[0] ? ways : ways.slice(0, cut === undefined ? 2 : 1)) {
			const [ended, ...lines] = await answer(typed);
			const asked = lines.findIndex(line => line.includes('[y/N]'));
			check(lines[asked]!.replace(/ \[y\/N\](?: \w+)?$/, ''), question);
			assert.deepEqual([ended, ...lines.slice(asked + 1)], [exitCode, sentence]);
		}

		if (unchanged !== undefined) {
			assert.deepEqual(belowQuestion(await answer('n\r', '--json')), [2, unchanged, jsonError('cancelled', ifNo)]);
		}

		if (cut !== undefined) {
			assert.deepEqual(belowQuestion(await answer(ctrlC, '--json')), [130, cut, jsonError('interrupted', 'Interrupted.')]);
		}

		const [dryExit, ...dryLines] = await answer(undefined, '--dry-run');
		assert.deepEqual([dryExit, dryLines.some(line => line.includes('[y/N]'))], [0, false]);
		assert.equal(await look(), before);
		const [exitCode, ...lines] = await answer(' YES \r');
		assert.equal(exitCode, 0, lines.join('\n'));
		check(lines.at(-1)!, done);
		assert.notEqual(await look(), before);
	});

	const inScript = refusal === undefined ? 'asks nothing in a script' : 'is refused in a script';
	test(`“${name}” ${inScript}, and asks nothing with --yes`, async (t: TestContext) => {
		const {answer, run, look} = await startCase(t, asking);
		const before = await look();
		if (refusal !== undefined) {
			const refused = await run('--json');
			assert.deepEqual([refused.exitCode, refused.stdout, lastError(refused)], [2, '', {kind: 'usage', message: refusal}]);
			assert.equal(await look(), before);
		}

		const [exitCode, ...lines] = refusal === undefined ? [(await run()).exitCode] : await answer(undefined, '--yes');
		assert.deepEqual([exitCode, lines.some(line => line.includes('[y/N]'))], [0, false]);
		assert.notEqual(await look(), before);
	});
}

test('nothing is asked for names, where nothing is on, or where a profile has no key', async (t: TestContext) => {
	const {disable, env, service} = await startHome(t);
	assert.deepEqual(await disable(['lamp', 'radio']), [0, 'Lamp is off.', 'Radio is off.']);
	assert.deepEqual(await disable(['--all']), [0, 'Lamp was already off.', 'Radio was already off.', 'Desk was already off.']);
	for (const words of [
		['login', '--api-key-stdin', '--profile', 'one'],
		['logout', '--profile', 'one'],
	]) {
		assert.equal((await runCommand(words, {env, stdin: service.apiKey})).exitCode, 0);
	}

	assert.equal((await runOnTerminal(['profiles', 'remove', 'one'], {env}))[0], 0);
});

test('the question of disable --all counts the states that the service does not show by themselves', async (t: TestContext) => {
	const {disable, service} = await startHome(t);
	const {enabled: _hidden, ...porch} = installedRecord(4, 'Porch', true);
	service.installed = [...service.installed, porch];
	assert.deepEqual(await disable(['--all'], 'n\r'), [
		2,
		'Switch off 2 abilities and 1 ability whose state the service does not show? [y/N] n',
		'Nothing was switched off.',
	]);
});

test('the question of uninstall names the agents that have it, and the state and the phrases that are lost, and counts them for several', async (t: TestContext) => {
	const {env, service} = await startHome(t);
	service.installed = [
		...service.installed,
		{...installedRecord(4, 'Porch', false), trigger_words: []},
		{...installedRecord(5, 'Attic', true), trigger_words: Array.from({length: 12}, (_, index) => `phrase number ${index}`)},
		{id: 6, name: 'Cellar'},
	];
	const uninstall = async (...words: readonly string[]) => (await runOnTerminal(['uninstall', ...words], {env, typed: 'n\r'}))[1];
	const [ties, again] = [
		'and on some services also its ties to agents',
		'installing it again switches it on. The ability itself stays. To go back: switchboard undo. [y/N] n',
	];
	assert.equal(
		await uninstall('lamp'),
		`Uninstall Lamp (1)? Its state (on) and its trigger phrases (“open sesame”) are lost, ${ties}; ${again}`,
	);
	assert.equal(await uninstall('porch'), `Uninstall Porch (4)? Its state (off) is lost, ${ties}; ${again}`);
	assert.equal(await uninstall('attic'), `Uninstall Attic (5)? Its state (on) and its trigger phrases (12) are lost, ${ties}; ${again}`);
	assert.equal(await uninstall('cellar'), `Uninstall Cellar (6)? Its state and its trigger phrases are lost, ${ties}; ${again}`);
	const all =
		'and on some services also their ties to agents; installing them again switches them on. The abilities themselves stay. To go back: switchboard undo. [y/N] n';
	assert.equal(
		await uninstall('lamp', 'desk', 'attic'),
		`Uninstall Lamp (1), Desk (3), Attic (5)? Their states (2 on, 1 off) and their trigger phrases (14) are lost, ${all}`,
	);
	service.agents = [{id: 1, name: 'Hearth', matching_capabilities: [104]}];
	service.installed[3] = {...installedRecord(4, 'Porch', false), trigger_words: [], capability_id: 104};
	assert.equal(await uninstall('porch'), `Uninstall Porch (4), used by Hearth? Its state (off) is lost, ${ties}; ${again}`);
	// No agent has any, and all of them show it.
	service.agents = [];
	assert.equal(await uninstall('porch'), `Uninstall Porch (4)? Its state (off) is lost; ${again}`);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('a terminal that hangs up at a question ends the command as SIGHUP does, and is no crash', async (t: TestContext) => {
	const {env, home, service} = await startHome(t);
	const questions = [
		{words: ['disable', '--all'], question: '[y/N]'},
		{words: ['login', '--base-url', service.baseAddress], question: 'API key:', SWITCHBOARD_API_KEY: ''},
	];
	for (const {words, question, ...changes} of questions) {
		await using terminal = openPseudoTerminal({command: process.execPath, args: [programFile, ...words], env: {...env, ...changes}});
		await terminal.waitFor(question);
		terminal.hangUp();
		assert.equal((await terminal.exited).exitCode, 129);
	}

	assert.deepEqual(readdirSync(path.join(home.folder, 'state')), []);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('a question goes on where it was after the job was stopped, by its person or by others', async (t: TestContext) => {
	const {env, home, service} = await startHome(t);
	const pidFile = path.join(home.folder, 'process-id');
	await using shell = openPseudoTerminal({
		command: 'bash',
		args: ['--norc', '--noprofile', '-i'],
		columns: 400,
		env: {...env, PS1: '$ ', TERM: 'xterm', SWITCHBOARD_API_KEY: ''},
	});
	const isAskedTimes =
		(count: number) =>
		(lines: readonly string[]): boolean =>
			lines.filter(line => line.startsWith('API key:')).length === count &&
			lines.findLast(line => line !== '')?.startsWith('API key:') === true;
	const isStoppedTimes =
		(count: number) =>
		(lines: readonly string[]): boolean =>
			lines.filter(line => line.includes('Stopped')).length === count && lines.findLast(line => line !== '') === '$';
	shell.write(`sh -c 'echo $$ > ${pidFile}; exec ${process.execPath} ${programFile} login --base-url ${service.baseAddress}'\r`);
	await shell.waitFor(isAskedTimes(1));
	const processId = Number(readFileSync(pidFile, 'utf8'));
	const stops = [
		() => {
			shell.press('ctrl+z');
		},
		() => {
			process.kill(processId, 'SIGTSTP');
		},
		() => {
			process.kill(processId, 'SIGSTOP');
		},
	];
	for (const [index, stop] of stops.entries()) {
		stop();
		await shell.waitFor(isStoppedTimes(index + 1));
		shell.write('fg\r');
		await shell.waitFor(isAskedTimes(index + 2));
	}

	shell.write(service.apiKey);
	await shell.waitFor('API key: •••');
	shell.press('enter');
	await shell.waitFor(/Signed in to .*\n\$/);
	shell.write('echo "exit code $?"; stty -a\r');
	await shell.waitFor(/^exit code 0\n[^$]*[^-]icanon[^$]*[^-]echo\b/m);
	assert.ok(!shell.output.includes(service.apiKey));
});
