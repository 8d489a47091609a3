import {after, assert, path, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {connectAssistant, ended, lastError, parseJson, runCommand, shareServedHome, writeCellar} from './kit.ts';

/*
Commands with keys that may do less, against `switchboard serve --sample`.
*/

const served = await shareServedHome({after});
writeCellar(served.home.folder);

async function envWith(name: string, ...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
	const {stdout} = await served.run(['keys', 'create', '--name', name, ...words]);
	return {...served.env, SWITCHBOARD_API_KEY: stdout.trim()};
}

const reading = await envWith('desk', '--read-only');
const switching = await envWith('ci', '--only', 'switch', '--expires', '90d');

const listed = async () => Promise.all(['agents', 'abilities', 'installed'].map(async resource => served.runJson([resource])));

function stateFile(name: string, text: string): string {
	const file = path.join(served.home.folder, name);
	writeFileSync(file, `version: 1\n${text}`);
	return file;
}

const advice = 'Use a key that may do more, or ask the administrator of the service for one.\n';

test('a command that the key may not carry out is exit 3 before it asks or sends, also as a dry run', async () => {
	const before = await listed();
	const phrases = stateFile('phrases.yaml', 'installed:\n  pantry: {triggers: [what is in the pantry]}\n');
	const beyondSwitching = [
		['agents', 'edit', 'Desk', '--name', 'Table'],
		['agents', 'edit', 'Desk', '--prompt', 'Other.', '--yes'],
		['abilities', 'delete', 'pantry', '--yes'],
		['abilities', 'push', path.join(served.home.folder, 'cellar')],
		['abilities', 'upload', path.join(served.home.folder, 'cellar')],
		['installed', 'edit', 'pantry', '--triggers', 'what is in the pantry'],
		['uninstall', 'pantry', '--yes'],
		['apply', phrases, '--yes'],
	];
	const cases: ReadonlyArray<readonly [env: typeof reading, sentence: string, commands: ReadonlyArray<readonly string[]>]> = [
		[switching, 'The key “ci” may only list and switch.', beyondSwitching],
		[
			reading,
			'The key “desk” may only read.',
			[
				...beyondSwitching,
				['disable', 'pantry'],
				['disable', 'pantry', '--for', '2h'],
				['timers', 'set', 'nightwatch', 'on', '--for', '2h'],
				['timers', 'cancel', 'nightwatch'],
				['toggle', '--all'],
				['apply', stateFile('off.yaml', 'installed:\n  pantry: off\n'), '--yes'],
			],
		],
	];
	for (const [env, sentence, commands] of cases) {
		for (const words of commands) {
			// A dry run of an upload asks the service nothing.
			for (const dry of env === reading || words.includes('upload') ? [[]] : [[], ['--dry-run']]) {
				const {exitCode, stdout, stderr} = await runCommand([...words, ...dry], {env});
				assert.equal(exitCode, 3, [...words, ...dry].join(' '));
				assert.equal(stdout, '');
				assert.ok(stderr.endsWith(`${sentence} Nothing was changed.\n${advice}`), stderr);
			}
		}
	}

	const api = await runCommand(['api', 'PUT', '/api/capabilities/edit-installed-capability/10/', '--input', '-', '--yes', '--json'], {
		env: reading,
		stdin: '{"enabled": false}',
	});
	assert.deepEqual(
		[api.exitCode, lastError(api)],
		[3, {kind: 'forbidden', message: `The key “desk” may only read. Nothing was changed. ${advice.trim()}`}],
	);
	assert.deepEqual(await listed(), before);
});

test('a key that may only switch switches by every command that does, and plans may be read', async () => {
	const run = async (...words: readonly string[]) => runCommand(words, {env: switching});
	const off = stateFile('switches.yaml', 'installed:\n  pantry: off\n  nightwatch: on\n');
	for (const words of [
		['disable', 'pantry'],
		['enable', 'pantry'],
		['toggle', 'pantry', '--dry-run'],
		['timers', 'set', 'pantry', 'off', '--for', '2h'],
		['timers', 'cancel', 'pantry'],
		['disable', 'pantry', '--for', '2h'],
		['enable', 'pantry'],
		['presets', 'save', 'now'],
		['apply', off, '--yes'],
		['presets', 'apply', 'now', '--yes'],
		['plan', off],
	]) {
		const {exitCode, stderr} = await run(...words);
		assert.equal(exitCode, 0, stderr);
	}

	assert.equal((await runCommand(['plan', off], {env: reading})).exitCode, 0);
	assert.equal((await runCommand(['timers'], {env: reading})).exitCode, 0);
});

test('status says what a key may do and when it ends, and which commands work with it', async () => {
	const {stdout} = await runCommand(['status'], {env: switching});
	assert.match(stdout, /^key may\s+only list and switch\nkey ends\s+\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
	assert.match(stdout, /^works\s+agents, abilities, abilities get, abilities pull, abilities diff, installed, enable, disable, toggle$/m);
	const json = parseJson((await runCommand(['status', '--json'], {env: reading})).stdout) as Readonly<Record<string, unknown>>;
	assert.deepEqual([json['key_rights'], json['key_expires_at']], ['read-only', null]);
	const plain = (await served.runJson(['status'])) as typeof json;
	assert.deepEqual([plain['key_rights'], plain['key_expires_at']], [null, null]);
});

test('an assistant is told the same', async (t: TestContext) => {
	const message = 'The key “desk” may only read. Nothing was changed.';
	const {call} = await connectAssistant(t, reading);
	const switched = await call('switch_installed', {installed: ['pantry'], enabled: false});
	assert.deepEqual([switched.isError, switched.value.error?.kind, switched.value.error?.message], [true, 'forbidden', message]);
	const applied = await call('apply_state', {state: '{"version": 1, "installed": {"pantry": false}}'});
	assert.deepEqual([applied.isError, applied.value.error?.message], [true, message]);
	assert.equal((await call('plan_state', {state: '{"version": 1, "installed": {"pantry": false}}'})).isError, false);
});

test('keys create refuses what makes no sense, and says what it made', async () => {
	const run = async (...words: readonly string[]) => served.run(['keys', 'create', ...words]);
	const cases: ReadonlyArray<readonly [words: readonly string[], message: RegExp]> = [
		[['--read-only', '--only', 'switch'], /^--read-only and --only cannot be used together: a key that may only read cannot switch\./],
		[['--only', 'read'], /^Invalid value “read” for --only\. Use switch\.$/],
		[['--expires', '2020-01-01'], /^--expires is in the past: 20(?:19-12-31|20-01-01) /],
		[['--expires', '90'], /^Invalid value “90” for --expires\. Use a duration, such as 30m, 12h, 90d or 2w, or a date/],
	];
	for (const [words, message] of cases) {
		const result = await run(...words, '--json');
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'usage'], words.join(' '));
		assert.match(lastError(result).message, message);
	}

	const {stderr} = await run('--name', 'hut', '--only', 'switch', '--for-ssh', '--expires', '2099-01-01T00:00Z');
	assert.equal(
		stderr,
		'Created the key “hut” of the account “default”. It may only list and switch. With it, ssh-serve says who makes each change. It expires on 2099-01-01 00:00 UTC. Copy it now: only its hash is stored.\n',
	);
	const rows = (await served.runJson(['keys', 'list'])) as ReadonlyArray<Readonly<Record<string, unknown>>>;
	const {id, created_at: _, ...hut} = rows.find(({name}) => name === 'hut')!;
	assert.deepEqual(hut, {
		name: 'hut',
		account: 'default',
		rights: 'switch',
		for_ssh: true,
		last_used_at: null,
		expires_at: '2099-01-01T00:00:00.000Z',
	});
	assert.match(
		(await served.run(['keys', 'list'])).stdout,
		new RegExp(String.raw`^${String(id)}\thut\tdefault\t\S+\tswitch, ssh\t\t2099-01-01T00:00:00.000Z$`, 'm'),
	);
});

test('keys rotate prints the new key alone, and the one before stops at once, or after a while', async () => {
	const env = await envWith('old', '--read-only');
	const rotated = await served.run(['keys', 'rotate', 'old', '--grace', '1h']);
	assert.match(rotated.stdout, /^sb_\S+\n$/);
	assert.match(
		rotated.stderr,
		/^Created a new key “old” of the account “default”\. It may only read\. Copy it now: only its hash is stored\. The old key is now named “old \(replaced\)” and works until .* UTC\.\n$/,
	);
	assert.equal((await runCommand(['installed'], {env})).exitCode, 0);
	const dry = await served.run(['keys', 'rotate', 'old', '--dry-run']);
	assert.deepEqual(
		dry,
		ended(
			0,
			'',
			`Would replace “old” (${/\((?<id>\d+)\)/.exec(dry.stderr)!.groups!['id']}) of the account “default” with a new key; the old one would stop working at once.\nNothing was changed: this was a dry run.\n`,
		),
	);
	const renewed = {...env, SWITCHBOARD_API_KEY: rotated.stdout.trim()};
	assert.equal((await runCommand(['installed'], {env: renewed})).exitCode, 0);
	const value = parseJson((await served.run(['keys', 'rotate', 'OLD', '--yes', '--json'])).stdout) as Readonly<Record<string, unknown>>;
	assert.deepEqual(Object.keys(value), ['key', 'id', 'name', 'account', 'rights', 'for_ssh', 'expires_at']);
	assert.equal((await runCommand(['installed'], {env: renewed})).exitCode, 3);
	assert.equal(lastError(await served.run(['keys', 'rotate', 'nothing', '--json'])).kind, 'not-found');
});
