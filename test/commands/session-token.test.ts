import {Buffer} from 'node:buffer';
import {assert, path, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import type {KeyOptions} from '../helpers/live-like/keys.ts';
import {abilityFolder} from '../bundle/ability-folder.ts';
import {connectAssistant, createIsolatedHome, lastError, parseJson, runCommand, startLiveLikeService} from './kit.ts';

/*
A key that some operations refuse, and the session token of the dashboard that stands in for it there.
*/

const tokenUntil = (seconds: number): string =>
	['{"alg":"HS256","typ":"JWT"}', `{"exp":${seconds}}`, 'signature'].map(part => Buffer.from(part).toString('base64url')).join('.');

const sessionToken = tokenUntil(4_000_000_000);

const half = {isHalf: true, sessionToken} as const;

async function start(t: TestContext, keys: KeyOptions = half) {
	const {env: homeEnv, folder} = createIsolatedHome();
	const service = await startLiveLikeService({keys});
	t.after(async () => service.close());
	const {baseAddress, apiKey} = service;
	const env = {...homeEnv, OPENHOME_API_BASE: baseAddress, OPENHOME_API_KEY: apiKey};
	const withToken = {...env, OPENHOME_JWT: sessionToken};
	return {
		service,
		env,
		withToken,
		folder,
		run: async (words: readonly string[], variables: Readonly<Record<string, string>> = withToken) =>
			runCommand(words, {env: variables, cwd: folder}),
		/** The paths that a session token was sent to. */
		sentTo: () =>
			service.requests.filter(({headers}) => headers.authorization !== undefined).map(({method, path: at}) => `${method} ${at}`),
	};
}

const listAll = 'GET /api/capabilities/get-all-capabilities/';

const told = 'The service refuses the API key in OPENHOME_API_KEY for “List abilities”: using the session token in OPENHOME_JWT there.\n';

test('what refuses the key in part says that a session of the dashboard is the likely reason, and the rest works', async (t: TestContext) => {
	const {run, env} = await start(t);
	const refused = await run(['abilities'], env);
	assert.deepEqual(
		[refused.exitCode, refused.stderr],
		[
			3,
			'The service refused the API key in OPENHOME_API_KEY. Authentication credentials were not provided. It accepts the key elsewhere, so this probably needs a session token of the dashboard.\nSee OPENHOME_JWT in: switchboard help environment\n',
		],
	);
	assert.equal(lastError(await run(['abilities', '--json'], env)).kind, 'key-refused');
	for (const words of [['agents'], ['installed'], ['toggle', 'lamps']]) {
		assert.equal((await run(words, env)).exitCode, 0, words.join(' '));
	}
});

test('status says which reads take the key, and that changes are not tried', async (t: TestContext) => {
	const {run, env, sentTo} = await start(t);
	const inPart = await run(['status'], env);
	assert.equal(inPart.exitCode, 3);
	assert.match(
		inPart.stdout,
		/\nkey accepted\tyes\naccepted for\tagents: yes, abilities: no, installed: yes, verification: yes, changes: not tried\nworks\tagents, installed\nunavailable\tabilities, /,
	);
	for (const [variables, name, exitCode] of [
		[env, null, 3],
		[{...env, OPENHOME_JWT: sessionToken}, 'OPENHOME_JWT', 0],
	] as const) {
		const result = await run(['status', '--json'], variables);
		const {accepted, key_accepted: isAccepted, session_token: token} = parseJson(result.stdout) as Readonly<Record<string, unknown>>;
		assert.deepEqual(
			[result.exitCode, accepted, isAccepted, token],
			[exitCode, {agents: true, abilities: false, installed: true, verify: true}, true, name],
		);
	}

	assert.match((await run(['status'])).stdout, /\nsession token\tOPENHOME_JWT, used where the key is refused\n/);
	assert.match(
		(await run(['status'], {...env, OPENHOME_JWT: tokenUntil(1_700_000_000)})).stdout,
		/\nsession token\tOPENHOME_JWT, expired on 2023-11-14 22:13 UTC\n/,
	);
	assert.deepEqual(sentTo(), []);
});

test('the session token stands in where the key is refused, without the key, and that is said once', async (t: TestContext) => {
	const {run, service, sentTo} = await start(t);
	const listed = await run(['abilities']);
	assert.deepEqual([listed.exitCode, listed.stderr], [0, told]);
	assert.deepEqual(sentTo(), [listAll]);
	const porch = await abilityFolder();
	const uploaded = await run(['abilities', 'upload', porch, '--name', 'porch', '--triggers', 'light the porch', '--json']);
	assert.equal(uploaded.exitCode, 0, uploaded.stderr);
	assert.equal(uploaded.stderr.split('session token in OPENHOME_JWT').length, 2);
	const withToken = service.requests.filter(({headers}) => headers.authorization !== undefined);
	assert.ok(withToken.every(({headers}) => headers.authorization === `Bearer ${sessionToken}` && headers['x-api-key'] === undefined));
	assert.deepEqual(
		sentTo().filter(request => !request.startsWith('GET /api/capabilities')),
		['GET /api/personalities/get-all-personalities/', 'POST /api/capabilities/add-capability/'],
	);
	assert.ok(service.requests.every(({path: at, body}) => !at.includes(sessionToken) && !body.includes(sessionToken)));
});

test('a command that opens its service twice says it once', async (t: TestContext) => {
	const {run, env, folder} = await start(t);
	const file = path.join(folder, 'state.yaml');
	writeFileSync(file, 'version: 1\ninstalled:\n  lamps: off\nagents:\n  Hearth: {abilities: [lamps]}\n');
	const {exitCode, stderr} = await run(['apply', file, '--yes'], {...env, OPENHOME_JWT: `"${sessionToken}"`});
	assert.equal(exitCode, 0, stderr);
	assert.deepEqual([stderr.split('Removed what was').length, stderr.split('The service refuses').length], [2, 2]);
});

test('nothing is changed with a session token of another account', async (t: TestContext) => {
	const {run, service} = await start(t, {...half, sessionAgents: [{id: 999, name: 'Stranger'}]});
	const porch = await abilityFolder();
	const before = service.abilities.length;
	for (const words of [
		['install', 'desk'],
		['abilities', 'upload', porch, '--name', 'porch', '--triggers', 'light the porch'],
	]) {
		const result = await run([...words, '--json']);
		assert.equal(result.exitCode, 3, result.stderr);
		assert.match(
			result.stdout + result.stderr,
			/Nothing was changed with the session token in OPENHOME_JWT: it is of another account than the API key in OPENHOME_API_KEY/,
		);
	}

	assert.equal(service.abilities.length, before);
	assert.deepEqual(
		service.requests.filter(
			({method, path: at, headers}) => headers.authorization !== undefined && (method !== 'GET' || at.includes('install-')),
		),
		[],
	);
});

test('a session token that has expired is told as that, by its own time or by the refusal', async (t: TestContext) => {
	const {run, env, sentTo} = await start(t, {...half, isSessionOver: true});
	const next = 'Such a token is valid for a few minutes: set OPENHOME_JWT to a new one from the dashboard.\n';
	const refusal = 'The service refused the API key in OPENHOME_API_KEY. Authentication credentials were not provided. ';
	const over = await run(['abilities']);
	assert.deepEqual(
		[over.exitCode, over.stderr],
		[3, `${told}${refusal}The service refused the session token in OPENHOME_JWT. Token is expired. It has probably expired.\n${next}`],
	);
	assert.deepEqual(sentTo(), [listAll]);
	const old = await run(['abilities'], {...env, OPENHOME_JWT: tokenUntil(1_700_000_000)});
	assert.deepEqual(
		[old.exitCode, old.stderr],
		[3, `${refusal}The session token in OPENHOME_JWT expired on 2023-11-14 22:13 UTC.\n${next}`],
	);
	assert.deepEqual(sentTo(), [listAll]);
});

test('the session token stands in for no assistant', async (t: TestContext) => {
	const {withToken, sentTo} = await start(t);
	const {call} = await connectAssistant(t, withToken);
	assert.equal((await call('list_abilities', {})).isError, true);
	assert.deepEqual(sentTo(), []);
});

test('quotes around the session token are taken off, and one with a break is refused', async (t: TestContext) => {
	const {run, env, sentTo} = await start(t);
	const quoted = await run(['abilities'], {...env, OPENHOME_JWT: `"Bearer ${sessionToken}"`});
	assert.deepEqual([quoted.exitCode, quoted.stderr], [0, `Removed what was around the key in OPENHOME_JWT: quotes, “Bearer”.\n${told}`]);
	const broken = await run(['abilities'], {...env, OPENHOME_JWT: `${sessionToken.slice(0, 9)}\n${sessionToken.slice(9)}`});
	assert.equal(broken.exitCode, 2);
	assert.match(broken.stderr, /^OPENHOME_JWT is not a valid session token: there is a space or a line break within it\./);
	assert.deepEqual(sentTo(), [listAll]);
});
