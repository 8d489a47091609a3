import {assert, path, process, spawnSync, test} from '../helpers/node.ts';
import {createPrivateKey, generateKeyPairSync} from 'node:crypto';
import {chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {keysCreateAt} from '../../source/commands/database-option.ts';
import {defaultDataFolder} from '../../source/service/data-folder.ts';
import {createCertificate} from '../helpers/certificates.ts';
import {programFile, runCommand as startProcess} from '../helpers/run-command.ts';
import {paths, startTestService} from '../service/running-service.ts';
import {startProgram} from '../end-to-end/start-serve.ts';
import {noKeyYet, serveInProcess} from './serve-in-process.ts';
import {createIsolatedHome, ended, json, lastError, parseJson, runCommand, temporaryFolder, runOnTerminal} from './kit.ts';

test('keys create prints only the key; list and revoke never show it', async () => {
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env});
	const created = await run('keys', 'create', '--name', 'ci');
	assert.match(created.stdout, /^\S{20,}\n$/);
	assert.match(created.stderr, /“ci”.*“default”/);
	const other = parseJson((await run('keys', 'create', '--account', 'guest', '--json')).stdout) as {
		key: string;
		id: number;
		account: string;
	};
	assert.equal(other.account, 'guest');
	const listed = await run('keys', 'list', '--json');
	assert.deepEqual(
		(parseJson(listed.stdout) as ReadonlyArray<{name: string; account: string}>).map(({name, account}) => [name, account]),
		[
			['ci', 'default'],
			['key 1', 'guest'],
		],
	);
	assert.ok(!listed.stdout.includes(created.stdout.trim()));
	assert.deepEqual(parseJson((await run('keys', 'revoke', 'ci', '--json')).stdout), [{id: 1, name: 'ci', revoked: true}]);
	const gone = await run('keys', 'revoke', 'ci', '--json');
	assert.deepEqual([gone.exitCode, lastError(gone).kind], [4, 'not-found']);
	assert.equal(
		lastError(await run('keys', 'revoke', 'kye 1', '--json')).message,
		'There is no key “kye 1”. No key was revoked. Did you mean: key 1',
	);
	assert.equal((await run('keys', 'list')).stdout.split('\t', 2)[1], 'key 1');
	const refused = await run('--read-only', 'keys', 'create');
	assert.equal(refused.exitCode, 2);
});

test('keys revoke names what it revokes, or would revoke, on a terminal and in a pipe', async () => {
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env});
	for (const name of ['ci', 'laptop', 'desk']) {
		await run('keys', 'create', '--name', name);
	}

	const shown = async (...words: readonly string[]) => runOnTerminal(['keys', 'revoke', ...words], {env: home.env});
	assert.deepEqual(await shown('CI', '2', '--dry-run'), [
		0,
		'Would revoke ci (1).',
		'Would revoke laptop (2).',
		'Nothing was changed: this was a dry run.',
	]);
	assert.deepEqual(await shown('CI', '2', '--yes'), [0, 'Revoked ci (1).', 'Revoked laptop (2).']);
	assert.deepEqual(await run('keys', 'revoke', 'desk'), ended(0, '3\trevoked\tdesk\n'));
});

test('keys revoke and accounts delete name the timers that end with them, a dry run too', async () => {
	await using service = await startTestService();
	const installed = (await service.read(paths.installed)).filter(({enabled}) => enabled === false);
	const at = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T07:00:00Z`;
	for (const {id} of installed.slice(0, 2)) {
		assert.equal((await service.ask('PUT', `/timers/${String(id)}/`, {body: {enabled: true, at}})).status, 200);
	}

	const run = async (...words: readonly string[]) => runCommand([...words, '--data', service.dataFolder], {env: createIsolatedHome().env});
	const [first, second] = installed.map(({name}) => `${String(name)} (on, ${at.slice(0, 10)} 07:00 UTC)`);
	const dryRun = 'Nothing was changed: this was a dry run.\n';
	const undone = `2 timers will not be done: ${first}, ${second}.\n`;
	const undoneWithKey = undone.replace('timers', 'timers set with it');
	assert.deepEqual(await run('accounts', 'delete', 'default', '--dry-run'), ended(0, 'default\tdeleted\n', undone + dryRun));
	assert.deepEqual(await run('keys', 'revoke', '1', '--dry-run'), ended(0, '1\trevoked\tkey 1\n', undoneWithKey + dryRun));
	assert.deepEqual(await run('keys', 'revoke', '1', '--yes'), ended(0, '1\trevoked\tkey 1\n', undoneWithKey));
	assert.deepEqual(await run('accounts', 'delete', 'default', '--yes'), ended(0, 'default\tdeleted\n', undone));
});

test('a dry run of keys create names the key that it would create, and creates none', async () => {
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(['keys', 'create', ...words], {env: home.env});
	const note = 'Nothing was changed: this was a dry run.\n';
	const data = path.join(home.folder, 'elsewhere');
	assert.deepEqual(await run('--data', data, '--dry-run'), ended(0, '', `Would create the key “key 1” of the account “default”.\n${note}`));
	assert.equal(existsSync(data), false);
	await run('--data', data, '--name', 'ci');
	assert.deepEqual(
		await run('--data', data, '--dry-run', '--json', '--read-only'),
		ended(0, json({key: null, id: null, account: 'default', name: 'key 2', rights: 'read-only', for_ssh: false, expires_at: null}), note),
	);
	const taken = await run('--data', data, '--name', 'CI', '--dry-run', '--json');
	assert.deepEqual([taken.exitCode, lastError(taken).kind], [2, 'conflict']);
	assert.equal((await runCommand(['keys', 'list', '--data', data], {env: home.env})).stdout.split('\n').length, 2);
});

test('keys list, keys revoke and serve --read-only make no home where none is, and say how to make one', async () => {
	const home = createIsolatedHome();
	const data = path.join(home.folder, 'else where');
	for (const [words, where] of [
		[[], ''],
		[['--data', data], ` --data '${data}'`],
	] as const) {
		for (const command of [
			['keys', 'list'],
			['keys', 'revoke', 'ci'],
			['serve', '--read-only', '--port', '0'],
			['serve', '--read-only', '--sample', '--port', '0'],
		]) {
			const result = await runCommand([...command, '--json', ...words], {env: home.env, cwd: home.folder});
			assert.deepEqual([result.exitCode, result.stdout], [4, ''], command.join(' '));
			const {kind, message} = lastError(result);
			assert.equal(kind, 'not-found');
			assert.match(message, /^There is no database in .*\. Name the data folder of the service\. The first key creates one: /);
			assert.ok(message.endsWith(`: switchboard keys create${where}`), message);
		}
	}

	assert.deepEqual([existsSync(data), readdirSync(home.env['XDG_DATA_HOME']!)], [false, []]);
});

/** Commands that take --data. */
const onData: ReadonlyArray<readonly string[]> = [
	['serve', '--port', '0'],
	['serve', '--port', '0', '--read-only'],
	['keys', 'create'],
	['keys', 'create', '--dry-run'],
	['keys', 'list'],
	['keys', 'revoke', 'ci'],
	['backup', 'home.db'],
	['check'],
];

test('a data folder that cannot be made or read is a mistake that is told in a sentence, exit 2', async () => {
	const home = createIsolatedHome();
	const at = (...parts: readonly string[]): string => path.join(home.folder, ...parts);
	const cannotBeUsed = (folder: string, why: string): string => `The data folder ${folder} cannot be used: ${why}.`;
	writeFileSync(at('file'), '');
	symlinkSync('loop', at('loop'));
	const long = at('x'.repeat(300));
	const cases = [
		[at('file'), `${at('file')} is not a folder.`],
		[at('file', 'below'), cannotBeUsed(at('file', 'below'), 'a part of its path is not a folder')],
		[at('loop'), cannotBeUsed(at('loop'), 'its path is a loop of links')],
		[at('loop', 'below'), cannotBeUsed(at('loop', 'below'), 'its path is a loop of links')],
		[long, cannotBeUsed(`${long.slice(0, 299)}…`, 'its path is too long')],
	] as const;
	for (const words of onData) {
		for (const [folder, sentence] of cases) {
			assert.deepEqual(
				await runCommand([...words, '--data', folder], {env: home.env, cwd: home.folder}),
				ended(2, '', `${sentence}\nChoose another folder.\n`),
				[...words, folder].join(' '),
			);
		}
	}
});

// Where there is no /proc, the folder is merely one that cannot be made.
test('where nothing can be created, that is said at once, with what else chooses the folder', async () => {
	const home = createIsolatedHome();
	const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
		runCommand(words, {env: {...home.env, ...env}});
	for (const words of [
		['serve', '--port', '0'],
		['keys', 'create'],
	]) {
		const {exitCode, stdout, stderr} = await run([...words, '--data', '/proc/nobody']);
		assert.deepEqual([exitCode, stdout], [2, '']);
		const reason = process.platform === 'linux' ? 'it cannot be created there' : String.raw`[^\n]+`;
		assert.match(stderr, new RegExp(String.raw`^The data folder /proc/nobody cannot be used: ${reason}\.\nChoose another folder\.\n$`));
	}

	const created = await run(['keys', 'create', '--json'], {XDG_DATA_HOME: '/proc/nobody/data'});
	assert.deepEqual([created.exitCode, created.stdout, lastError(created).kind], [2, '', 'usage']);
	const advice = 'Choose another folder.';
	assert.match(lastError(created).message, /^The data folder \/proc\/nobody\/data\/switchboard cannot be used: /);
	assert.ok(lastError(created).message.endsWith(` ${advice}`), lastError(created).message);
	// It has no --data.
	const agents = await run(['agents', '--profile', 'local'], {XDG_DATA_HOME: programFile});
	assert.ok(agents.stderr.endsWith(`\n${advice}\n`), agents.stderr);
});

/** Runs commands where a new disk is mounted, which nobody else sees. */
const withOwnMounts = ['-rm', 'sh', '-c'];

test('a database on a read-only disk is only read there', {
	skip: spawnSync('unshare', [...withOwnMounts, 'mount -t tmpfs tmpfs /mnt']).status !== 0,
}, () => {
	const home = createIsolatedHome();
	const disk = path.join(home.folder, 'disk');
	mkdirSync(disk);
	const cannotBeUsed = `The database ${disk}/data/switchboard.db cannot be used: the disk is read-only.\nChoose another folder.\nexit 2\n`;
	const cases = [
		['serve --port 0', cannotBeUsed],
		['keys create', cannotBeUsed],
		['keys list', cannotBeUsed],
		['backup home.db', 'Wrote home.db: 120 KB.\nexit 0\n'],
		['check', `The database in ${disk}/data is in order.\nexit 0\n`],
	] as const;
	const script = [
		'disk=$1; program="$2 $3"; mount -t tmpfs tmpfs "$disk"; mkdir -m 700 "$disk/data"',
		'$program keys create --data "$disk/data" >made 2>&1; mount -o remount,ro "$disk"',
		...cases.map(([words]) => `$program ${words} --data "$disk/data" 2>&1; echo "exit $?"; echo`),
	].join('\n');
	const {stdout} = spawnSync('unshare', [...withOwnMounts, script, 'sh', disk, process.execPath, programFile], {
		env: home.env,
		cwd: home.folder,
		encoding: 'utf8',
	});
	const told = stdout.replaceAll(/^(?:It holds|The file has) .*\n/gm, '').split('\n\n', cases.length);
	assert.deepEqual(
		told.map((text, index) => [cases[index]![0], `${text}\n`]),
		cases,
	);
});

for (const words of [
	['serve', '--port', '0', '--host', ''],
	['serve', '--port', '0', '--data', ''],
	['keys', 'create', '--data', ''],
]) {
	test(`“${words.join(' ')}” is a mistake and opens nothing`, async () => {
		const home = createIsolatedHome();
		const result = await runCommand([...words, '--json'], {env: home.env, cwd: home.folder});
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [2, '', 'usage']);
		assert.equal(existsSync(path.join(home.folder, 'switchboard.db')), false);
	});
}

test('serve says how to create the first key where it looks, until there is one', async () => {
	const home = createIsolatedHome();
	const data = path.join(home.folder, 'else where');
	const words = ['keys', 'create', '--data', data];
	const serve = async (...more: readonly string[]): Promise<string> =>
		(await (await serveInProcess(home, '--data', data, ...more)).stop()).stderr;
	assert.equal(await serve(), `No API key yet. Create one with: switchboard keys create --data '${data}'\n`);
	assert.equal((await runCommand(words, {env: home.env})).exitCode, 0);
	assert.equal(await serve(), '');
	assert.equal((await runCommand(['keys', 'revoke', 'key 1', '--data', data], {env: home.env})).exitCode, 0);
	assert.match(await serve('--log', 'json'), /"No API key yet\. Create one with: switchboard keys create --data /);
});

test('the command that creates a key names its place only where it would look elsewhere, and no password', async () => {
	const url = 'postgres://home:wh1sper@db/home';
	assert.equal(await keysCreateAt(url, {SWITCHBOARD_DATABASE_URL: url}), 'switchboard keys create');
	assert.equal(await keysCreateAt(url, {}), 'switchboard keys create --database-url postgres://home@db/home');
	assert.equal(await keysCreateAt(defaultDataFolder(), {}), 'switchboard keys create');
	for (const variable of [url, 'not a URL', '']) {
		assert.equal(
			await keysCreateAt(defaultDataFolder(), {SWITCHBOARD_DATABASE_URL: variable}),
			`switchboard keys create --data ${defaultDataFolder()}`,
		);
	}
});

/** A home with a key, in whose environment commands and serve run. */
async function createHomeWithKey() {
	const {env, folder} = createIsolatedHome();
	const {stdout} = await runCommand(['keys', 'create', '--name', 'ci'], {env});
	return {folder, env: {...env, SWITCHBOARD_API_KEY: stdout.trim()}};
}

test('serve warns if others can reach it without TLS, and if --sample finds records', async () => {
	const home = createIsolatedHome();
	assert.equal((await (await serveInProcess(home, '--sample')).stop()).stderr, noKeyYet);
	const {stderr} = await (await serveInProcess(home, '--sample', '--host', '0.0.0.0')).stop();
	assert.match(stderr, /not empty/);
	assert.match(stderr, /Warning: .*TLS/);
});

test('serve refuses a certificate and a key that no client could use, and says what is wrong with them', async () => {
	const home = createIsolatedHome();
	const {cert, key} = createCertificate();
	const rsa = generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey.export({type: 'pkcs8', format: 'pem'}).toString();
	const encrypted = createPrivateKey(key).export({type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x'}).toString();
	const foreign = /^The key does not belong to the certificate\.\nUse the key that the certificate was made for\./;
	const files = {cert: path.join(home.folder, 'certificate.pem'), key: path.join(home.folder, 'key.pem')};
	for (const [contents, pattern] of [
		[{cert, key: createCertificate().key}, foreign],
		[{cert, key: rsa}, foreign],
		[{cert: createCertificate().cert + cert, key}, foreign],
		[{cert: 'text', key}, /^The certificate is not valid\.\n.* “-----BEGIN CERTIFICATE-----” or a similar line\.\n$/],
		[{cert, key: cert}, /^The key of the certificate is not valid\.\n.* “-----BEGIN PRIVATE KEY-----” or a similar line\.\n$/],
		[{cert, key: encrypted}, /^The key of the certificate is encrypted\.\nDecrypt it first, as with: openssl pkey /],
	] as const) {
		writeFileSync(files.cert, contents.cert);
		writeFileSync(files.key, contents.key, {mode: 0o600});
		const {exitCode, stderr} = await runCommand(['serve', '--port', '0', '--tls-cert', files.cert, '--tls-key', files.key], {
			env: home.env,
		});
		assert.equal(exitCode, 2);
		assert.match(stderr, pattern);
	}
});

test('serve speaks https with a certificate', async () => {
	const home = createIsolatedHome();
	const certificate = path.join(home.folder, 'certificate.pem');
	const key = path.join(home.folder, 'key.pem');
	const made = createCertificate();
	writeFileSync(certificate, made.cert);
	writeFileSync(key, made.key);
	chmodSync(key, 0o644);
	const words = ['--tls-cert', certificate, '--tls-key', key];
	// The certificate, which is as open, is no secret.
	assert.deepEqual(await (await serveInProcess(home, ...words)).stop(), {
		exitCode: 0,
		stderr: `Warning: other users of this machine can read or change ${key}, which holds the key of the certificate. Run: chmod 600 ${key}\n${noKeyYet}`,
	});

	chmodSync(key, 0o600);
	const service = await startProgram(home, ['serve', '--port', '0', ...words]);
	assert.match(service.firstLine, /^listening on https:\/\/127\.0\.0\.1:\d+$/);
	const {stdout} = await runCommand(['keys', 'create'], {env: home.env});
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: stdout.trim()};
	for (const command of [['agents'], ['say', 'hello']]) {
		assert.equal((await startProcess(command, {env: {...env, NODE_EXTRA_CA_CERTS: certificate}})).exitCode, 0);
		assert.equal((await runCommand(command, {env})).exitCode, 5);
	}

	assert.equal((await service.stop('SIGTERM')).stderr, noKeyYet);
	assert.ok(readFileSync(certificate, 'utf8').startsWith('-----BEGIN'));
});

test('serve --read-only refuses changes with exit 2, read-only', async () => {
	await using serving = await serveInProcess(await createHomeWithKey(), '--sample', '--read-only');
	const {run} = serving;
	const before = await run('installed');
	assert.match(before.stdout, /\ton\tmorninglights\t/);
	const results = [
		await run('disable', 'morninglights', '--json'),
		await run('agents', 'edit', 'Hearth', '--name', 'Hob', '--json'),
		await run('abilities', 'delete', 'pantry', '--yes', '--json'),
	];
	assert.deepEqual(
		results.map(result => [result.exitCode, lastError(result).kind]),
		results.map(() => [2, 'read-only']),
	);
	assert.match(
		lastError(results[1]!).message,
		/^The service is read-only: It was started with --read-only, so nothing can be changed here\. Make the change on another service/,
	);
	assert.deepEqual(await run('installed'), before);
});

test('beyond --quota an upload ends with exit 2, quota, and is not tried again; deleting makes room for it', async () => {
	await using serving = await serveInProcess(await createHomeWithKey(), '--quota', '10000');
	// A copy: an upload writes into the folder which ability it is.
	const folder = path.join(temporaryFolder(), 'nightwatch');
	cpSync(path.join(import.meta.dirname, '../../source/service/sample/home/abilities/nightwatch'), folder, {recursive: true});
	const upload = async (name: string) =>
		serving.run('abilities', 'upload', folder, '--name', name, '--category', 'skill', '--triggers', 'watch', '--json', '--debug');
	assert.equal((await upload('nightwatch')).exitCode, 0);
	const refused = await upload('daywatch');
	assert.deepEqual(
		[refused.exitCode, lastError(refused)],
		[
			2,
			{
				kind: 'quota',
				message:
					'Your account has used up its space on the service: This would take the account over its limit of 9.8 KB. Nothing was changed.' +
					' Delete abilities that you no longer need, then try again.',
			},
		],
	);
	const log = readFileSync(/Request log: (?<file>.*)/.exec(refused.stderr)!.groups!['file']!, 'utf8');
	assert.equal(log.match(/POST .*add-capability/g)?.length, 1, log);
	assert.equal((await serving.run('abilities', 'delete', 'nightwatch', '--yes')).exitCode, 0);
	assert.equal((await upload('daywatch')).exitCode, 0);
});

test('--rate-limit limits the requests per minute and key; off does not', async () => {
	const home = await createHomeWithKey();
	const statuses = async (limit: string): Promise<readonly number[]> => {
		await using serving = await serveInProcess(home, '--rate-limit', limit);
		const get = async () => fetch(serving.baseAddress + paths.agents, {headers: {'x-api-key': home.env.SWITCHBOARD_API_KEY}});
		const answers = await Promise.all([get(), get(), get()]);
		return answers.map(({status}) => status).toSorted((first, second) => first - second);
	};

	assert.deepEqual(await statuses('2'), [200, 200, 429]);
	assert.deepEqual(await statuses('off'), [200, 200, 200]);
});

test('a port that is taken is explained', async () => {
	const home = createIsolatedHome();
	await using service = await serveInProcess(home);
	const second = await runCommand(['serve', '--port', new URL(service.baseAddress).port], {env: home.env});
	assert.deepEqual([second.exitCode, second.stdout], [2, '']);
	assert.match(second.stderr, /already listens/);
});
