import {after, assert, readdirSync, test, type TestContext} from '../helpers/node.ts';
import {createCommandLine} from '../../source/commands/command-line.ts';
import {parseWords, pathOf} from '../../source/commands/command-tree.ts';
import {endpoints} from '../../source/interface/endpoints.ts';
import {startDocumentedService} from '../helpers/documented-service.ts';
import type {RecordedRequest} from '../helpers/recorded-requests.ts';
import {type CommandResult} from '../helpers/run-command.ts';
import {environmentFor} from './outcomes.ts';
import {lastError, parseJson, shareServedHome} from './served-home.ts';
import {createIsolatedHome, jsonAnswer, openTerminal, runCommand, startFaultRelay, startLiveLike, startOddService} from './kit.ts';

const served = await shareServedHome({after});

type Status = Readonly<Record<string, unknown>> & {readonly operations: Readonly<Record<string, boolean | null>>};

const statusOf = ({stdout}: CommandResult): Status => parseJson(stdout) as Status;

/** The operations with this answer. */
const withAnswer = ({operations}: Status, wanted: boolean | null): readonly string[] =>
	Object.keys(operations).filter(name => operations[name] === wanted);

/** Where this environment has its files. */
const filesOf = (env: Readonly<Record<string, string | undefined>>) => ({
	settings: `${env['XDG_CONFIG_HOME']!}/switchboard`,
	state: `${env['XDG_STATE_HOME']!}/switchboard`,
	data: `${env['XDG_DATA_HOME']!}/switchboard`,
	cache: `${env['XDG_CACHE_HOME']!}/switchboard`,
});

/** The lines without those of the files, which come last. */
const withoutFiles = ({stdout}: Pick<CommandResult, 'stdout'>): string =>
	stdout.replace(/settings\t\S+\nstate\t\S+\ndata\t\S+\ncache\t\S+\n$/, '');

const lists = ['list_agents', 'list_abilities', 'list_installed'];

const operationCount = Object.keys(endpoints).length;

/** The commands on a service that has every operation. */
const allCommands =
	'agents, agents edit, abilities, abilities get, abilities upload, abilities push, abilities edit, abilities pull, abilities diff, abilities delete, ' +
	'installed, installed edit, enable, disable, toggle, install, uninstall';

const acceptedFor = (answer: string, verification = answer): string =>
	`agents: ${answer}, abilities: ${answer}, installed: ${answer}, verification: ${verification}, changes: not tried`;

const urlsOf = (requests: readonly RecordedRequest[]): readonly string[] =>
	[...new Set(requests.map(({method, path}) => `${method} ${path}`))].toSorted();

test('the bundled service answers, takes the key and has every operation', async () => {
	const result = await served.run(['status', '--json']);
	const status = statusOf(result);
	const {operations, ...rest} = status;
	assert.deepEqual([result.exitCode, result.stderr], [0, '']);
	assert.deepEqual(rest, {
		profile: null,
		profile_source: null,
		base_url: served.baseAddress,
		base_url_source: 'SWITCHBOARD_BASE_URL',
		key_last4: served.apiKey.slice(-4),
		key_source: 'SWITCHBOARD_API_KEY',
		reachable: true,
		key_accepted: true,
		accepted: {agents: true, abilities: true, installed: true, verify: true},
		session_token: null,
		key_rights: null,
		key_expires_at: null,
		person: null,
		files: filesOf(served.env),
	});
	assert.equal(Object.keys(operations).length, operationCount);
	assert.deepEqual(withAnswer(status, true).length, operationCount);
	assert.doesNotMatch(result.stdout, new RegExp(served.apiKey));
	assert.ok(
		withoutFiles(await served.run(['status'])).endsWith(
			`\nkey accepted\tyes\naccepted for\t${acceptedFor('yes')}\nworks\t${allCommands}\n`,
		),
	);
	assert.match(
		withoutFiles(await served.run(['status', '--read-only'])),
		/\nworks\tagents, abilities, abilities get, abilities pull, abilities diff, installed\n$/,
	);
});

test('the bundled service on this machine is looked at without making its data folder', async () => {
	const home = createIsolatedHome();
	const result = await runCommand(['status', '--profile', 'local', '--json'], {env: home.env});
	const {reachable, key_accepted: isKeyAccepted} = statusOf(result);
	assert.deepEqual([result.exitCode, result.stderr, reachable, isKeyAccepted], [0, '', true, true]);
	for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']) {
		assert.deepEqual(readdirSync(home.env[name]!), [], name);
	}
});

test('status names commands as they are typed', () => {
	const program = createCommandLine(() => async () => undefined);
	for (const words of allCommands.split(', ')) {
		const {command, operands} = parseWords(program, words.split(' '));
		assert.deepEqual([pathOf(command), operands], [`switchboard ${words}`, []]);
	}
});

test('a service without a description shows its lists, and nothing that could change anything is asked', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const status = statusOf(await run(['status', '--json']));
	assert.deepEqual(withAnswer(status, true), ['list_agents', 'list_abilities', 'list_installed', 'verify_key']);
	assert.deepEqual(withAnswer(status, false), []);
	assert.deepEqual(urlsOf(service.requests), [
		'GET /api/capabilities/get-all-capabilities/',
		'GET /api/capabilities/get-all-capability/',
		'GET /api/capabilities/get-installed-capabilities/',
		'GET /api/personalities/get-all-personalities/',
		'GET /openapi.json',
		'POST /api/sdk/verify_apikey/',
	]);
	assert.deepEqual(
		service.requests.filter(({path, headers}) => path === '/openapi.json' && headers['x-api-key'] !== undefined),
		[],
	);
});

test('a service with the documented paths only is told to have no way to verify a key', async (t: TestContext) => {
	const home = createIsolatedHome();
	const service = await startDocumentedService();
	t.after(async () => service.close());
	const run = async (words: readonly string[]) =>
		runCommand(words, {env: {...home.env, OPENHOME_API_BASE: service.baseAddress, OPENHOME_API_KEY: service.apiKey}});
	const result = await run(['status', '--json']);
	const status = statusOf(result);
	assert.deepEqual([result.exitCode, withAnswer(status, true), withAnswer(status, false)], [0, lists, ['verify_key']]);
	assert.deepEqual(
		[status['base_url_source'], status['key_source'], status['key_accepted']],
		['OPENHOME_API_BASE', 'OPENHOME_API_KEY', true],
	);
	assert.deepEqual(
		withoutFiles(await run(['status']))
			.split('\n')
			.slice(0, -1),
		[
			'profile\tnone',
			`address\t${service.baseAddress} (from OPENHOME_API_BASE)`,
			'key\t…6789 (from OPENHOME_API_KEY)',
			'reachable\tyes',
			'key accepted\tyes',
			`accepted for\t${acceptedFor('yes', 'not known')}`,
			'works\tagents, abilities, abilities get, installed',
			'not known\tagents edit, abilities upload, abilities push, abilities edit, abilities pull, abilities diff, abilities delete, installed edit, enable, disable, toggle, install, uninstall',
		],
	);
});

test('every source of profile, address and key is named', async (t: TestContext) => {
	const {home, service} = await startLiveLike(t);
	const {baseAddress, apiKey} = service;
	const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
		runCommand(words, {env: {...home.env, ...env}, stdin: apiKey});
	await run(['login', '--base-url', baseAddress, '--api-key-stdin', '--profile', 'work']);
	const sources = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> => {
		const status = statusOf(await run(['status', '--json', ...words], env));
		assert.equal(status['reachable'], true);
		return ['profile', 'profile_source', 'base_url_source', 'key_source'].map(name => status[name]);
	};

	assert.deepEqual(await sources([]), ['work', 'current profile', 'profile', 'profile']);
	assert.deepEqual(await sources(['--profile', 'work']), ['work', '--profile', 'profile', 'profile']);
	assert.deepEqual(await sources([], {SWITCHBOARD_PROFILE: 'work'}), ['work', 'SWITCHBOARD_PROFILE', 'profile', 'profile']);
	assert.deepEqual(await sources(['--base-url', baseAddress]), ['work', 'base_url', '--base-url', 'profile']);
	assert.deepEqual(await sources(['--base-url', baseAddress], {SWITCHBOARD_API_KEY: apiKey}), [
		null,
		null,
		'--base-url',
		'SWITCHBOARD_API_KEY',
	]);
	assert.deepEqual(await sources([], {SWITCHBOARD_API_KEY: apiKey}), ['work', 'current profile', 'profile', 'SWITCHBOARD_API_KEY']);
	assert.deepEqual(await sources([], {SWITCHBOARD_BASE_URL: baseAddress}), ['work', 'base_url', 'SWITCHBOARD_BASE_URL', 'profile']);
	const local = statusOf(await run(['status', '--json', '--profile', 'local']));
	assert.deepEqual([local['profile'], local['base_url'], local['key_last4'], local['key_accepted']], ['local', null, null, true]);
	assert.equal(withAnswer(local, true).length, operationCount);
});

test('without any service it prints what there is and says how to sign in, exit 3', async () => {
	const home = createIsolatedHome();
	const result = await runCommand(['status', '--json'], {env: home.env});
	const status = statusOf(result);
	assert.deepEqual([result.exitCode, lastError(result).kind], [3, 'no-key']);
	assert.deepEqual([status['profile'], status['base_url'], status['reachable']], [null, null, null]);
	assert.equal(withAnswer(status, null).length, operationCount);
	const text = await runCommand(['status'], {env: home.env});
	assert.match(text.stdout, /^profile\tnone\naddress\tnone\nkey\tnone\nreachable\tnot known\n/);
	assert.match(text.stderr, /^No service is set up\.\nSign in: /);
	const unknown = await runCommand(['status', '--json', '--profile', 'nobody'], {env: home.env});
	assert.deepEqual(
		[unknown.exitCode, lastError(unknown).kind, statusOf(unknown)['profile'], statusOf(unknown)['profile_source']],
		[4, 'not-found', 'nobody', '--profile'],
	);
});

test('without a key the service is still asked what it shows to everyone, exit 3', async () => {
	const home = createIsolatedHome();
	const result = await runCommand(['status', '--json', '--base-url', served.baseAddress], {env: home.env});
	const status = statusOf(result);
	assert.deepEqual([result.exitCode, lastError(result).kind], [3, 'no-key']);
	assert.deepEqual(
		[status['base_url_source'], status['key_last4'], status['key_source'], status['reachable'], status['key_accepted']],
		['--base-url', null, null, true, null],
	);
	assert.equal(withAnswer(status, true).length, operationCount);
});

test('plain http to another machine is refused, exit 2, and nothing is asked', async () => {
	const home = createIsolatedHome();
	const result = await runCommand(['status', '--json', '--base-url', 'http://192.0.2.1'], {
		env: {...home.env, SWITCHBOARD_API_KEY: 'some-key-0123456789'},
	});
	const status = statusOf(result);
	assert.deepEqual([result.exitCode, lastError(result).kind, status['reachable'], status['key_last4']], [2, 'insecure', null, '6789']);
});

test('a key that the service refuses is exit 3, after everything else', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	const result = await runCommand(['status', '--json'], {env: {...env, SWITCHBOARD_API_KEY: 'wrong-key-0123456789'}});
	const status = statusOf(result);
	assert.deepEqual([result.exitCode, status['reachable'], status['key_accepted'], status['key_last4']], [3, true, false, '6789']);
	const {kind, message} = lastError(result);
	assert.equal(kind, 'key-refused');
	assert.match(message, /^The service refused the API key in SWITCHBOARD_API_KEY. Invalid API key\. .*Change or unset the variable\./);
	assert.deepEqual(withAnswer(status, true), ['verify_key']);
	// Which commands would work is of no use to someone whose key does not.
	assert.match(
		withoutFiles(await runCommand(['status'], {env: {...env, SWITCHBOARD_API_KEY: 'wrong-key-0123456789'}})),
		new RegExp(String.raw`\nkey accepted\tno\naccepted for\t${acceptedFor('no')}\n$`),
	);
	assert.equal(service.installed.length, 3);
});

test('a service that is away is exit 5, after what the settings say', async () => {
	const home = createIsolatedHome();
	const gone = await startDocumentedService();
	await gone.close();
	const env = {...home.env, SWITCHBOARD_BASE_URL: gone.baseAddress};
	for (const key of [gone.apiKey, '']) {
		const result = await runCommand(['status', '--json'], {env: {...env, SWITCHBOARD_API_KEY: key}});
		const status = statusOf(result);
		assert.deepEqual([result.exitCode, lastError(result).kind], key === '' ? [3, 'no-key'] : [5, 'unreachable']);
		assert.deepEqual([status['base_url'], status['reachable'], status['key_accepted']], [gone.baseAddress, false, null]);
		assert.equal(withAnswer(status, null).length, operationCount);
	}
});

test('--timeout ends the question to a silent service, and what is known is printed', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	const relay = await startFaultRelay(t, {target: service});
	relay.put(() => undefined);
	const result = await runCommand(['status', '--json', '--timeout', '0.5'], {env: {...env, SWITCHBOARD_BASE_URL: relay.baseAddress}});
	assert.deepEqual([result.exitCode, lastError(result).kind, statusOf(result)['reachable']], [5, 'timeout', false]);
});

test('a port that does not speak the protocol of its address is not reachable, with a key and without', async (t: TestContext) => {
	const {env, service} = await startLiveLike(t);
	const relay = await startFaultRelay(t, {target: service});
	relay.put(socket => {
		socket.end('220 mail.example.com ESMTP\r\n');
	});
	for (const baseAddress of [relay.baseAddress, service.baseAddress.replace('http:', 'https:')]) {
		const result = await runCommand(['status', '--json'], {env: {...env, SWITCHBOARD_BASE_URL: baseAddress}});
		assert.deepEqual([result.exitCode, statusOf(result)['reachable'], statusOf(result)['key_accepted']], [5, false, null]);
		const keyless = await runCommand(['status'], {env: {...env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: ''}});
		assert.equal(keyless.exitCode, 3);
		assert.match(keyless.stdout, /^reachable\tno$/m);
		assert.match(keyless.stderr, /^\S+ does not speak the protocol of its address .*\nThere is no key for /);
	}
});

test('an address that is none is told with the variable, and the key beside it', async (t: TestContext) => {
	const {env, run, service} = await startLiveLike(t);
	const result = await runCommand(['status', '--json'], {env: {...env, SWITCHBOARD_BASE_URL: 'not an address'}});
	const {operations, ...status} = statusOf(result);
	assert.deepEqual(status, {
		profile: null,
		profile_source: null,
		base_url: null,
		base_url_source: 'SWITCHBOARD_BASE_URL',
		key_last4: service.apiKey.slice(-4),
		key_source: 'SWITCHBOARD_API_KEY',
		reachable: null,
		key_accepted: null,
		accepted: {agents: null, abilities: null, installed: null, verify: null},
		session_token: null,
		key_rights: null,
		key_expires_at: null,
		person: null,
		files: filesOf(env),
	});
	const {kind, message} = lastError(result);
	assert.deepEqual([result.exitCode, kind], [2, 'usage']);
	assert.match(message, /^SWITCHBOARD_BASE_URL: “not an address” is not the address of a service\. /);
	assert.match(
		(await runCommand(['status'], {env: {...env, SWITCHBOARD_BASE_URL: 'nowhere'}})).stdout,
		/^address\tnone \(from SWITCHBOARD_BASE_URL\)\n/m,
	);
	const option = statusOf(await run(['status', '--json', '--base-url', 'nowhere']));
	assert.deepEqual([option['base_url_source'], option['key_source']], ['--base-url', 'SWITCHBOARD_API_KEY']);
});

test('a service that fails is reachable and may still accept the key, exit 5; one list that it does not have is no failure', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	service.failNext({status: 500, body: '{}', times: 12, when: ({method}) => method === 'GET'});
	const failed = await run(['status', '--json']);
	assert.deepEqual(
		[failed.exitCode, lastError(failed).kind, statusOf(failed)['reachable'], statusOf(failed)['key_accepted']],
		[5, 'server-error', true, true],
	);
	const odd = await startOddService({'/api/capabilities/get-installed-capabilities/': jsonAnswer([])});
	t.after(async () => odd.close());
	const result = await runCommand(['status', '--json'], {env: environmentFor(odd)});
	assert.deepEqual([result.exitCode, result.stderr, withAnswer(statusOf(result), true)], [0, '', ['list_installed']]);
	assert.deepEqual(withAnswer(statusOf(result), false), ['list_agents', 'list_abilities', 'verify_key']);
	assert.match(
		withoutFiles(await runCommand(['status'], {env: environmentFor(odd)})),
		/\nworks\tinstalled\nunavailable\tagents, agents edit, abilities, .*, install\nnot known\tabilities upload, installed edit, .*, uninstall\n$/,
	);
});

const descriptions: ReadonlyArray<readonly [title: string, answer: Parameters<typeof startOddService>[0], isKnown: boolean]> = [
	[
		'with paths in words of its own',
		{'/openapi.json': jsonAnswer({paths: {'/api/capabilities/install-capability/{pk}': {get: {}}, '/else': {post: {}}}})},
		true,
	],
	[
		'that is no JSON',
		{
			'/openapi.json': {
				headers: {'content-type': 'text/html'},
				body: '{"paths": {"/api/capabilities/install-capability/{pk}": {"get": {}}}}',
			},
		},
		false,
	],
	['of another interface', {'/openapi.json': jsonAnswer({paths: {'/else': {post: {}}}})}, false],
	['on another machine', {'/openapi.json': {status: 302, headers: {location: 'https://example.com/openapi.json'}}}, false],
	[
		'that is too large',
		{
			'/openapi.json': {
				headers: {'content-type': 'application/json'},
				body: `{"paths": {"/api/capabilities/install-capability/{pk}": {"get": {}}}, "x": "${'x'.repeat(5 * 1024 * 1024)}"}`,
			},
		},
		false,
	],
	[
		'with odd values',
		{
			'/openapi.json': jsonAnswer({
				paths: {'/api/capabilities/install-capability/{pk}': null, '/api/capabilities/uninstall-capability/{}': ['delete']},
			}),
		},
		false,
	],
];

for (const [title, routes, isKnown] of descriptions) {
	test(`a description ${title} ${isKnown ? 'tells which operations there are' : 'tells nothing'}`, async (t: TestContext) => {
		const odd = await startOddService({'/api/capabilities/get-installed-capabilities/': jsonAnswer([]), ...routes});
		t.after(async () => odd.close());
		const home = createIsolatedHome();
		const result = await runCommand(['status', '--json'], {
			env: {...home.env, SWITCHBOARD_BASE_URL: odd.baseAddress, SWITCHBOARD_API_KEY: odd.apiKey},
		});
		const {operations} = statusOf(result);
		assert.equal(result.exitCode, 0);
		assert.deepEqual(
			[operations['list_installed'], operations['install_ability'], operations['uninstall_ability']],
			[true, isKnown ? true : null, isKnown ? false : null],
		);
	});
}

test('on a narrow terminal the commands are wrapped at words', async () => {
	await using terminal = openTerminal(['status'], {env: served.env, columns: 44});
	assert.equal((await terminal.exited).exitCode, 0);
	const lines = terminal.lines();
	const shown = lines
		.slice(
			lines.findIndex(line => line.startsWith('works ')),
			lines.findIndex(line => line.startsWith('settings ')),
		)
		.map(line => line.slice(14).trim())
		.join(' ');
	const {stdout} = await served.run(['status']);
	assert.equal(shown, /^works\t(?<commands>.*)$/m.exec(stdout)!.groups!['commands']);
});
