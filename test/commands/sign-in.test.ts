import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {mkdirSync, readFileSync, rmdirSync, statSync, symlinkSync, unlinkSync, writeFileSync} from 'node:fs';
import {type CommandResult} from '../helpers/run-command.ts';
import {createIsolatedHome, ended, json, lastError, openTerminal, parseJson, runCommand, startLiveLike} from './kit.ts';

async function start(t: TestContext) {
	const {home, service} = await startLiveLike(t);
	const file = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard', 'config.json');
	return {
		home,
		service,
		file,
		run: async (words: readonly string[], stdin?: string): Promise<CommandResult> => runCommand(words, {env: home.env, stdin}),
		/** Signs in under a name, with the key on standard input. */
		signIn: async (name: string): Promise<CommandResult> =>
			runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', name], {
				env: home.env,
				stdin: `${service.apiKey}\n`,
			}),
	};
}

test('login stores an accepted key with its address, and commands use both', async (t: TestContext) => {
	const {run, service, file} = await start(t);
	const login = await run(['login', '--base-url', `${service.baseAddress}/`, '--api-key-stdin', '--json'], `${service.apiKey}\n`);
	const name = service.baseAddress.replace('http://', '').replace(':', '-');
	assert.deepEqual([login.exitCode, parseJson(login.stdout)], [0, {profile: name, base_url: service.baseAddress}]);
	assert.deepEqual(parseJson((await run(['profiles', '--json'])).stdout), [
		{name, base_url: service.baseAddress, current: true, key_last4: service.apiKey.slice(-4), in_use: true},
	]);
	assert.equal((await run(['installed'])).exitCode, 0);
	assert.equal((statSync(file).mode % 0o1000).toString(8), '600');
});

test('once the bundled service has a home, a command without a service names it first, unless a profile is stored', async (t: TestContext) => {
	const {run, signIn} = await start(t);
	const signInHint = 'Sign in: switchboard login. To try the sample: switchboard --profile local installed';
	const hint = 'To use the bundled service on this machine, run: switchboard profiles use local';
	assert.deepEqual(await run(['installed']), ended(3, '', `No service is set up.\n${signInHint}\n`));
	await run(['keys', 'create']);
	assert.deepEqual(await run(['installed']), ended(3, '', `No service is set up.\n${hint}\n${signInHint}\n`));
	const asJson = await run(['installed', '--json']);
	assert.deepEqual([asJson.exitCode, lastError(asJson)], [3, {kind: 'no-key', message: `No service is set up. ${hint} ${signInHint}`}]);
	await signIn('one');
	await signIn('two');
	await run(['profiles', 'remove', 'two']);
	assert.deepEqual(await run(['installed']), ended(3, '', `No service is set up.\n${signInHint}\n`));
});

test('on a terminal profiles lists the bundled service too, and data stays as it is', async (t: TestContext) => {
	const {run, signIn, home} = await start(t);
	const show = async (...words: readonly string[]): Promise<readonly string[]> => {
		await using terminal = openTerminal(['profiles', ...words], {env: home.env, columns: 120});
		await terminal.exited;
		return terminal.lines().map(line => line.trimEnd());
	};

	assert.deepEqual(await show(), [
		'   PROFILE  ADDRESS                              KEY',
		'   local    the bundled service on this machine  not needed',
		'There are no other profiles. Create one with: switchboard login',
	]);
	assert.deepEqual(await show('--format', 'tsv'), ['There are no profiles. Create one with: switchboard login']);
	assert.deepEqual(await show('--json'), ['[]']);
	assert.deepEqual(await run(['profiles']), ended(0, '', 'There are no profiles. Create one with: switchboard login\n'));
	await signIn('work');
	const [, work, local, ...others] = await show();
	assert.match(work!, /^> {2}work {2}/);
	assert.deepEqual([local, others], ['   local    the bundled service on this machine  not needed', []]);
	await run(['profiles', 'use', 'local']);
	assert.match((await run(['profiles'])).stdout, /^\twork\t.*\n>\tlocal\t/);
});

test('login with a refused key is exit 3 and stores nothing', async (t: TestContext) => {
	const {run, service} = await start(t);
	const login = await run(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--json'], 'sk-wrong-0123456789');
	assert.deepEqual([login.exitCode, login.stdout, lastError(login).kind], [3, '', 'key-refused']);
	assert.doesNotMatch(login.stderr, /sk-wrong/);
	assert.deepEqual(parseJson((await run(['profiles', '--json'])).stdout), []);
});

test('login stores no unreachable address and no plain http to another machine', async (t: TestContext) => {
	const {run, service} = await start(t);
	const wrongPath = await run(['login', '--base-url', `${service.baseAddress}/elsewhere`, '--api-key-stdin'], service.apiKey);
	assert.notEqual(wrongPath.exitCode, 0);
	const insecure = await run(['login', '--base-url', 'http://192.0.2.1', '--api-key-stdin', '--json'], service.apiKey);
	assert.deepEqual([insecure.exitCode, lastError(insecure).kind], [2, 'insecure']);
	assert.deepEqual(parseJson((await run(['profiles', '--json'])).stdout), []);
});

test('login gives an address without a scheme one, and says so before it asks the service', async (t: TestContext) => {
	const {run, service} = await start(t);
	const login = await run(
		['login', '--base-url', service.baseAddress.replace('http://', ''), '--api-key-stdin', '--profile', 'home'],
		service.apiKey,
	);
	assert.equal(login.exitCode, 0, login.stderr);
	assert.ok(login.stderr.startsWith(`Using ${service.baseAddress}\n`), login.stderr);
	const refused = await run(['login', '--base-url', 'me:secret@voice.example.com', '--api-key-stdin'], service.apiKey);
	assert.deepEqual([refused.exitCode, refused.stderr.includes('secret')], [2, false]);
});

test('without a terminal or a key, login says how to give one', async (t: TestContext) => {
	const {run, service} = await start(t);
	const login = await run(['login', '--base-url', service.baseAddress]);
	assert.equal(login.exitCode, 3);
	assert.match(login.stderr, /--api-key-stdin/);
});

test('profiles use changes the current profile, logout removes its key, profiles remove the profile', async (t: TestContext) => {
	const {run, signIn, service, file} = await start(t);
	await signIn('one');
	await signIn('two');
	const used = await run(['profiles', 'use', 'one', '--json']);
	assert.deepEqual(
		(parseJson(used.stdout) as ReadonlyArray<{readonly name: string; readonly current: boolean}>).map(({name, current}) => [name, current]),
		[
			['one', true],
			['two', false],
		],
	);
	assert.deepEqual(parseJson((await run(['logout', '--json'])).stdout), {
		profile: 'one',
		base_url: service.baseAddress,
		prompts: {kept: 0, deleted: 0},
	});
	assert.match((await run(['profiles'])).stdout, /^>\tone\t[^\t]*\tsigned out\n\ttwo\t[^\t]*\t…6789\n$/);
	const refused = await run(['installed', '--json']);
	assert.deepEqual([refused.exitCode, lastError(refused).kind], [3, 'no-key']);
	assert.match(lastError(refused).message, /switchboard login --profile one/);
	await run(['profiles', 'remove', 'two']);
	assert.doesNotMatch(readFileSync(file, 'utf8'), /two|live-like-key/);
});

test('a dry run of login, logout and profiles changes no settings, and fails where they would', async (t: TestContext) => {
	const {run, signIn, service, file} = await start(t);
	const note = 'Nothing was changed: this was a dry run.\n';
	const login = ['login', '--base-url', service.baseAddress, '--api-key-stdin', '--dry-run'];
	assert.deepEqual(
		await run([...login, '--profile', 'one', '--json'], service.apiKey),
		ended(0, json({profile: 'one', base_url: service.baseAddress}), note),
	);
	assert.match((await run(login, service.apiKey)).stdout, /^Would sign in to /);
	assert.equal((await run(login, 'sk-wrong-0123456789')).exitCode, 3);
	assert.deepEqual(parseJson((await run(['profiles', '--json'])).stdout), []);

	await signIn('one');
	await signIn('two');
	const before = readFileSync(file, 'utf8');
	assert.deepEqual(await run(['logout', '--dry-run']), ended(0, 'Would sign out: remove the key of the profile “two”.\n', note));
	const used = await run(['profiles', 'use', 'one', '--dry-run']);
	assert.match(used.stdout, /^>\tone\t.*\n\ttwo\t/);
	assert.equal(used.stderr, note);
	assert.match((await run(['profiles', 'remove', 'two', '--dry-run'])).stdout, /^\tone\t.*\n$/);
	for (const words of [
		['use', 'three'],
		['remove', 'three'],
		['remove', 'local'],
	]) {
		const [dry, real] = [await run(['profiles', ...words, '--dry-run']), await run(['profiles', ...words])];
		assert.notEqual(dry.exitCode, 0);
		assert.deepEqual(dry, real);
	}

	assert.equal(readFileSync(file, 'utf8'), before);
});

test('logout with an address removes only the key of that address', async (t: TestContext) => {
	const {run, signIn, service, file} = await start(t);
	const elsewhere = await run(['logout', '--base-url', service.baseAddress, '--json']);
	assert.deepEqual([elsewhere.exitCode, lastError(elsewhere).kind], [2, 'usage']);
	await signIn('one');
	await signIn('two');
	assert.deepEqual(parseJson((await run(['logout', '--base-url', `${service.baseAddress}/`, '--json'])).stdout), {
		profile: 'two',
		base_url: service.baseAddress,
		prompts: {kept: 0, deleted: 0},
	});
	await run(['profiles', 'use', 'local']);
	const several = await run(['logout', '--base-url', service.baseAddress, '--json']);
	assert.deepEqual([several.exitCode, lastError(several).kind], [2, 'ambiguous']);
	assert.match(lastError(several).message, /one, two/);
	await run(['profiles', 'remove', 'two']);
	assert.equal((await run(['logout', '--base-url', service.baseAddress])).exitCode, 0);
	assert.ok(!readFileSync(file, 'utf8').includes(service.apiKey));
});

test('“local” is the bundled service, and no other profile can have its name', async (t: TestContext) => {
	const {run, signIn} = await start(t);
	assert.equal((await signIn('local')).exitCode, 2);
	assert.equal((await run(['profiles', 'use', 'local'])).exitCode, 0);
	const installed = await run(['installed']);
	assert.match(installed.stdout, /\tnightwatch\t/);
	assert.equal((await run(['logout'])).exitCode, 2);
});

test('a broken settings file is moved away and reported, and the command goes on', async (t: TestContext) => {
	const {run, signIn, service, file} = await start(t);
	await signIn('one');
	writeFileSync(file, '{"profiles"');
	const result = await runCommand(['installed'], {
		env: {
			...createIsolatedHome().env,
			XDG_CONFIG_HOME: path.dirname(path.dirname(file)),
			SWITCHBOARD_BASE_URL: service.baseAddress,
			SWITCHBOARD_API_KEY: service.apiKey,
		},
	});
	assert.equal(result.exitCode, 0);
	assert.match(result.stderr, /set aside as .*config\.json\.broken-/);
	assert.equal((await run(['profiles'])).stdout, '');
});

test('login fails with the reason if nothing can be stored', async (t: TestContext) => {
	const {home, signIn} = await start(t);
	writeFileSync(path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard'), '');
	const login = await signIn('one');
	assert.deepEqual([login.exitCode, login.stdout], [1, '']);
	assert.match(login.stderr, /could not be stored: not a directory\.\nMake the settings folder writable, or set /);
});

test('login and profiles say what is wrong with the lock of the settings, or with a link in their place', async (t: TestContext) => {
	const {run, signIn, file} = await start(t);
	await signIn('one');
	mkdirSync(`${file}.lock`);
	const lock = `${file}.lock is not a regular file; remove it.`;
	assert.equal((await run(['profiles', 'use', 'local'])).stderr, `The change could not be stored: ${lock}\nFix that, then try again.\n`);
	assert.ok((await signIn('two')).stderr.startsWith(`The key was accepted, but could not be stored: ${lock}\n`));
	rmdirSync(`${file}.lock`);
	unlinkSync(file);
	symlinkSync('missing.json', file);
	const login = await signIn('one');
	assert.equal(login.exitCode, 1);
	assert.match(
		login.stderr,
		/could not be stored: \S+ is a link to a file that does not exist\.\nRemove the link, or put the file there, or set /,
	);
});

test('login without an address uses that of the current profile', async (t: TestContext) => {
	const {home, run, signIn, service} = await start(t);
	await signIn('one');
	await run(['logout']);
	const login = await runCommand(['login', '--api-key-stdin', '--json'], {
		env: {...home.env, OPENHOME_API_BASE: 'http://127.0.0.1:1'},
		stdin: service.apiKey,
	});
	assert.deepEqual([login.exitCode, parseJson(login.stdout)], [0, {profile: 'one', base_url: service.baseAddress}]);
	const elsewhere = await runCommand(['login', '--api-key-stdin', '--json'], {
		env: {...home.env, SWITCHBOARD_BASE_URL: 'http://127.0.0.1:1'},
		stdin: service.apiKey,
	});
	assert.deepEqual([elsewhere.exitCode, lastError(elsewhere).kind], [5, 'unreachable']);
});

test('on a terminal login asks for address and key, and never shows the key', async (t: TestContext) => {
	const {home, service, run} = await start(t);
	await using terminal = openTerminal(['login'], {env: home.env, columns: 100});
	await terminal.waitFor('Address of the service [https://app.openhome.com]:');
	terminal.write(`${service.baseAddress}\r`);
	await terminal.waitFor('API key:');
	terminal.write(service.apiKey.slice(0, 8));
	await terminal.waitFor('API key: ••••••••');
	terminal.write(`${service.apiKey.slice(8)}\r`);
	await terminal.waitFor('Signed in to');
	assert.equal((await terminal.exited).exitCode, 0);
	assert.ok(!terminal.output.includes(service.apiKey.slice(0, 8)));
	assert.match((await run(['profiles'])).stdout, /…6789/);
});

test('Ctrl+C at a question of login stores nothing and is told in a line of its own', async (t: TestContext) => {
	const {home, run, service} = await start(t);
	for (const [words, question] of [
		[[], 'Address of the service [https://app.openhome.com]:'],
		[['--base-url', service.baseAddress], 'API key:'],
	] as const) {
		await using terminal = openTerminal(['login', ...words], {env: home.env});
		await terminal.waitFor(question);
		terminal.press('ctrl+c');
		assert.equal((await terminal.exited).exitCode, 130);
		assert.deepEqual(terminal.lines(), [question, 'Interrupted.']);
	}

	assert.deepEqual(parseJson((await run(['profiles', '--json'])).stdout), []);
});
