import {assert, path, process, readdirSync, readFileSync, test, type TestContext} from '../helpers/node.ts';
import {installedRecord, isWrite, startLiveLike} from './start-live-like.ts';
import {ended, json, jsonError, openPseudoTerminal, parseJson, programFile, runCommand} from './kit.ts';

type Run = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly words: readonly string[];
	/** What is typed at the question; `undefined` where none is expected. */
	readonly typed?: string;
	/** Called while the question waits. */
	readonly meanwhile?: () => void;
};

/** Runs a command on a terminal, and returns how it ended and all that is on the screen. */
const runOnTerminal = async ({env, words, typed, meanwhile}: Run): Promise<readonly [exitCode: number, ...lines: string[]]> => {
	await using terminal = openPseudoTerminal({command: process.execPath, args: [programFile, ...words], env, columns: 400, rows: 60});
	if (typed !== undefined) {
		await terminal.waitFor('[y/N]');
		meanwhile?.();
		terminal.write(typed);
	}

	const {exitCode} = await terminal.exited;
	return [exitCode, ...terminal.screen().filter(line => line !== '')];
};

const ctrlC = '\u{3}';

/** The value that standard output has on a screen, and the lines around it. */
const withValue = ([exitCode, ...lines]: Awaited<ReturnType<typeof runOnTerminal>>) => {
	const start = lines.findIndex(line => /^[[{]$/.test(line));
	return [exitCode, ...lines.slice(0, start), parseJson(lines.slice(start, -1).join('')), `${lines.at(-1)!}\n`];
};

const notSent = {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'};

const startHome = async (t: TestContext) => {
	const started = await startLiveLike(t, {
		home: {installed: [installedRecord(1, 'Lamp', true), installedRecord(2, 'Radio', true), installedRecord(3, 'Desk', false)]},
	});
	return {
		...started,
		disable: async (words: readonly string[], typed?: string, meanwhile?: () => void) =>
			runOnTerminal({
				env: started.env,
				words: ['disable', ...words],
				...(typed !== undefined && {typed}),
				...(meanwhile !== undefined && {meanwhile}),
			}),
	};
};

test('on a terminal disable --all says how many are on, and switches nothing off without a yes', async (t: TestContext) => {
	const {disable, service} = await startHome(t);
	const unchanged = [
		['Lamp', true],
		['Radio', true],
		['Desk', false],
	].map(([name, enabled], index) => ({installed_cap_id: index + 1, name, enabled, changed: false}));
	assert.deepEqual(await disable(['--all'], 'n\r'), [2, 'Switch off 2 abilities? [y/N] n', 'Nothing was switched off.']);
	assert.deepEqual(await disable(['--all', '--except', 'lamp'], ctrlC), [130, 'Switch off 1 ability? [y/N]', 'Interrupted.']);
	assert.deepEqual(withValue(await disable(['--all', '--json'], '\r')), [
		2,
		'Switch off 2 abilities? [y/N]',
		unchanged,
		jsonError('cancelled', 'Nothing was switched off.'),
	]);
	assert.deepEqual(withValue(await disable(['--all', '--json'], ctrlC)), [
		130,
		'Switch off 2 abilities? [y/N]',
		unchanged.map(item => ({...item, error: notSent})),
		jsonError('interrupted', 'Interrupted.'),
	]);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('after a yes disable --all switches off what is on by then, and leaves the rest of each record', async (t: TestContext) => {
	const {disable, service} = await startHome(t);
	const lines = await disable(['--all'], 'y\r', () => {
		service.installed = [
			{...installedRecord(1, 'Lamp', true), trigger_words: ['other words']},
			installedRecord(2, 'Radio', false),
			installedRecord(3, 'Desk', true),
		];
	});
	assert.deepEqual(lines, [0, 'Switch off 2 abilities? [y/N] y', 'Lamp is off.', 'Radio was already off.', 'Desk is off.']);
	const [lamp] = service.installed as ReadonlyArray<{readonly enabled: boolean; readonly trigger_words: readonly string[]}>;
	assert.deepEqual([lamp!.enabled, lamp!.trigger_words], [false, ['other words']]);
});

test('disable asks nothing with --yes, in a dry run, for names, and where nothing is on', async (t: TestContext) => {
	const {disable, run} = await startHome(t);
	assert.deepEqual(await disable(['--all', '--dry-run']), [
		0,
		'Lamp would be off.',
		'Radio would be off.',
		'Desk is already off.',
		'Nothing was changed: this was a dry run.',
	]);
	assert.deepEqual(await disable(['lamp']), [0, 'Lamp is off.']);
	assert.deepEqual(await disable(['--all', '--yes']), [0, 'Lamp was already off.', 'Radio is off.', 'Desk was already off.']);
	assert.deepEqual(await disable(['--all']), [0, 'Lamp was already off.', 'Radio was already off.', 'Desk was already off.']);
	// Nobody answers in a script.
	assert.equal((await run(['enable', '--all'])).exitCode, 0);
	assert.equal((await run(['disable', '--all'])).exitCode, 0);
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

test('the question of uninstall names the state and the phrases that are lost, and counts them for several', async (t: TestContext) => {
	const {env, service} = await startHome(t);
	service.installed = [
		...service.installed,
		{...installedRecord(4, 'Porch', false), trigger_words: []},
		{...installedRecord(5, 'Attic', true), trigger_words: Array.from({length: 12}, (_, index) => `phrase number ${index}`)},
		{id: 6, name: 'Cellar'},
	];
	const uninstall = async (...words: readonly string[]) => (await runOnTerminal({env, words: ['uninstall', ...words], typed: 'n\r'}))[1];
	const [ties, again] = [
		'on some services also its ties to agents',
		'installing it again switches it on. The ability itself stays. [y/N] n',
	];
	assert.equal(
		await uninstall('lamp'),
		`Uninstall Lamp (1)? Its state (on) and its trigger phrases (“open sesame”) are lost, ${ties}; ${again}`,
	);
	assert.equal(await uninstall('porch'), `Uninstall Porch (4)? Its state (off) is lost, ${ties}; ${again}`);
	assert.equal(await uninstall('attic'), `Uninstall Attic (5)? Its state (on) and its trigger phrases (12) are lost, ${ties}; ${again}`);
	assert.equal(await uninstall('cellar'), `Uninstall Cellar (6)? Its state and its trigger phrases are lost, ${ties}; ${again}`);
	const all = 'on some services also their ties to agents; installing them again switches them on. The abilities themselves stay. [y/N] n';
	assert.equal(
		await uninstall('lamp', 'desk', 'attic'),
		`Uninstall Lamp (1), Desk (3), Attic (5)? Their states (2 on, 1 off) and their trigger phrases (14) are lost, ${all}`,
	);
	// No agent has any, and all of them show it.
	service.agents = [];
	assert.equal(await uninstall('porch'), `Uninstall Porch (4)? Its state (off) is lost; ${again}`);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('on a terminal keys revoke names the keys and revokes none without a yes', async (t: TestContext) => {
	const {env, run} = await startLiveLike(t);
	for (const name of ['ci', 'laptop']) {
		assert.equal((await run(['keys', 'create', '--name', name])).exitCode, 0);
	}

	const revoke = async (words: readonly string[], typed?: string) =>
		runOnTerminal({env, words: ['keys', 'revoke', ...words], ...(typed !== undefined && {typed})});
	const question = 'Revoke the key “ci” (1) of the account “default”? Programs that use it lose access at once. [y/N]';
	assert.deepEqual(await revoke(['CI'], 'n\r'), [2, `${question} n`, 'Nothing was revoked.']);
	assert.deepEqual(withValue(await revoke(['ci', '--json'], 'n\r')), [
		2,
		`${question} n`,
		[{id: 1, name: 'ci', revoked: false}],
		jsonError('cancelled', 'Nothing was revoked.'),
	]);
	assert.deepEqual(withValue(await revoke(['ci', '--json'], ctrlC)), [
		130,
		question,
		[{id: 1, name: 'ci', revoked: false, error: notSent}],
		jsonError('interrupted', 'Interrupted.'),
	]);
	assert.equal((await revoke(['ci', '--dry-run']))[0], 0);
	assert.equal((await run(['keys', 'list'])).stdout.trimEnd().split('\n').length, 2);
	assert.deepEqual(await revoke(['ci'], 'y\r'), [0, `${question} y`, 'Revoked ci (1).']);
	assert.deepEqual(await revoke(['2', '--yes']), [0, 'Revoked laptop (2).']);
	assert.equal((await run(['keys', 'list'])).stdout, '');
});

test('on a terminal profiles remove asks for a profile that has a key, and removes nothing without a yes', async (t: TestContext) => {
	const {
		home: {env},
		service,
	} = await startLiveLike(t);
	const run = async (words: readonly string[], stdin?: string) => runCommand(words, {env, stdin});
	for (const name of ['one', 'two']) {
		assert.equal(
			(await run(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', name], service.apiKey)).exitCode,
			0,
		);
	}

	assert.equal((await run(['logout', '--profile', 'one'])).exitCode, 0);
	const remove = async (words: readonly string[], typed?: string) =>
		runOnTerminal({env, words: ['profiles', 'remove', ...words], ...(typed !== undefined && {typed})});
	const names = async () =>
		(parseJson((await run(['profiles', '--json'])).stdout) as ReadonlyArray<{readonly name: string}>).map(({name}) => name);
	const question = `Remove the profile “two”? Its key (…${service.apiKey.slice(-4)}), its presets, its unsaved texts and its kept prompts are deleted; this cannot be undone. [y/N]`;
	assert.deepEqual(await remove(['two'], 'n\r'), [2, `${question} n`, 'Nothing was removed.']);
	const stored = parseJson((await run(['profiles', '--json'])).stdout);
	assert.deepEqual(withValue(await remove(['two', '--json'], ctrlC)), [130, question, stored, jsonError('interrupted', 'Interrupted.')]);
	assert.deepEqual(await names(), ['one', 'two']);
	assert.equal((await remove(['one']))[0], 0);
	assert.deepEqual(await names(), ['two']);
	assert.equal((await remove(['two'], 'y\r'))[0], 0);
	assert.deepEqual(await names(), []);
});

test('on a terminal presets delete says what the preset holds, and deletes nothing without a yes', async (t: TestContext) => {
	const {env, run} = await startLiveLike(t);
	assert.equal((await run(['presets', 'save', 'day'])).exitCode, 0);
	const remove = async (words: readonly string[], typed?: string) =>
		runOnTerminal({env, words: ['presets', 'delete', 'Day', ...words], ...(typed !== undefined && {typed})});
	const question = 'Delete the preset day (2 on, 1 off)? This cannot be undone. [y/N]';
	assert.deepEqual(await remove([], 'n\r'), [2, `${question} n`, 'Nothing was deleted.']);
	assert.deepEqual(withValue(await remove(['--json'], ctrlC)), [
		130,
		question,
		{name: 'day', deleted: false},
		jsonError('interrupted', 'Interrupted.'),
	]);
	assert.equal((await remove(['--dry-run']))[0], 0);
	assert.deepEqual(await run(['presets', '--columns', 'name']), ended(0, 'day\n'));
	assert.deepEqual(await remove(['--yes']), [0, 'Deleted the preset day.']);
	assert.deepEqual(await run(['presets', '--json']), ended(0, json([])));
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
