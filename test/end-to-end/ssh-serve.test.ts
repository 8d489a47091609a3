import {after, assert, type Buffer, once, path, test} from '../helpers/node.ts';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {shareServedHome} from '../commands/served-home.ts';
import {fieldsOf} from '../helpers/fields-of.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {makeKey, openClient, runClient, startClient, type KeyPair} from '../ssh/ssh-client.ts';
import {startProgram} from './start-serve.ts';

const {home, baseAddress, apiKey} = await shareServedHome({after});

await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin', '--profile', 'default'], {env: home.env, stdin: apiKey});

async function startSshServe({env}: IsolatedHome, words: readonly string[] = []) {
	const server = await startProgram({env}, ['ssh-serve', '--port', '0', ...words]);
	assert.match(server.firstLine, /^listening on ssh:\/\/127\.0\.0\.1:\d+$/);
	return {...server, port: Number(server.firstLine.split(':').at(-1))};
}

const configFolder = ({env}: IsolatedHome): string => path.join(env['XDG_CONFIG_HOME']!, 'switchboard');

function authorize(of: IsolatedHome, lines: readonly string[]): void {
	mkdirSync(configFolder(of), {recursive: true, mode: 0o700});
	const file = path.join(configFolder(of), 'authorized_keys');
	writeFileSync(file, `${lines.join('\n')}\n`, {mode: 0o600});
	chmodSync(file, 0o600);
}

const ada = makeKey(home.folder, 'ada');
const bob = makeKey(home.folder, 'bob');
authorize(home, [ada.line, `read-only ${bob.line}`, `restrict ${bob.line}`]);

test('the server tells its address, its fingerprint, whom it lets in and which lines it refuses', async () => {
	await using server = await startSshServe(home, ['--profile', 'work']);
	await server.told('Warning: --profile has no effect here. Name the profile in the line of each key, as in profile="NAME".\n');
	assert.match(
		server.errors(),
		/^host key SHA256:\S{43}\n\S+authorized_keys: 2 keys\n\S+authorized_keys: line 3 lets nobody in: the option “restrict” has no meaning here/,
	);
});

test('commands run with standard input, output, error and exit code as they are', async () => {
	await using server = await startSshServe(home);
	const listed = await runClient({port: server.port, key: ada}, ['installed', '--json']);
	assert.deepEqual({stderr: listed.stderr, exitCode: listed.exitCode}, {stderr: '', exitCode: 0});
	assert.equal((JSON.parse(listed.stdout) as readonly unknown[]).length, 12);
	const exported = await runClient({port: server.port, key: ada}, ['export']);
	const applied = await runClient({port: server.port, key: ada}, ['apply', '-', '--yes'], exported.stdout);
	assert.deepEqual({stdout: applied.stdout, exitCode: applied.exitCode}, {stdout: 'Nothing to do: 15 unchanged.\n', exitCode: 0});
	const unsure = await runClient({port: server.port, key: ada}, ['apply', '-'], 'version: 1\ninstalled: {pantry: off}\n');
	assert.equal(unsure.exitCode, 2);
	assert.match(unsure.stderr, /--yes/);
	assert.equal((await runClient({port: server.port, key: ada}, ['enable', 'nothing-like-it'])).exitCode, 4);
	const refused = await runClient({port: server.port, key: bob}, ['enable', 'nightwatch']);
	assert.deepEqual(
		{...refused, stderr: refused.stderr.split('\n', 1)[0]},
		{stdout: '', stderr: 'Your key may only read here: nothing was changed.', exitCode: 2},
	);
	assert.equal((await runClient({port: server.port, key: ada}, ['login'])).exitCode, 2);
	await server.told('login');
	assert.match(server.errors(), /SHA256:\S{43} "ada" from 127\.0\.0\.1: enable, \d+\.\d s, exit code 4\n/);
	assert.doesNotMatch(server.errors(), /nothing-like-it|pantry/);
});

test('people talk to agents over SSH, in a terminal and in a pipe, unless their key may only read', async () => {
	await using server = await startSshServe(home);
	const own = {port: server.port, key: ada};
	const answer = 'This would start goodnight (skill). Abilities are not run here.\n';
	assert.deepEqual(await runClient(own, ['say', 'good', 'night', '--agent', 'Hearth']), {stdout: answer, stderr: '', exitCode: 0});
	assert.deepEqual(await runClient(own, ['chat', 'Hearth'], 'good night\nno such words\n'), {
		stdout: `${answer}No ability has this phrase.\n`,
		stderr: '',
		exitCode: 0,
	});
	const columns = ['--columns', 'ability,phrase,result'];
	assert.deepEqual(
		await runClient(own, ['test', '--state', '-', '--yes', '--pause', '0', ...columns], 'version: 1\ninstalled: {morninglights: on}\n'),
		{stdout: 'morninglights\tgood morning\tnamed\nmorninglights\twake the house\tnamed\n', stderr: '', exitCode: 0},
	);
	await using chat = openClient({...own, words: ['-t']}, ['chat', 'Hearth']);
	await chat.waitFor('Hearth: This is Hearth.');
	chat.write('good night');
	await chat.press('enter').waitFor(`Hearth: ${answer}>`);
	await using logs = openClient({port: server.port, key: bob, words: ['-t']}, ['logs', 'Hearth']);
	await logs.waitFor('Listening. Press Ctrl+C to stop.');
	chat.press('up', 'enter');
	await logs.waitFor(/\d\d:\d\d:\d\d {2}info {7}“good night” would start goodnight\./);
	for (const terminal of [chat, logs]) {
		assert.equal((await terminal.press('ctrl+c').exited).exitCode, 0);
	}

	await server.told(': chat, ');
	assert.doesNotMatch(server.errors(), /good night/);
});

test('with --log json, all that is written to standard error is an object a line', async () => {
	await using server = await startSshServe(home, ['--log', 'json']);
	await runClient({port: server.port, key: ada}, ['version']);
	await runClient({port: server.port, key: makeKey(home.folder, 'eve')}, ['version']);
	await server.told(/"ended".*\n.*"refused".*\n$/);
	const entries = server
		.errors()
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line) as Readonly<Record<string, unknown>>);
	assert.match(String(entries[0]!['message']), /^host key SHA256:/);
	const events = entries.filter(({event}) => event !== undefined);
	assert.deepEqual(fieldsOf(events, 'event', 'person', 'command', 'exit_code'), [
		['ended', 'ada', 'version', 0],
		['refused', 'somebody', undefined, undefined],
	]);
	assert.ok(entries.every(({time}) => new Date(String(time)).toISOString() === time));
	const wrong = await runCommand(['ssh-serve', '--port', '0', '--log', 'xml'], {env: home.env});
	assert.deepEqual([wrong.exitCode, wrong.stderr.split('\n', 1)[0]], [2, 'Invalid value “xml” for --log.']);
});

test('the screens open beside each other, for a key that may change and one that may only read', async () => {
	await using server = await startSshServe(home);
	await using writer = openClient({port: server.port, key: ada});
	await using reader = openClient({port: server.port, key: bob, columns: 40, rows: 10});
	await Promise.all([writer.waitFor('live'), reader.waitFor('live')]);
	await writer.press('j', 'space').waitFor(/> on +nightwatch/);
	await reader.press('r').waitFor(/on +nightwatch/);
	await reader.press('j', 'space').waitFor(/read/i);
	await writer.press('space').waitFor(/> off +nightwatch/);
	await writer.resize(40, 10).waitFor(lines => lines.length === 10 && lines.some(line => /> off +nightwatch/.test(line)));
	assert.equal((await writer.press('q').exited).exitCode, 0);
	assert.equal(writer.isAlternateScreen, false);
	assert.equal((await server.stop('SIGTERM')).exitCode, 0);
	assert.equal((await reader.exited).exitCode, 143);
	assert.equal(reader.isAlternateScreen, false);
	assert.match(reader.screen().join(' '), /The server is shutting down\./);
});

for (const [words, sentence] of [
	[['logout', '--profile', 'default'], 'was removed from this server, or signed out.'],
	[['login', '--profile', 'default'], 'was changed on this server.'],
] as const) {
	test(`after ${words[0]} ${words[1]} on the server the sessions of that profile end, and those of others go on`, async () => {
		const own = createIsolatedHome();
		const login = async (profile: string, key = apiKey): Promise<void> => {
			const {exitCode} = await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin', '--profile', profile], {
				env: own.env,
				stdin: key,
			});
			assert.equal(exitCode, 0);
		};

		await login('other');
		await login('default');
		authorize(own, [ada.line, `profile="other" ${bob.line}`]);
		await using server = await startSshServe(own);
		await using ui = openClient({port: server.port, key: ada});
		await using other = openClient({port: server.port, key: bob});
		const watching = startClient({port: server.port, key: ada}, ['watch', '--json']);
		let errors = '';
		watching.stderr.on('data', (chunk: Buffer) => {
			errors += chunk.toString();
		});
		const watchEnded = once(watching, 'close') as Promise<[number | null]>;
		await Promise.all([ui.waitFor('live'), other.waitFor('live')]);
		if (words[0] === 'login') {
			const created = await runCommand(['keys', 'create'], {env: home.env});
			await login('default', created.stdout);
		} else {
			assert.equal((await runCommand(words, {env: own.env})).exitCode, 0);
		}

		assert.equal((await ui.exited).exitCode, 3);
		assert.equal(ui.isAlternateScreen, false);
		assert.ok(ui.screen().join(' ').includes(`Your profile “default” ${sentence}`));
		const [exitCode] = await watchEnded;
		assert.equal(exitCode, 3);
		assert.ok(errors.includes(sentence), errors);
		await other.press('j', 'space').waitFor(/saved|on +nightwatch|off +nightwatch/);
		assert.equal((await other.press('q').exited).exitCode, 0);
	});
}

test('when the service refuses the key of a profile, its sessions end with a sentence', async () => {
	const own = createIsolatedHome();
	const created = await runCommand(['keys', 'create', '--name', 'for ssh'], {env: home.env});
	await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin', '--profile', 'default'], {env: own.env, stdin: created.stdout});
	authorize(own, [ada.line]);
	await using server = await startSshServe(own);
	await using ui = openClient({port: server.port, key: ada});
	const watching = startClient({port: server.port, key: ada}, ['watch', '--json']);
	const watchEnded = once(watching, 'close') as Promise<[number | null]>;
	await ui.waitFor('live');
	assert.equal((await runCommand(['keys', 'revoke', 'for ssh'], {env: home.env})).exitCode, 0);
	assert.equal((await ui.exited).exitCode, 3);
	assert.equal(ui.isAlternateScreen, false);
	assert.match(ui.screen().join(' '), /The service refused the API key of the profile “default”.* Tell the administrator of this server\./);
	const [exitCode] = await watchEnded;
	assert.equal(exitCode, 3);
});

test('without a file nobody is let in, and how to let somebody in is told; it counts as soon as it is there', async () => {
	const empty = createIsolatedHome();
	await using server = await startSshServe(empty);
	await server.told('No key is listed yet. Append a public key');
	const key: KeyPair = makeKey(empty.folder, 'eve');
	assert.equal((await runClient({port: server.port, key}, ['installed'])).exitCode, 255);
	authorize(empty, [key.line]);
	const {stderr, exitCode} = await runClient({port: server.port, key}, ['installed']);
	assert.match(stderr, /The profile “default” does not exist here/);
	assert.equal(exitCode, 4);
});

test('where all keys are refused, the reason is told, and not to append another key', async () => {
	const own = createIsolatedHome();
	const key = makeKey(own.folder, 'eve');
	authorize(own, [`restrict ${key.line}`]);
	await using server = await startSshServe(own);
	await server.told('line 1 lets nobody in: the option “restrict” has no meaning here');
	assert.equal((await runClient({port: server.port, key}, ['installed'])).exitCode, 255);
	await server.told('refused "');
	assert.ok(!server.errors().includes('No key is listed yet'), server.errors());
});

test('a host key that others can read, and a port that is taken, are refused', async () => {
	await using server = await startSshServe(home);
	const taken = await runCommand(['ssh-serve', '--port', String(server.port)], {env: home.env});
	assert.deepEqual(
		{stderr: taken.stderr.split('\n', 1)[0], exitCode: taken.exitCode},
		{stderr: `Another program already listens on port ${server.port} of 127.0.0.1.`, exitCode: 2},
	);
	const file = path.join(home.folder, 'open_key');
	writeFileSync(file, '');
	chmodSync(file, 0o644);
	const open = await runCommand(['ssh-serve', '--host-key', file], {env: home.env});
	assert.equal(open.exitCode, 2);
	assert.match(open.stderr, /others may read it; run: chmod 600/);
});
