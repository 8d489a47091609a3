import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {test, type TestContext} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';
import {lastError, parseJson} from './served-home.ts';

const startServing = async ({env}: IsolatedHome, ...words: readonly string[]) => {
	const child = spawn(process.execPath, [programFile, 'serve', '--port', '0', ...words], {env, stdio: ['ignore', 'pipe', 'pipe']});
	const told = text(child.stderr);
	const exited = once(child, 'exit');
	const [firstLine] = await once(createInterface({input: child.stdout}), 'line') as [string];
	return {
		firstLine,
		baseAddress: firstLine.replace('listening on ', ''),
		/** Ends it, and gives back how it ended and what it said. */
		async stop(signal: NodeJS.Signals) {
			child.kill(signal);
			const [exitCode] = await exited as [number | null];
			return {exitCode, stderr: await told};
		},
	};
};

test('keys create prints the key alone, once; list and revoke never show it', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env});
	const created = await run('keys', 'create', '--name', 'ci');
	t.assert.match(created.stdout, /^\S{20,}\n$/);
	t.assert.match(created.stderr, /“ci”.*“default”/);
	const other = parseJson((await run('keys', 'create', '--account', 'guest', '--json')).stdout) as {key: string; id: number; account: string};
	t.assert.strictEqual(other.account, 'guest');
	const listed = await run('keys', 'list', '--json');
	t.assert.deepStrictEqual((parseJson(listed.stdout) as ReadonlyArray<{name: string; account: string}>).map(({name, account}) => [name, account]), [['ci', 'default'], ['key 1', 'guest']]);
	t.assert.ok(!listed.stdout.includes(created.stdout.trim()));
	t.assert.deepStrictEqual(parseJson((await run('keys', 'revoke', 'ci', '--json')).stdout), [{id: 1, revoked: true}]);
	const gone = await run('keys', 'revoke', 'ci', '--json');
	t.assert.deepStrictEqual([gone.exitCode, lastError(gone).kind], [4, 'not-found']);
	t.assert.strictEqual((await run('keys', 'list')).stdout.split('\t', 2)[1], 'key 1');
	const refused = await run('keys', 'create', '--read-only');
	t.assert.strictEqual(refused.exitCode, 2);
});

test('--data keeps keys and records in a folder of their own', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const data = path.join(home.folder, 'elsewhere');
	await runCommand(['keys', 'create', '--data', data], {env: home.env});
	t.assert.ok(existsSync(path.join(data, 'switchboard.db')));
	t.assert.strictEqual((await runCommand(['keys', 'list'], {env: home.env})).stdout, '');
});

// Where there is no /proc, the folder is merely one that cannot be made.
test('a data folder that cannot be used is explained, and holds nothing up', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const file = path.join(home.folder, 'file');
	writeFileSync(file, '');
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env, deadlineMilliseconds: 20_000});
	const listed = await runCommand(['keys', 'list', '--json'], {env: {...home.env, XDG_DATA_HOME: '/proc/nobody/data'}, deadlineMilliseconds: 20_000});
	t.assert.deepStrictEqual([listed.exitCode, listed.stdout, lastError(listed).kind], [1, '', 'unexpected']);
	const advice = 'Choose another place for it with XDG_DATA_HOME or, for serve and keys, with --data.';
	t.assert.match(lastError(listed).message, /^The data folder \/proc\/nobody\/data\/switchboard cannot be used: /);
	t.assert.ok(lastError(listed).message.endsWith(` ${advice}`), lastError(listed).message);
	// It has no --data.
	const agents = await runCommand(['agents', '--profile', 'local'], {env: {...home.env, XDG_DATA_HOME: file}, deadlineMilliseconds: 20_000});
	t.assert.ok(agents.stderr.endsWith(`\n${advice}\n`), agents.stderr);
	const served = await run('serve', '--port', '0', '--data', path.join(file, 'below'));
	t.assert.deepStrictEqual([served.exitCode, served.stdout], [1, '']);
	t.assert.match(served.stderr, /^The data folder .* cannot be used: /);
	const inPlace = await run('keys', 'list', '--data', file);
	t.assert.deepStrictEqual([inPlace.exitCode, inPlace.stderr], [2, `${file} is no folder.\nChoose a folder of its own with --data.\n`]);
});

for (const words of [['serve', '--port', '0', '--host', ''], ['serve', '--port', '0', '--data', ''], ['keys', 'create', '--data', '']]) {
	test(`“${words.join(' ')}”, as an unset variable gives it, is a mistake, and nothing is opened or made`, async (t: TestContext) => {
		await using home = await createIsolatedHome();
		const result = await runCommand([...words, '--json'], {env: home.env, cwd: home.folder, deadlineMilliseconds: 20_000});
		t.assert.deepStrictEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'usage']);
		t.assert.strictEqual(existsSync(path.join(home.folder, 'switchboard.db')), false);
	});
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	test(`serve says where it listens in its first line, and ${signal} stops it cleanly`, async (t: TestContext) => {
		await using home = await createIsolatedHome();
		const service = await startServing(home);
		t.assert.match(service.firstLine, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
		t.assert.deepStrictEqual(await service.stop(signal), {exitCode: 0, stderr: ''});
	});
}

test('a key works over the network while serve runs, and stops working when it is revoked', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const service = await startServing(home, '--sample');
	const {stdout} = await runCommand(['keys', 'create', '--name', 'ci'], {env: home.env});
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: stdout.trim()};
	t.assert.strictEqual((await runCommand(['toggle', 'nightwatch'], {env})).stdout.split('\t', 2)[1], 'on');
	t.assert.match((await runCommand(['installed'], {env})).stdout, /\ton\tnightwatch\t/);
	await runCommand(['keys', 'revoke', 'ci'], {env: home.env});
	t.assert.strictEqual((await runCommand(['installed'], {env})).exitCode, 3);
	await service.stop('SIGTERM');
});

test('serve warns where others can reach it without TLS, and says that --sample found records already', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const first = await startServing(home, '--sample');
	await first.stop('SIGTERM');
	const second = await startServing(home, '--sample', '--host', '0.0.0.0');
	const {stderr} = await second.stop('SIGTERM');
	t.assert.match(stderr, /not empty/);
	t.assert.match(stderr, /Warning: .*TLS/);
});

test('serve speaks https with a certificate', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const certificate = path.join(home.folder, 'certificate.pem');
	const key = path.join(home.folder, 'key.pem');
	try {
		execFileSync('openssl', [
			'req',
			'-x509',
			'-newkey',
			'rsa:2048',
			'-nodes',
			'-days',
			'1',
			'-subj',
			'/CN=localhost',
			'-addext',
			'subjectAltName=IP:127.0.0.1',
			'-keyout',
			key,
			'-out',
			certificate,
		], {stdio: 'ignore'});
	} catch {
		t.skip('openssl is not there to make a certificate');
		return;
	}

	const service = await startServing(home, '--tls-cert', certificate, '--tls-key', key);
	t.assert.match(service.firstLine, /^listening on https:\/\/127\.0\.0\.1:\d+$/);
	const {stdout} = await runCommand(['keys', 'create'], {env: home.env});
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: stdout.trim()};
	t.assert.strictEqual((await runCommand(['agents'], {env: {...env, NODE_EXTRA_CA_CERTS: certificate}})).exitCode, 0);
	t.assert.strictEqual((await runCommand(['agents'], {env})).exitCode, 5);
	await service.stop('SIGTERM');
	t.assert.ok(readFileSync(certificate, 'utf8').startsWith('-----BEGIN'));
});

test('serve --read-only shows everything and refuses what changes something: exit 2, read-only', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const key = (await runCommand(['keys', 'create'], {env: home.env})).stdout.trim();
	const serving = await startServing(home, '--sample', '--read-only');
	const run = async (...words: readonly string[]) => runCommand(words, {env: {...home.env, SWITCHBOARD_BASE_URL: serving.baseAddress, SWITCHBOARD_API_KEY: key}});
	const before = await run('installed');
	t.assert.match(before.stdout, /\ton\tmorninglights\t/);
	const results = [
		await run('disable', 'morninglights', '--json'),
		await run('agents', 'edit', 'Hearth', '--name', 'Hob', '--json'),
		await run('abilities', 'delete', 'pantry', '--yes', '--json'),
	];
	t.assert.deepStrictEqual(results.map(result => [result.exitCode, lastError(result).kind]), results.map(() => [2, 'read-only']));
	t.assert.match(lastError(results[1]!).message, /^The service is read-only: It was started with --read-only, so nothing can be changed here\. Make the change on another service/);
	t.assert.deepStrictEqual(await run('installed'), before);
	t.assert.strictEqual((await serving.stop('SIGTERM')).exitCode, 0);
});

test('--rate-limit limits the requests of a minute and key; off does not', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const {stdout} = await runCommand(['keys', 'create'], {env: home.env});
	const service = await startServing(home, '--rate-limit', '2');
	const get = async () => fetch(`${service.baseAddress}/api/personalities/get-all-personalities/`, {headers: {'x-api-key': stdout.trim()}});
	const answers = await Promise.all([get(), get(), get()]);
	t.assert.deepStrictEqual(answers.map(({status}) => status).toSorted((first, second) => first - second), [200, 200, 429]);
	await service.stop('SIGTERM');
});

test('a port that is taken is a mistake that is explained', async (t: TestContext) => {
	await using home = await createIsolatedHome();
	const service = await startServing(home);
	const second = await runCommand(['serve', '--port', new URL(service.baseAddress).port], {env: home.env});
	t.assert.deepStrictEqual([second.exitCode, second.stdout], [2, '']);
	t.assert.match(second.stderr, /already listens/);
	await service.stop('SIGTERM');
});
