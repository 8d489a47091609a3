import {Buffer} from 'node:buffer';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {after, assert, path, process, test} from '../helpers/node.ts';
import {createIsolatedHome, lastError, openTerminal, parseJson, runCommand, startLiveLikeService} from './kit.ts';

const service = await startLiveLikeService();
after(async () => service.close());

const {apiKey, baseAddress} = service;
const sessionToken = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.c2lnbmF0dXJl`;
const tokenNote = (source: string): string =>
	`The key in ${source} looks like a session token of the dashboard, which is valid for a few minutes.\n`;

test('a key with quotes, a name or “export” around it is used without them, and that is said', async () => {
	const {env} = createIsolatedHome();
	const login = await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin'], {
		env,
		stdin: `export OPENHOME_API_KEY="${apiKey}"\n`,
	});
	assert.deepEqual([login.exitCode, login.stderr], [0, 'Removed what was around the key in standard input: “export”, “NAME=”, quotes.\n']);
	assert.equal((await runCommand(['installed'], {env})).exitCode, 0);
	for (const [variables, name] of [
		[{SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: `'${apiKey}'`}, 'SWITCHBOARD_API_KEY'],
		[{OPENHOME_API_BASE: baseAddress, OPENHOME_API_KEY: `"${apiKey}"`}, 'OPENHOME_API_KEY'],
	] as const) {
		const {exitCode, stderr} = await runCommand(['installed'], {env: {...createIsolatedHome().env, ...variables}});
		assert.deepEqual([exitCode, stderr], [0, `Removed what was around the key in ${name}: quotes.\n`]);
	}
});

test('a key with a break within is refused with that reason, and its parts are not joined', async () => {
	const {env} = createIsolatedHome();
	const before = service.requests.length;
	for (const stdin of [`${apiKey.slice(0, 9)}\n${apiKey.slice(9)}`, `"${apiKey.slice(0, 9)} ${apiKey.slice(9)}"`]) {
		const login = await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin', '--json'], {env, stdin});
		assert.deepEqual([login.exitCode, lastError(login).kind], [2, 'usage']);
		assert.match(lastError(login).message, /^Standard input is not a valid API key: there is a space or a line break within it\./);
		assert.ok(!login.stderr.includes(apiKey.slice(9)));
	}

	// As a terminal that marks pastes sends it, and as any other does.
	for (const [start, end] of [
		['\u{1B}[200~', '\u{1B}[201~\r'],
		['', '\r'],
	]) {
		await using terminal = openTerminal(['login', '--base-url', baseAddress], {env});
		await terminal.waitFor('API key:');
		terminal.write(`${start}${apiKey.slice(0, 9)}\r${apiKey.slice(9)}${end}`);
		assert.equal((await terminal.exited).exitCode, 2);
		assert.match(terminal.lines().join(' '), /The answer is not a valid API key: there is a space or a line break\s+within it/);
	}

	assert.equal(service.requests.length, before);
	const empty = await runCommand(['login', '--base-url', baseAddress, '--api-key-stdin'], {env, stdin: 'OPENHOME_API_KEY=\n'});
	assert.deepEqual([empty.exitCode, empty.stderr], [3, 'No key on standard input.\n']);
});

test('a session token in place of a key is asked about on a terminal, and noted in a pipe', async () => {
	const {env} = createIsolatedHome();
	const words = ['login', '--base-url', baseAddress];
	const before = service.requests.length;
	for (const [answer, exitCode] of [
		['n', 2],
		['y', 3],
	] as const) {
		await using terminal = openTerminal(words, {env, columns: 120});
		await terminal.waitFor('API key:');
		terminal.write(`${sessionToken}\r`);
		await terminal.waitFor('This looks like a session token of the dashboard, which is valid for a few minutes. Use it anyway? [y/N]');
		assert.equal(service.requests.length, before);
		terminal.write(`${answer}\r`);
		// The service knows no such key.
		assert.equal((await terminal.exited).exitCode, exitCode);
	}

	const piped = await runCommand([...words, '--api-key-stdin'], {env, stdin: sessionToken});
	assert.ok(piped.stderr.startsWith(tokenNote('standard input')), piped.stderr);
	const variable = await runCommand(['installed'], {env: {...env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: sessionToken}});
	assert.deepEqual([variable.exitCode, variable.stderr.startsWith(tokenNote('SWITCHBOARD_API_KEY'))], [3, true]);
	assert.ok(!(piped.stderr + variable.stderr).includes(sessionToken));
});

/** A home with the file of the other clients. */
function homeWith(text: string | object) {
	const {folder, env} = createIsolatedHome();
	const file = path.join(folder, '.openhome', 'config.json');
	mkdirSync(path.dirname(file), {mode: 0o700});
	writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text), {mode: 0o600});
	return {env, file};
}

const fromOpenHome = ['login', '--from-openhome'];

test('login --from-openhome shows the address and the end of the key, and asks before anything is sent', async () => {
	const {env} = homeWith({api_key: apiKey, api_base: `${baseAddress}/`});
	const question = `Sign in to ${baseAddress} with the key ending in 6789, both from ~/.openhome/config.json? [y/N]`;
	const before = service.requests.length;
	for (const [answer, exitCode] of [
		['n', 2],
		['y', 0],
	] as const) {
		await using terminal = openTerminal(fromOpenHome, {env, columns: 130});
		await terminal.waitFor(question);
		assert.equal(service.requests.length, before);
		terminal.write(`${answer}\r`);
		assert.equal((await terminal.exited).exitCode, exitCode);
	}

	assert.equal((await runCommand(['installed'], {env})).exitCode, 0);
});

test('in a pipe login --from-openhome needs --yes, and takes no other address or key', async () => {
	const {env} = homeWith({api_key: `"${apiKey}"`, api_base: baseAddress});
	const run = async (...words: readonly string[]) => runCommand([...fromOpenHome, '--json', ...words], {env, stdin: 'other-key'});
	for (const [words, message] of [
		[[], /^This needs a yes, and there is no terminal to ask on\. Add --yes/],
		[['--yes', '--base-url', baseAddress], /^--from-openhome and --base-url cannot be used together\./],
		[['--yes', '--api-key-stdin'], /^--from-openhome and --api-key-stdin cannot be used together\./],
	] as const) {
		const result = await run(...words);
		assert.deepEqual([result.exitCode, lastError(result).kind], [2, 'usage']);
		assert.match(lastError(result).message, message);
	}

	const done = await run('--yes', '--profile', 'home');
	assert.deepEqual([done.exitCode, parseJson(done.stdout)], [0, {profile: 'home', base_url: baseAddress}]);
	assert.match(done.stderr, /^Removed what was .*\nUsing \S+ with the key ending in 6789, both from ~\/\.openhome\/config\.json\.\n$/);
});

test('login --from-openhome refuses a file that cannot be trusted or read, and quotes none of it', async () => {
	const cases = [
		['{"api_key": "secret-012', 'usage', 'it holds no JSON object'],
		['["secret-0123"]', 'usage', 'it holds no JSON object'],
		[{api_key: 12_345_678}, 'usage', 'its “api_key” is not a text'],
		[{api_key: 'secret-0123', api_base: 'secret-0123'}, 'usage', 'its “api_base” is not the address of a service'],
		[{api_key: 'secret-0123', api_base: 'http://192.0.2.1'}, 'insecure', 'plain http'],
		[{api_key: 'secret 0123'}, 'usage', 'there is a space or a line break within it'],
		[{api_base: baseAddress}, 'no-key', 'There is no “api_key” in ~/.openhome/config.json'],
		[`{"api_key": "secret-0123"${' '.repeat(70_000)}}`, 'usage', 'it is larger than'],
	] as const;
	for (const [text, kind, message] of cases) {
		const result = await runCommand([...fromOpenHome, '--yes', '--json'], {env: homeWith(text).env});
		assert.deepEqual([result.stdout, lastError(result).kind], ['', kind]);
		assert.ok(lastError(result).message.includes(message), result.stderr);
		assert.ok(!result.stderr.includes('secret'), result.stderr);
	}

	const missing = await runCommand([...fromOpenHome, '--yes', '--json'], {env: createIsolatedHome().env});
	assert.deepEqual(lastError(missing).message, 'There is no ~/.openhome/config.json. Sign in with: switchboard login');
	if (process.platform !== 'win32') {
		const {env, file} = homeWith({api_key: apiKey, api_base: baseAddress});
		chmodSync(file, 0o622);
		const open = await runCommand([...fromOpenHome, '--yes', '--json'], {env});
		assert.equal(open.exitCode, 2);
		assert.match(lastError(open).message, /^~\/\.openhome\/config\.json cannot be used: others may write it; run: chmod go-w /);
	}
});
