import {after, assert, before, mkdirSync, path, process, readdirSync, rmSync, test, type TestContext} from '../helpers/node.ts';
import {presetAccountOfProfile} from '../../source/settings/account.ts';
import {openPresets} from '../../source/settings/presets.ts';
import {allowedCommands, hintOverSsh} from '../../source/commands/allowed-commands.ts';
import {fingerprintOf} from '../helpers/remote-terminal.ts';
import {createServerFolders, type Runner, startServers} from './ssh/remote-server.ts';
import {createRemoteClient, parseJson, temporaryFolder, waitUntil} from './kit.ts';
import {clock} from '../../source/words/age.ts';

type Record_ = Readonly<Record<string, unknown>>;

/** What whoever runs the server has set, which is for no session. */
const environment = {
	SWITCHBOARD_PROFILE: 'other',
	SWITCHBOARD_BASE_URL: 'http://127.0.0.1:9',
	SWITCHBOARD_API_KEY: 'foreign',
	OPENHOME_API_KEY: 'foreign',
	OPENHOME_JWT: 'foreign',
	NO_COLOR: '1',
	TERM: 'dumb',
	COLUMNS: '20',
	// For the reports of faults.
	XDG_STATE_HOME: temporaryFolder(),
};

before(() => {
	Object.assign(process.env, environment);
});

const seeHelp = 'To see the available ones: ssh HOST help ssh\n';

const statesOf = (records: readonly Record_[]): Record_ =>
	Object.fromEntries<unknown>(records.map(({name, enabled}) => [String(name), enabled]));

async function start(t: Runner) {
	const {connect, folders, profiles} = await startServers(t, 'default');
	const list = async (words: readonly string[]): Promise<readonly Record_[]> => {
		const {stdout} = await connect().runWhole([...words, '--json']);
		return parseJson(stdout) as readonly Record_[];
	};

	return {connect, folders, list, profile: profiles[0]!, states: async () => statesOf(await list(['installed']))};
}

/** The server of the tests that leave everything as it was. */
const shared = await start({after});

test('a hint names a command as it is typed over SSH, or as it is typed elsewhere if there is none over SSH', () => {
	for (const [text, expected] of [
		['Save one with: switchboard presets save NAME', 'Save one with: ssh HOST presets save NAME'],
		[
			'switchboard history show 4\nTo revoke it: switchboard keys revoke ci',
			'ssh HOST history show 4\nTo revoke it: switchboard keys revoke ci',
		],
		['switchboard abilities push FOLDER', 'switchboard abilities push FOLDER'],
		['switchboard enable pantry', 'ssh HOST enable pantry'],
		['switchboard abilities, or switchboard [options]', 'ssh HOST abilities, or ssh HOST [options]'],
		['switchboard login', 'switchboard login'],
	] as const) {
		assert.equal(hintOverSsh(text), expected);
	}
});

test('a command over SSH works with the profile of the session', async () => {
	const {connect, states} = shared;
	const earlier = await states();
	assert.equal(earlier['pantry'], true);
	assert.deepEqual(
		await connect()
			.runWhole(['disable', 'pantry', '--json'])
			.then(({exitCode, stderr}) => [exitCode, stderr]),
		[0, ''],
	);
	assert.deepEqual(await states(), {...earlier, pantry: false});
	assert.equal(
		await connect()
			.runWhole(['enable', '-', '--json'])
			.then(({exitCode}) => exitCode),
		0,
	);
	const named = await connect({stdin: 'pantry\n'}).runWhole(['enable', '-']);
	assert.match(named.stdout, /^\d+\ton\tpantry\tchanged\n$/);
	assert.deepEqual(await states(), earlier);
});

test('a terminal gets a table in its width, with colour unless it asks for none', async () => {
	const {connect} = shared;
	const {stdout} = await connect({terminal: 40}).runWhole(['installed']);
	const [titles, ...rows] = stdout.trimEnd().split('\n');
	assert.match(titles!, /^\u{1B}\[1mID .*\u{1B}\[22m$/u);
	assert.ok(rows.some(row => row.includes('\u{1B}[32mon\u{1B}[39m')));
	const plain = await connect({terminal: 40, env: {TERM: 'xterm', NO_COLOR: '1'}}).runWhole(['installed']);
	assert.equal(plain.stdout, stdout.replaceAll(/\u{1B}\[\d+m/gu, ''));
	assert.ok(rows.length > 3);
	assert.ok(plain.stdout.split('\n').every(row => row.length <= 40));
});

test('whoever may only read changes nothing, and is told so', async () => {
	const {connect, states, list} = shared;
	const earlier = [await states(), await list(['agents'])];
	const changes = [
		['disable', 'pantry'],
		['toggle', '--all'],
		['uninstall', 'pantry', '--yes'],
		['abilities', 'delete', 'pantry', '--yes'],
		['install', 'pantry'],
		['installed', 'edit', 'pantry', '--no-triggers'],
		['agents', 'edit', '1', '--name', 'Hob'],
		['agents', 'restore', '1'],
		['apply', '-', '--yes'],
		['say', 'hello'],
		['chat'],
		['test', '--all', '--yes'],
	];
	for (const words of changes) {
		const result = await connect({isReadOnly: true, stdin: 'version: 1\ninstalled: {pantry: off}\n'}).runWhole(words);
		assert.deepEqual(result, {exitCode: 2, stdout: '', stderr: 'Your key may only read here: nothing was changed.\n'}, words.join(' '));
	}

	assert.equal((await connect({isReadOnly: true}).runWhole(['agents', 'restore', '1', '--list'])).exitCode, 0);
	const dry = await connect({isReadOnly: true}).runWhole(['disable', 'pantry', '--dry-run']);
	assert.equal(dry.exitCode, 0);
	assert.deepEqual([await states(), await list(['agents'])], earlier);
});

test('what is not available over SSH is refused with a sentence, and with --json as JSON', async () => {
	const {connect} = shared;
	const refusals: ReadonlyArray<readonly [words: readonly string[], message: string]> = [
		[['login'], 'login is not available over SSH.'],
		[['help', 'keys', 'create'], 'keys create is not available over SSH.'],
		[['installed', '--profile', 'default'], '--profile is not available over SSH.'],
	];
	for (const [words, message] of refusals) {
		assert.deepEqual(await connect().runWhole(words), {exitCode: 2, stdout: '', stderr: `${message}\n${seeHelp}`});
	}

	const hints: ReadonlyArray<readonly [words: readonly string[], error: string]> = [
		[
			['agents', 'edit', 'Hearth'],
			'No editor opens over SSH: it would run on the server.\nUse --name, --prompt, --prompt-file, --abilities or --no-abilities.\n',
		],
		[['upload', './pantry'], 'Unknown command “switchboard upload”.\nList the commands with: ssh HOST --help\n'],
		[['abilities', 'pul', 'pantry'], 'Unknown command “switchboard abilities pul”.\nList the commands with: ssh HOST abilities --help\n'],
		[['help', 'keys', 'craete'], `keys is not available over SSH.\n${seeHelp}`],
		[
			['installed', '--profil', 'default'],
			'Unknown option --profil for “switchboard installed”.\nList the options with: ssh HOST installed --help\n',
		],
		[['abilities', 'gte', 'pantry'], 'Unknown command “switchboard abilities gte”.\nDid you mean: ssh HOST abilities get\n'],
		[['agents', 'lits'], 'Unknown command “switchboard agents lits”.\nDid you mean: ssh HOST agents list\n'],
		[['installed', 'get', 'pantry'], 'Unknown command “switchboard installed get”.\nTo see that ability: ssh HOST abilities get pantry\n'],
	];
	for (const [words, stderr] of hints) {
		assert.deepEqual(await connect().runWhole(words), {exitCode: 2, stdout: '', stderr});
	}

	const {stderr} = await connect().runWhole(['profiles', '--json']);
	assert.deepEqual(parseJson(stderr), {error: {kind: 'refused', message: `profiles is not available over SSH. ${seeHelp.trimEnd()}`}});
	const files: ReadonlyArray<readonly [words: readonly string[], example: string]> = [
		[['plan', '/etc/passwd'], 'ssh HOST plan - < FILE'],
		[['apply', './-', '--yes'], 'ssh HOST apply - < FILE'],
		[['export', './-'], 'ssh HOST export - > FILE'],
		[['agents', 'edit', 'Hearth', '--prompt-file', '/etc/passwd'], 'ssh HOST agents edit AGENT --prompt-file - < FILE'],
	];
	for (const [words, example] of files) {
		const refused = await connect().runWhole(words);
		assert.deepEqual([refused.exitCode, refused.stdout], [2, '']);
		assert.match(refused.stderr, /^[^\n]* can only be “-” over SSH: files are out of reach here\.\n/);
		assert.ok(refused.stderr.endsWith(`\nUse “-” and a file of your own, as in: ${example}\n`), refused.stderr);
	}

	const hidden = await connect().runWhole(['__complete-bash', 'installed']);
	assert.deepEqual([hidden.exitCode, hidden.stdout], [2, '']);
	const nothing = await connect().runWhole([]);
	assert.deepEqual([nothing.exitCode, nothing.stdout], [2, '']);
	assert.match(nothing.stderr, /^Usage: ssh HOST /);
});

test('the help lists only what is available, and the version is that of the server', async () => {
	const {connect} = shared;
	const {exitCode, stdout} = await connect({terminal: 80}).runWhole(['--help']);
	assert.equal(exitCode, 0);
	const listed = new Set(stdout.slice(stdout.indexOf('Commands ('), stdout.indexOf('Options of')).split(/[\s(),]+/));
	assert.deepEqual(
		['login', 'serve', 'upload', 'mcp', 'ssh-serve'].filter(name => listed.has(name)),
		[],
	);
	assert.ok(
		['agents', 'edit', 'apply', 'wait'].every(name => listed.has(name)),
		stdout,
	);
	assert.doesNotMatch(stdout, /^ +--(?:profile|base-url|debug|insecure-http) /m);
	const watch = await connect().runWhole(['watch', '--help']);
	assert.doesNotMatch(watch.stdout, /^ +--exec|--profile/m);
	assert.match(
		watch.stdout,
		/\nOptions of every command \(see ssh HOST --help\):\n {2}--json, --read-only, --timeout, --no-color, --ascii\n/,
	);
	assert.match(
		watch.stdout,
		/\nOver SSH only the commands and options that are listed work, with “-” in place\nof a file: ssh HOST help ssh\n$/,
	);
	assert.match((await connect().runWhole(['help', 'filter'])).stdout, /\S/);
	const version = await connect().runWhole(['--version']);
	assert.deepEqual((await connect().runWhole(['version'])).stdout, version.stdout);
	assert.deepEqual(parseJson((await connect().runWhole(['--version', '--json'])).stdout), {version: version.stdout.trim()});
});

test('a state comes on standard input, is applied with --yes and names no files', async (t: TestContext) => {
	const {connect, states} = await start(t);
	const exported = await connect().runWhole(['export']);
	assert.deepEqual([exported.exitCode, exported.stderr], [0, '']);
	assert.equal(
		await connect({stdin: exported.stdout})
			.runWhole(['plan', '-', '--exit-code'])
			.then(({exitCode}) => exitCode),
		0,
	);

	const stdin = 'version: 1\ninstalled: {pantry: off}\n';
	const asked = await connect({stdin}).runWhole(['apply', '-']);
	assert.deepEqual(asked, {exitCode: 2, stdout: '', stderr: 'This needs a yes, and there is no terminal to ask on.\nAdd --yes.\n'});
	assert.equal((await states())['pantry'], true);
	const applied = await connect({stdin}).runWhole(['apply', '-', '--yes']);
	assert.deepEqual([applied.exitCode, applied.stdout], [0, 'done\t~ pantry: on → off\n']);
	assert.equal((await states())['pantry'], false);

	const reaching = [
		'version: 1',
		'abilities:',
		'  lamplighter: {source: /etc, category: skill}',
		'agents:',
		'  Hearth: {prompt_file: /etc/passwd}',
		'',
	].join('\n');
	for (const words of [
		['plan', '-'],
		['apply', '-', '--yes'],
	]) {
		const refused = await connect({stdin: reaching}).runWhole(words);
		assert.deepEqual([refused.exitCode, refused.stdout], [2, '']);
		assert.match(refused.stderr, /standard input:3:\d+: No paths are allowed here/);
		assert.match(refused.stderr, /standard input:5:\d+: No paths are allowed here/);
	}
});

test('the prompts that were replaced are kept for all who use a profile, and no path is told', async (t: TestContext) => {
	const {connect, list, folders} = await start(t);
	const promptOf = async () => (await list(['agents'])).find(({personality_id}) => personality_id === 1)!['description'];
	const original = await promptOf();
	const edited = await connect({fingerprint: fingerprintOf('b')}).runWhole(['agents', 'edit', '1', '--prompt', 'Be brief.']);
	assert.deepEqual([edited.exitCode, edited.stderr], [0, 'The earlier prompt is kept. To bring it back: ssh HOST agents restore Hearth\n']);
	assert.equal((await connect().runWhole(['agents', 'restore', 'hearth', '--list'])).stdout.split('\t').length, 5);
	assert.equal((await connect().runWhole(['agents', 'restore', 'hearth'])).exitCode, 0);
	assert.equal(await promptOf(), original);
	const [file = ''] = readdirSync(path.join(folders.stateFolder, 'journal'));
	rmSync(path.join(folders.stateFolder, 'journal', file));
	mkdirSync(path.join(folders.stateFolder, 'journal', file));
	assert.deepEqual(await connect().runWhole(['agents', 'edit', '1', '--prompt', 'Be brief.']), {
		exitCode: 2,
		stdout: '',
		stderr:
			'The present prompt of Hearth cannot be kept: its file is not a regular file. It was not changed.\nUse --yes to change it anyway.\n',
	});
	assert.deepEqual(await connect().runWhole(['agents', 'restore', '1', '--list']), {
		exitCode: 1,
		stdout: '',
		stderr: 'The texts that prompts had cannot be read: its file is not a regular file\n',
	});
});

test('presets are of all who use a profile, and a key that may only read changes none', async (t: TestContext) => {
	const {connect, states, folders, profile} = await start(t);
	assert.equal((await connect().runWhole(['presets'])).stderr, 'There are no presets. Save one with: ssh HOST presets save NAME\n');
	assert.equal((await connect({isReadOnly: true}).runWhole(['presets'])).stderr, 'There are no presets.\n');
	const saved = await connect({fingerprint: fingerprintOf('b')}).runWhole(['presets', 'save', 'good', 'night']);
	assert.deepEqual([saved.exitCode, saved.stderr], [0, '']);
	const presets = openPresets(presetAccountOfProfile({...profile, profileName: profile.name}), {
		configFolder: folders.configFolder,
		note: text => assert.fail(text),
	});
	assert.deepEqual(
		(await presets.list()).map(({name}) => name),
		['good night'],
		'the same as those of whoever runs the server',
	);
	assert.equal((await connect().runWhole(['disable', 'pantry'])).exitCode, 0);
	assert.equal((await connect().runWhole(['presets', 'diff', 'good night'])).stdout, '~ pantry: off → on\n1 to change, 11 unchanged.\n');
	for (const words of [
		['save', 'good night'],
		['delete', 'good night', '--yes'],
		['apply', 'good night', '--yes'],
	]) {
		assert.deepEqual(await connect({isReadOnly: true}).runWhole(['presets', ...words]), {
			exitCode: 2,
			stdout: '',
			stderr: 'Your key may only read here: nothing was changed.\n',
		});
	}

	assert.match((await connect({isReadOnly: true}).runWhole(['presets'])).stdout, /^good night\t/);
	const applied = await connect().runWhole(['presets', 'apply', 'good', 'night', '--yes']);
	assert.deepEqual([applied.exitCode, applied.stderr], [0, '1 done, 11 unchanged.\nTo go back: ssh HOST undo\n']);
	assert.equal((await states())['pantry'], true);
	rmSync(path.join(folders.configFolder, 'presets.json'));
	mkdirSync(path.join(folders.configFolder, 'presets.json'));
	const broken = await connect().runWhole(['presets']);
	assert.deepEqual([broken.exitCode, broken.stderr.includes(folders.configFolder)], [1, false], broken.stderr);
});

test('a person at a terminal is asked, and sees how a new prompt differs', async (t: TestContext) => {
	const {connect, list, states} = await start(t);
	const earlier = await list(['agents']);
	const client = connect({terminal: 80, stdin: null});
	const ended = client.run(['agents', 'edit', '1', '--prompt', 'Be brief.']);
	await waitUntil(() => client.stderr().includes('[y/N]'));
	client.send('n\r');
	assert.equal(await ended, 2);
	assert.match(client.stderr(), /\+Be brief\.[^?]*Replace the prompt of Hearth\? \[y\/N\]/);
	assert.deepEqual(await list(['agents']), earlier);
	const other = connect({terminal: 80, stdin: null});
	const done = other.run(['uninstall', 'pantry']);
	await waitUntil(() => other.stderr().includes('[y/N]'));
	other.send('y\r');
	assert.equal(await done, 0);
	assert.match(other.stderr(), /Uninstall pantry \(\d+\)/);
	assert.equal(Object.hasOwn(await states(), 'pantry'), false);
});

test('standard input that is too large is refused, and the channel stays open', async () => {
	const {connect} = shared;
	const client = connect({stdin: `${'x'.repeat(1024 * 1024)}\n`.repeat(2)});
	assert.deepEqual(await client.runWhole(['enable', '-']), {
		exitCode: 2,
		stdout: '',
		stderr: 'Standard input is larger than 1 MB, the limit for a text.\n',
	});
	assert.equal(client.session.streams.stdout.destroyed, false);
});

test('status shows the profile of the session and nothing of the server', async () => {
	const {connect, profile, folders} = shared;
	const shown = await connect().runWhole(['status']);
	assert.deepEqual([shown.exitCode, shown.stderr], [0, '']);
	assert.deepEqual(shown.stdout.split('\n').slice(0, 3), [
		'profile\tdefault (yours on this server)',
		`address\t${profile.baseAddress} (stored in the profile)`,
		'key\tkept by this server',
	]);
	assert.match(
		shown.stdout,
		/\nworks\tagents, agents edit, abilities, abilities get, abilities edit, abilities delete, installed, installed edit, enable, disable, toggle, install, uninstall\n$/,
	);
	const {
		profile: name,
		profile_source: source,
		key_last4: keyEnd,
	} = parseJson((await connect().runWhole(['status', '--json'])).stdout) as Record_;
	assert.deepEqual([name, source, keyEnd], ['default', 'ssh', null]);
	assert.ok(!shown.stdout.includes(folders.configFolder));
});

test('a profile that cannot be used is named, and neither the others nor the settings are', async () => {
	const folders = await createServerFolders([
		{name: 'secret-place', baseAddress: 'http://127.0.0.1:9', apiKey: 'key-of-another'},
		{name: 'keyless', baseAddress: 'http://127.0.0.1:9', apiKey: undefined},
		{name: 'plain', baseAddress: 'https://voice.example', apiKey: 'key-of-plain-0123'},
	]);
	const ends = [
		['gone', 4, 'does not exist here'],
		['local', 2, 'cannot be used'],
		['keyless', 3, 'has no API key'],
	] as const;
	for (const [profileName, code, what] of ends) {
		const {exitCode, stdout, stderr} = await createRemoteClient(folders, {profileName}).runWhole(['installed']);
		assert.deepEqual(
			[exitCode, stdout, stderr],
			[code, '', `The profile “${profileName}” ${what}.\nTell the administrator of this server.\n`],
		);
		const status = await createRemoteClient(folders, {profileName}).runWhole(['status']);
		assert.deepEqual([status.exitCode, status.stderr], [code, stderr]);
		assert.doesNotMatch(status.stdout, /secret-place|127\.0\.0\.1/);
	}
});

test('a refused key and a service that is away are for whoever runs the server', async () => {
	const {profile} = shared;
	const folders = await createServerFolders([
		{...profile, apiKey: 'a-wrong-key-0123'},
		{name: 'away', baseAddress: 'http://127.0.0.1:9', apiKey: 'key'},
	]);
	for (const [profileName, code] of [
		['default', 3],
		['away', 5],
	] as const) {
		const {exitCode, stdout, stderr} = await createRemoteClient(folders, {profileName}).runWhole(['installed']);
		assert.deepEqual(
			[exitCode, stdout, stderr.split('\n').slice(1)],
			[code, '', ['If this persists, tell the administrator of this server.', '']],
		);
		assert.doesNotMatch(stderr, /login|a-wrong-key/);
	}
});

test('a fault of the program ends a command with a sentence that tells nothing of the server', async () => {
	const {connect} = shared;
	const env = {
		get TERM(): string {
			throw new Error('ENOENT: /home/operator/secret');
		},
	};
	const {exitCode, stdout, stderr} = await connect({env}).runWhole(['installed', '--debug']);
	assert.deepEqual([exitCode, stdout, stderr], [2, '', `--debug is not available over SSH.\n${seeHelp}`]);
	assert.deepEqual(await connect({env}).runWhole(['installed']), {
		exitCode: 1,
		stdout: '',
		stderr: 'An unexpected error has ended this command.\nTry again. If it happens again, tell the administrator of this server.\n',
	});
});

test('a command leaves nothing on the process and writes nothing on its streams', async (t: TestContext) => {
	const {connect} = await start(t);
	const count = () => process.eventNames().map(name => [name, process.listenerCount(name)]);
	await connect().run(['installed']);
	const earlier = count();
	const written: unknown[] = [];
	for (const stream of [process.stdout, process.stderr]) {
		t.mock.method(stream, 'write', (chunk: unknown) => {
			written.push(chunk);
			return true;
		});
	}

	for (const words of [['installed'], ['login'], ['--help'], ['plan', '-'], ['wait', 'pantry', '--for', 'on'], ['nonsense']]) {
		await connect({stdin: 'version: 1\n'}).run(words);
	}

	t.mock.restoreAll();
	assert.deepEqual([written, count(), process.exitCode], [[], earlier, undefined]);
});

test('what the lists showed last is kept by key', async (t: TestContext) => {
	const {connect, folders} = await start(t);
	await connect({fingerprint: fingerprintOf('b')}).run(['installed']);
	assert.deepEqual(readdirSync(folders.cacheFolder), ['ssh']);
	assert.equal(readdirSync(path.join(folders.cacheFolder, 'ssh')).length, 1);
});

test('what to type next, and help, name commands as they are typed over SSH, and examples that work there', async () => {
	const {connect} = shared;
	const unknown = await connect().runWhole(['enable', 'no-such-ability']);
	assert.match(unknown.stderr, /ssh HOST installed/);
	assert.doesNotMatch(unknown.stderr, /switchboard/);
	const version = await connect().runWhole(['switchboard', 'version']);
	assert.deepEqual([version.exitCode, version.stdout], [0, (await connect().runWhole(['version'])).stdout]);
	for (const command of Object.keys(allowedCommands)) {
		const help = await connect().runWhole([...command.split(' '), '--help']);
		assert.equal(help.exitCode, 0, command);
		assert.match(help.stdout, /^Usage: ssh HOST /);
		assert.doesNotMatch(help.stdout, /switchboard |--profile|--exec/, command);
		const [, examples = ''] = help.stdout.split('\nExamples:\n', 2);
		const lines = examples.split('\n\n', 1)[0]!.split('\n');
		assert.deepEqual(
			lines.filter(line => /^ {2}(?!ssh HOST )\S/.test(line)),
			[],
			command,
		);
	}

	const {stdout} = await connect().runWhole(['apply', '--help']);
	assert.deepEqual(
		stdout
			.split('\n')
			.slice(-3, -1)
			.map(line => line.length <= 80),
		[true, true],
	);
});

test('times are typed and read in the zone of the person, and name that of the server if theirs is unknown', async () => {
	const nepal = {timeZone: {zone: 'Asia/Kathmandu', isOwn: true}};
	const {stdout} = await shared.connect(nepal).runWhole(['disable', 'pantry', '--until', '07:00', '--json']);
	assert.match(stdout, /"at": "[\d-]+T01:15:00\.000Z"/);
	const cancel = ['enable', 'pantry'];
	assert.match((await shared.connect(nepal).runWhole([...cancel, '--dry-run'])).stderr, /its timer \(on at 07:00 by /);
	assert.match((await shared.connect().runWhole(cancel)).stderr, /its timer \(on at \d\d:\d\d [A-Z][\w+:]+ by /);
	const undo = (await shared.connect(nepal).runWhole(['undo', '--dry-run'])).stderr;
	const minutes = [0, 1].map(ago => clock(Date.now() - ago * 60_000, 0, 'Asia/Kathmandu').slice(-5));
	assert.ok(
		minutes.some(time => undo.startsWith(`By “enable”, ${time}: 1 change.`)),
		undo,
	);
	const waiting = await shared.connect().runWhole(['disable', 'pantry', '--for', '2h', '--wait']);
	assert.deepEqual([waiting.exitCode, waiting.stderr], [2, `--wait is not available over SSH.\n${seeHelp}`]);
});
