import {after, assert, createInterface, once, path, process, spawn, test, type TestContext, text} from '../helpers/node.ts';
import {closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {programFile, runCommand as startProcess, type CommandResult} from '../helpers/run-command.ts';
import {
	createIsolatedHome,
	ended,
	json,
	jsonError,
	lastError,
	openPseudoTerminal,
	openTerminal,
	runCommand,
	startLiveLikeService,
} from './kit.ts';

const home = createIsolatedHome();
const service = await startLiveLikeService();
after(async () => service.close());

const run = async (...words: readonly string[]): Promise<CommandResult> => runCommand(words, {env: home.env});

const env = () => ({...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey});

test('without a command and a terminal the usage is printed on standard error in two lines, exit 2', async () => {
	const {stdout, stderr, exitCode} = await run();
	assert.deepEqual([stdout, exitCode], ['', 2]);
	assert.equal(
		stderr,
		'Usage: switchboard [options] [command] (without a command it needs a terminal)\nList the commands with: switchboard --help\n',
	);
});

test('--help and --version print on standard output', async () => {
	const help = await run('keys', 'create', '--help');
	assert.deepEqual([help.stderr, help.exitCode], ['', 0]);
	assert.match(help.stdout, /^Usage: switchboard keys create[\s\S]*--account[\s\S]*Examples:/);
	const asked = await run('help', 'enable');
	assert.deepEqual([asked.stderr, asked.exitCode], ['', 0]);
	assert.match(asked.stdout, /^Usage: switchboard enable/);
	const deeper = await run('help', 'abilities', 'upload');
	assert.match(deeper.stdout, /^Usage: switchboard abilities upload/);
	const {version} = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {version: string};
	assert.deepEqual(await startProcess(['--version'], {env: home.env}), ended(0, `${version}\n`));
	// The tests themselves are not built.
	for (const words of [['--version'], ['-v'], ['version']]) {
		assert.deepEqual(await run(...words), ended(0, 'development\n'));
	}

	for (const word of ['--version', 'version']) {
		assert.deepEqual(await run(word, '--json'), ended(0, json({version: 'development'})));
	}
});

const mistakes: ReadonlyArray<readonly [words: string | readonly string[], answer: string | RegExp]> = [
	['agens', 'Unknown command “switchboard agens”. Did you mean: switchboard agents'],
	['abilities gte 3', 'Unknown command “switchboard abilities gte”. Did you mean: switchboard abilities get'],
	['--profile work abilities gte', 'Unknown command “switchboard abilities gte”. Did you mean: switchboard abilities get'],
	[
		'help enabel',
		'There is no help on “enabel”. Did you mean: switchboard help enable Topics: keys, filter, environment, exit-codes, json, timers, past, state, serving, operating, limits, proxies, logging, upgrade, ssh',
	],
	['help exit-code', /^There is no help on “exit-code”\. Did you mean: switchboard help exit-codes Topics: keys, /],
	['help upload', /^There is no help on “upload”\. Did you mean: switchboard help abilities upload Topics: keys, /],
	['help frobnicate', /^There is no help on “frobnicate”\. Topics: keys, .*, ssh List the commands with: switchboard --help$/],
	['help abilities gte', 'Unknown command “switchboard abilities gte”. Did you mean: switchboard abilities get'],
	['installed --jsno', 'Unknown option --jsno for “switchboard installed”. Did you mean: --json'],
	['upload ./pantry', 'Unknown command “switchboard upload”. Did you mean: switchboard abilities upload'],
	['frobnicate', 'Unknown command “switchboard frobnicate”. List the commands with: switchboard --help'],
	[['agents', 'Night watch'], "Unknown command “switchboard agents Night watch”. To see that agent: switchboard agents get 'Night watch'"],
	['abilities pantry', 'Unknown command “switchboard abilities pantry”. To see that ability: switchboard abilities get pantry'],
	[
		'installed pantry',
		'Unknown command “switchboard installed pantry”. To see that ability: switchboard abilities get pantry To switch it on: switchboard enable pantry',
	],
	['profiles work', 'Unknown command “switchboard profiles work”. To switch to that profile: switchboard profiles use work'],
	[
		'agents edit Night watch --name x',
		"Unexpected argument “watch” for “switchboard agents edit”. Quote a name that contains a space: switchboard agents edit 'Night watch'",
	],
	['completion bash x', 'Unexpected argument “x” for “switchboard completion”. Use: switchboard completion bash'],
	['keys create ci', /Use: switchboard keys create --name ci$/],
	['keys list ci', 'Unexpected argument “ci” for “switchboard keys list”. Use: switchboard keys list'],
	['login https://voice.example.com', /Use: switchboard login --base-url https:\/\/voice\.example\.com$/],
	['login work', /Use: switchboard login --profile work$/],
	['logout work', /Use: switchboard logout --profile work$/],
	['check ./data', /Use: switchboard check --data \.\/data$/],
	['serve 80', /Use: switchboard serve --port 80$/],
	['serve data', /Use: switchboard serve$/],
	['abilities help get', 'Unknown command “switchboard abilities help”. See: switchboard abilities --help'],
	['keys', /No command given/],
	[[], /No command given/],
	['abilities get', '“switchboard abilities get” needs an ability: its id or its name. List them with: switchboard abilities'],
	['backup', '“switchboard backup” needs the file to write. Example: switchboard backup home.db'],
	[
		'copy',
		'“switchboard copy” needs --from <folder|url> and --to <folder|url>. Example: switchboard copy --from ./data --to postgres://home@db/home',
	],
	['copy --from data', /^“switchboard copy” needs --to <folder\|url>\. Example: switchboard copy /],
	['wait pantry', '“switchboard wait” needs --for <state>. Example: switchboard wait pantry --for on'],
	['wait pantry --for maybe', 'Invalid value “maybe” for --for. Use on or off.'],
	['watch --interval 0.5', 'Invalid value “0.5” for --interval. Use a number of seconds from 1 to 86400.'],
	['watch --interval often', 'Invalid value “often” for --interval. Use a number of seconds from 1 to 86400.'],
	[['watch', '--exec', ''], 'The value for --exec is empty. Use a program and its arguments, quoted as in a shell.'],
	[['watch', '--exec', 'notify "me'], 'Invalid value “notify "me” for --exec. Use a program and its arguments, quoted as in a shell.'],
	['wait pantry --fo on', 'Unknown option --fo for “switchboard wait”. Did you mean: --for'],
	['installed --format --no-color', '--format needs a value. Use: -o, --format <format> See: switchboard installed --help'],
	['installed --columns --profile local', /^--columns needs a value\./],
	['check -1', 'Unknown option -1 for “switchboard check”. List the options with: switchboard check --help'],
	['completion', '“switchboard completion” needs the name of a shell: bash, zsh or fish. Example: switchboard completion bash'],
	['completion tcsh', 'Invalid value “tcsh” for the shell. Use bash, zsh or fish.'],
	['abilities upload x --category magic', 'Invalid value “magic” for --category. Use skill, brain, daemon or local.'],
	[
		'abilities upload x --category brain-skil',
		'Invalid value “brain-skil” for --category. Did you mean: brain_skill Use skill, brain, daemon or local.',
	],
	[
		'agents edit Hearth --description a --description-file b',
		'--description and --description-file cannot be used together. Use one of them.',
	],
	['agents edit Hearth --prompt a --description b', '--prompt and --description cannot be used together. Use one of them.'],
	[
		'agents edit Hearth --description-file a --prompt-file b',
		'--prompt-file and --description-file cannot be used together. Use one of them.',
	],
	['agents edit Hearth', 'Nothing to change. Use --name, --prompt, --prompt-file, --abilities or --no-abilities.'],
	['agents restore Hearth --list --version 1', '--list and --version cannot be used together. Use one of them.'],
	['agents restore Hearth --format tsv', '--format needs --list. Use: --list --format'],
	['agents restore Hearth --columns by', '--columns needs --list. Use: --list --columns'],
	['agents restore Hearth --list --json --format tsv', /^--json and --format tsv cannot be used together\. /],
	['agents restore Hearth --version last', 'Invalid value “last” for --version. Use a number that --list shows.'],
	['agents edit Hearth --abilities a --no-abilities', '--abilities and --no-abilities cannot be used together. Use one of them.'],
	[
		'agents --timeout 0',
		'Invalid value “0” for --timeout. Use a number of seconds, such as 10 or 0.5, up to 86400, or one with a unit: 500ms, 5s, 2m.',
	],
	['agents --json=true', '--json takes no value. Use: --json'],
	[
		'enable -pantry',
		/^Unknown option -pantry for “switchboard enable”\. Put a name that starts with “-” after “--”: switchboard enable -- -pantry /,
	],
	['agents --\u{202E}profile', /^Unknown option --\\u\{202e\}profile for “switchboard agents”\. Did you mean: --profile$/],
	[
		'enable -\u{200B}pantry',
		/^Unknown option -\\u\{200b\}pantry for “switchboard enable”\. List the options with: switchboard enable --help$/,
	],
	['age\u{200B}nts', /^Unknown command “switchboard age\\u\{200b\}nts”\. Did you mean: switchboard agents$/],
	// What does more than was asked is suggested for one wrong letter at most.
	['export --format json', 'Unknown option --format for “switchboard export”. List the options with: switchboard export --help'],
	['apply home.yaml --prunes', 'Unknown option --prunes for “switchboard apply”. Did you mean: --prune'],
	['apply home.yaml --prounes', 'Unknown option --prounes for “switchboard apply”. List the options with: switchboard apply --help'],
	['unistall pantry', 'Unknown command “switchboard unistall”. Did you mean: switchboard uninstall'],
	['uninstlala pantry', 'Unknown command “switchboard uninstlala”. List the commands with: switchboard --help'],
	['verisno', 'Unknown command “switchboard verisno”. Did you mean: switchboard version'],
	['remove pantry', 'Unknown command “switchboard remove”. List the commands with: switchboard --help'],
	['show pantry', 'Unknown command “switchboard show”. List the commands with: switchboard --help'],
	['revoke ci', 'Unknown command “switchboard revoke”. Did you mean: switchboard keys revoke'],
	// A verb in place of a subcommand is not the name of a record.
	['agents info Hearth', 'Unknown command “switchboard agents info”. Did you mean: switchboard agents get'],
	['agents get Hearth --json --prompt', '--json and --prompt cannot be used together. Use one of them.'],
	['agents get Hearth --prompt --format tsv', /^Unknown option --format for “switchboard agents get”/],
	['agents Night watch', 'Unknown command “switchboard agents Night”. List the commands with: switchboard agents --help'],
	['agents delete Hearth', 'Unknown command “switchboard agents delete”. List the commands with: switchboard agents --help'],
	['abilities backup', 'Unknown command “switchboard abilities backup”. List the commands with: switchboard abilities --help'],
	[
		['installed', 'get', 'Night watch'],
		"Unknown command “switchboard installed get”. To see that ability: switchboard abilities get 'Night watch'",
	],
	['installed info', 'Unknown command “switchboard installed info”. To see an ability: switchboard abilities get ABILITY'],
	['installed enable pantry', 'Unknown command “switchboard installed enable”. Did you mean: switchboard enable'],
	['presets show night', 'Unknown command “switchboard presets show”. See the presets with: switchboard presets --json'],
	['profiles show work', 'Unknown command “switchboard profiles show”. See the profiles with: switchboard profiles'],
	['keys get ci', 'Unknown command “switchboard keys get”. See the keys with: switchboard keys list'],
	['agents --timeout soon', /number of seconds/],
	['agents --api-key sk-123', 'Unknown option --api-key for “switchboard agents”. List the options with: switchboard agents --help'],
	['serve --port 99999', /0 to 65535/],
	['serve --rate-limit 0', /requests per minute/],
	['serve --log xml', 'Invalid value “xml” for --log. Use text or json.'],
	['serve --quota 0', /a number of bytes, or “off”/],
	['serve --history 0', /a number of days, or “off”/],
	['serve --trust-proxy 10.0.0.1,proxy', /“proxy” for --trust-proxy/],
	['serve --trust-proxy ::/0', /“::\/0” for --trust-proxy/],
	['serve --trust-proxy 10.0.0.0/33', /“10\.0\.0\.0\/33” for --trust-proxy/],
	['serve --tls-cert x.pem', /--tls-key/],
	['installed --profile=', 'The value for --profile is empty. Set the variable that it comes from, or leave --profile out.'],
	['disable --all --agent=', 'The value for --agent is empty. Set the variable that it comes from, or leave --agent out.'],
	['abilities restore pantry --version=', 'The value for --version is empty. Set the variable that it comes from.'],
	['agents --base-url nonsense', /not the address of a service/],
	['agents --base-url http://192.0.2.1', /--insecure-http/],
];

for (const [line, answer] of mistakes) {
	const words = typeof line === 'string' ? line.split(' ') : line;

	test(`“${words.join(' ')}” is a mistake that is explained, exit 2`, async () => {
		const result = await run(...words, '--json');
		const {kind, message} = lastError(result);
		assert.deepEqual([result.stdout, result.exitCode], ['', 2]);
		assert.match(kind, /^(?:usage|insecure)$/);
		if (typeof answer === 'string') {
			assert.equal(message, answer);
		} else {
			assert.match(message, answer);
		}
	});
}

test('an option without its value is explained, and a misplaced key is not repeated', async () => {
	const valueless = await run('--json', 'agents', '--profile');
	assert.deepEqual(
		[valueless.exitCode, valueless.stdout, lastError(valueless).message],
		[2, '', '--profile needs a value. Use: --profile <name> See: switchboard agents --help'],
	);
	const withKey = await run('agents', '--api-key=sk-0123456789');
	assert.deepEqual(
		[withKey.exitCode, withKey.stderr],
		[2, 'Unknown option --api-key for “switchboard agents”.\nList the options with: switchboard agents --help\n'],
	);
});

test('without --json a failure is a sentence and the next step', async () => {
	const {stderr, exitCode} = await run('agents');
	assert.equal(exitCode, 3);
	assert.match(stderr, /^No service is set up\.\nSign in: switchboard login\. To try the sample: switchboard --profile local installed\n$/);
});

test('the key of another client is pointed out', async () => {
	const other = createIsolatedHome();
	mkdirSync(path.join(other.folder, '.openhome'));
	writeFileSync(path.join(other.folder, '.openhome', 'config.json'), '{"api_key": "sk-other-client"}');
	const {stderr, exitCode} = await runCommand(['agents'], {env: other.env});
	assert.equal(exitCode, 3);
	assert.match(stderr, /~\/\.openhome\/config\.json/);
	assert.doesNotMatch(stderr, /sk-other/);
});

test('global options work before and after the command', async () => {
	const before_ = await runCommand(['--json', '--base-url', service.baseAddress, 'agents'], {
		env: {...home.env, SWITCHBOARD_API_KEY: service.apiKey},
	});
	const after_ = await runCommand(['agents', '--base-url', service.baseAddress, '--json'], {
		env: {...home.env, SWITCHBOARD_API_KEY: service.apiKey},
	});
	assert.match(before_.stdout, /"personality_id": 1/);
	assert.deepEqual(before_, after_);
});

test('--debug writes a private request log without the key and prints its path', async () => {
	const {stderr, exitCode} = await runCommand(['installed', '--debug'], {env: env()});
	const file = /^Request log: (?<file>.+)$/m.exec(stderr)?.groups?.['file'];
	const log = readFileSync(file!, 'utf8');
	assert.equal(exitCode, 0);
	assert.match(log, /^\d{4}-\S+Z GET http:\/\/127\.0\.0\.1:\d+\/api\/capabilities\/get-installed-capabilities\/ 200 \d+ ms$/m);
	assert.ok(!log.includes(service.apiKey));
	assert.equal((statSync(file!).mode % 0o1000).toString(8), '600');
});

/** Starts the program, with this for its standard output, and tells how it ended. */
function startOn(output: number | 'pipe' | 'ignore', ...words: readonly string[]) {
	const child = spawn(process.execPath, [programFile, ...words], {env: env(), stdio: ['ignore', output, 'pipe']});
	const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
	const said = text(child.stderr!);
	return {child, ended: async () => ({exitCode: (await closed)[0], stderr: await said})};
}

test('closing the output early is not a failure', async () => {
	service.abilities = Array.from({length: 20_000}, (_, index) => ({id: index + 1, name: `ability${index}`}));
	const {child, ended: toEnd} = startOn('pipe', 'abilities');
	const [line] = (await once(createInterface({input: child.stdout!}), 'line')) as [string];
	child.stdout!.destroy();
	assert.match(line, /^1\tability0\t/);
	assert.deepEqual(await toEnd(), {exitCode: 0, stderr: ''});
});

test('with --json, unwritable output is reported as a JSON error', async (t: TestContext) => {
	// A file that was opened for reading takes no output, as a full disk takes none.
	const output = openSync(programFile, 'r');
	t.after(() => closeSync(output));
	const {exitCode, stderr} = await startOn(output, 'profiles', '--json').ended();
	const error = lastError({stdout: '', stderr, exitCode, signal: null});
	assert.deepEqual([exitCode, error.kind], [1, 'unexpected']);
	assert.match(error.message, /^Cannot write to standard output: EBADF/);
});

test('output that finds no room is no-room, with a next step', {
	skip: !existsSync('/dev/full') && 'there is no /dev/full',
}, async (t: TestContext) => {
	const output = openSync('/dev/full', 'w');
	t.after(() => closeSync(output));
	const [message, nextStep] = [
		'There is no room for the output: the disk is full.',
		'Make room on it, or write the output to another place.',
	];
	assert.deepEqual(await startOn(output, 'profiles', '--json').ended(), {
		exitCode: 5,
		stderr: jsonError('no-room', `${message} ${nextStep}`),
	});
	assert.deepEqual(await startOn(output, '--version').ended(), {exitCode: 5, stderr: `${message}\n${nextStep}\n`});
});

test('a command that fails keeps its exit code when its output is closed', async () => {
	service.installed = Array.from({length: 3}, (_, index) => ({id: index + 1, name: `ability${index}`, enabled: true}));
	service.failNext({status: 500, times: 1, when: ({method}) => method === 'PUT'});
	const exitCodeOf = async (...words: readonly string[]): Promise<unknown> => {
		const {child, ended: toEnd} = startOn('pipe', ...words);
		// Nobody reads, from the beginning.
		child.stdout!.destroy();
		return (await toEnd()).exitCode;
	};

	assert.equal(await exitCodeOf('disable', '--all'), 6);
	assert.equal(service.installed.filter(entry => (entry as {readonly enabled: boolean}).enabled).length, 1);
	assert.equal(await exitCodeOf('disable', '--all', '--json'), 0);
	assert.equal(await exitCodeOf('installed', '--base-url', 'nonsense'), 2);
});

test('on a terminal a table has titles and fits the screen', async () => {
	service.abilities = [
		{
			id: 1,
			name: '長い名前のアビリティ'.repeat(4),
			category: 'skill',
			trigger_words: ['one phrase that is long', 'another one that is long as well'],
		},
		{id: 2, name: 'short', category: 'brain_skill', trigger_words: []},
	];
	await using terminal = openTerminal(['abilities'], {env: env(), columns: 60});
	await terminal.exited;
	const lines = terminal.screen().filter(line => line !== '');
	assert.equal(lines.length, 3);
	assert.match(lines[0]!, /^ID {2}NAME +INSTALLED +PHRASES$/);
	assert.match(lines[1]!, /…/);
	assert.match(lines[2]!, /^2 {3}short$/);
	assert.ok(terminal.output.includes('\u{1B}[1m'));
});

test('a mistake in the options of the UI is explained before anything is drawn', async () => {
	await using terminal = openPseudoTerminal({
		command: process.execPath,
		args: [programFile, '--timeout', 'soon'],
		env: env(),
		columns: 120,
	});
	assert.equal((await terminal.exited).exitCode, 2);
	assert.match(terminal.screen().join('\n'), /Invalid value “soon” for --timeout\.\nUse a number of seconds/);
	assert.equal(terminal.isAlternateScreen, false);
});

test('under an old Node.js the program says which version it needs', async () => {
	const pretend = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';
	const child = spawn(process.execPath, ['--import', pretend, programFile, 'agents'], {env: home.env, stdio: ['ignore', 'pipe', 'pipe']});
	const told = text(child.stderr);
	assert.deepEqual(await once(child, 'close'), [1, null]);
	assert.match(await told, /^switchboard needs Node\.js 24 or newer; this is 20\.1\.0\./);
});

/** Tells on standard error of each file that is loaded and holds one of these libraries: got, Ink, Fastify. */
const tellLibraries = `data:text/javascript,${encodeURIComponent(`
	import module from 'node:module';
	module.registerHooks({
		load(url, context, next) {
			const loaded = next(url, context);
			const source = String(loaded.source ?? '');
			if (['maxRedirects', 'ink-box', 'FST_ERR_CTP'].some(name => source.includes(name))) {
				process.stderr.write(url);
			}

			return loaded;
		},
	});
`)}`;

test('help, version and completion load neither the HTTP client, nor the screens, nor the service', async () => {
	const whatIsTold = async (...words: readonly string[]): Promise<string> => {
		const child = spawn(process.execPath, ['--import', tellLibraries, programFile, ...words], {
			env: env(),
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		return text(child.stderr);
	};

	assert.notEqual(await whatIsTold('agents'), '');
	assert.deepEqual(
		await Promise.all([
			whatIsTold('--help'),
			whatIsTold('help', 'filter'),
			whatIsTold('--version'),
			whatIsTold('completion', 'bash'),
			whatIsTold('__complete', 'en'),
		]),
		['', '', '', '', ''],
	);
});
