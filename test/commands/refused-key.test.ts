import {assert, test, type TestContext} from '../helpers/node.ts';
import {lastError, startServedHome} from './served-home.ts';
import {ended, runCommand, startLiveLike} from './kit.ts';

const wrongKey = 'a-wrong-key-0123456789';

const refused = (...lines: readonly string[]) => ended(3, '', `${lines.join('\n')}\n`);

const dashboard = 'Get a new one in the dashboard under Settings, API Keys.';

test('a refused key in a variable is named, and advised to be changed there', async (t: TestContext) => {
	const {home, service} = await startLiveLike(t);
	const run = async (variables: Readonly<Record<string, string>>) => runCommand(['installed'], {env: {...home.env, ...variables}});
	assert.deepEqual(
		await run({SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: wrongKey}),
		refused(
			'The service refused the API key in SWITCHBOARD_API_KEY. Invalid API key.',
			`${dashboard} Change or unset the variable. Signing in does not help: the variable overrides every stored key.`,
		),
	);
	assert.deepEqual(
		await run({OPENHOME_API_BASE: service.baseAddress, OPENHOME_API_KEY: wrongKey}),
		refused(
			'The service refused the API key in OPENHOME_API_KEY. Invalid API key.',
			`${dashboard} Change the variable, or sign in with: switchboard login --base-url ${service.baseAddress}`,
		),
	);
	assert.deepEqual(
		service.requests.map(({method, headers}) => [method, headers['x-api-key']]),
		[
			['GET', wrongKey],
			['GET', wrongKey],
		],
	);
});

test('a refused key of a profile is named, with the way to sign in again', async (t: TestContext) => {
	const {home, service} = await startLiveLike(t);
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work@home'], {
		env: home.env,
		stdin: service.apiKey,
	});
	service.failNext({status: 401, when: ({path}) => path.includes('installed'), times: 2});
	assert.deepEqual(
		await runCommand(['installed'], {env: home.env}),
		refused(
			'The service refused the API key of the profile “work@home” (HTTP 401).',
			`${dashboard} Sign in again with: switchboard login --profile work@home`,
		),
	);
	const {kind, message} = lastError(await runCommand(['installed', '--json'], {env: home.env}));
	assert.deepEqual(
		[kind, message],
		[
			'key-refused',
			`The service refused the API key of the profile “work@home” (HTTP 401). ${dashboard} Sign in again with: switchboard login --profile work@home`,
		],
	);
});

test('a key refused by the bundled service points to keys create', async () => {
	await using served = await startServedHome();
	await served.run(['keys', 'revoke', 'key 1']);
	assert.deepEqual(
		await served.run(['agents']),
		refused(
			'The service refused the API key in SWITCHBOARD_API_KEY. It is not a key of this service. Make a new one with: switchboard keys create.',
			'Change or unset the variable. Signing in does not help: the variable overrides every stored key.',
		),
	);
	const login = await runCommand(['login', '--base-url', served.baseAddress, '--api-key-stdin'], {env: served.home.env, stdin: wrongKey});
	assert.deepEqual(
		login,
		ended(3, '', 'The service refused the API key. It is not a key of this service. Make a new one with: switchboard keys create.\n'),
	);
});

test('login with a refused key in a variable names the variable', async (t: TestContext) => {
	const {home, service} = await startLiveLike(t);
	const login = await runCommand(['login', '--base-url', service.baseAddress], {env: {...home.env, SWITCHBOARD_API_KEY: wrongKey}});
	assert.deepEqual(
		login,
		refused(
			'Using the key in SWITCHBOARD_API_KEY, ending in 6789.',
			'The service refused the API key in SWITCHBOARD_API_KEY. Invalid API key.',
			`${dashboard} Change or unset the variable, then sign in again.`,
		),
	);
});
