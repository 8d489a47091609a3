import {assert, test, type TestContext} from '../helpers/node.ts';
import {openUi} from '../end-to-end/open-ui.ts';
import {type CommandResult, createIsolatedHome, ended, lastError, parseJson, runCommand, startLiveLikeService} from './kit.ts';

/** Two services, each a profile; the second one is the current. */
async function start(t: TestContext) {
	const home = createIsolatedHome();
	const one = await startLiveLikeService({apiKey: 'key-of-the-first-0001'});
	const two = await startLiveLikeService({apiKey: 'key-of-the-other-0002'});
	one.installed = [{id: 1, name: 'attic', enabled: true}];
	two.installed = [{id: 2, name: 'cellar', enabled: true}];
	t.after(async () => {
		await Promise.all([one.close(), two.close()]);
	});
	const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = ''): Promise<CommandResult> =>
		runCommand(words, {env: {...home.env, ...env}, stdin});
	await run(['login', '--base-url', one.baseAddress, '--api-key-stdin', '--profile', 'one'], {}, one.apiKey);
	await run(['login', '--base-url', two.baseAddress, '--api-key-stdin', '--profile', 'two'], {}, two.apiKey);
	const currentName = async (): Promise<string | undefined> => {
		const profiles = parseJson((await run(['profiles', '--json'])).stdout) as ReadonlyArray<{
			readonly name: string;
			readonly current: boolean;
		}>;
		return profiles.find(({current}) => current)?.name;
	};

	return {home, one, two, run, currentName};
}

test('SWITCHBOARD_PROFILE chooses the profile, and the other variables are ignored', async (t: TestContext) => {
	const {run, one, two} = await start(t);
	const env = {SWITCHBOARD_PROFILE: 'one', SWITCHBOARD_BASE_URL: two.baseAddress, SWITCHBOARD_API_KEY: 'wrong-key-0123456789'};
	const count = two.requests.length;
	assert.match((await run(['installed'], env)).stdout, /^1\ton\tattic\t/);
	assert.equal(two.requests.length, count);
	assert.equal(one.requests.at(-1)?.headers['x-api-key'], one.apiKey);
	assert.match((await run(['installed', '--profile', 'two'], env)).stdout, /^2\ton\tcellar\t/);
	assert.match((await run(['installed', '--base-url', two.baseAddress], {SWITCHBOARD_PROFILE: 'one'})).stdout, /^2\ton\tcellar\t/);
	const unknown = await run(['installed', '--json'], {SWITCHBOARD_PROFILE: 'three'});
	assert.deepEqual(
		[unknown.exitCode, lastError(unknown)],
		[
			4,
			{
				kind: 'not-found',
				message:
					'There is no profile “three” (from SWITCHBOARD_PROFILE). Known profiles: one, two, local. To create one, run: switchboard login --profile three',
			},
		],
	);
	assert.deepEqual(
		await run(['installed', '--profile', 'Twp']),
		ended(
			4,
			'',
			'There is no profile “Twp”.\nDid you mean: two. Known profiles: one, two, local. To create one, run: switchboard login --profile Twp\n',
		),
	);
});

test('login, logout and profiles ignore SWITCHBOARD_PROFILE, and warn where it still counts', async (t: TestContext) => {
	const {run, one, two, currentName} = await start(t);
	const env = {SWITCHBOARD_PROFILE: 'two'};
	const told = 'SWITCHBOARD_PROFILE is set, so commands in this shell still use “two”.\n';
	const used = await run(['profiles', 'use', 'one'], env);
	assert.deepEqual([used.exitCode, used.stderr], [0, told]);
	assert.equal(await currentName(), 'one');
	assert.deepEqual(await run(['logout'], env), ended(0, 'Signed out: removed the key of the profile “one”.\n'));
	// Without an address, that of the current profile: not that of the variable.
	const login = await run(['login', '--api-key-stdin'], env, one.apiKey);
	assert.deepEqual([login.exitCode, login.stderr], [0, told]);
	assert.match(login.stdout, new RegExp(`^Signed in to ${one.baseAddress} as the profile “one”`));
	const removed = await run(['profiles', 'remove', 'one'], env);
	assert.deepEqual([removed.exitCode, removed.stderr], [0, '']);
	assert.match((await run(['installed'], env)).stdout, /^2\ton\tcellar\t/);
	assert.equal(two.requests.at(-1)?.headers['x-api-key'], two.apiKey);
});

test('profiles marks what is used here, and says what decides', async (t: TestContext) => {
	const {run, one, two} = await start(t);
	const lines = (marks: string): string =>
		`${marks[0]!.trim()}\tone\t${one.baseAddress}\t…0001\n${marks[1]!.trim()}\ttwo\t${two.baseAddress}\t…0002\n`;
	assert.deepEqual(await run(['profiles']), ended(0, lines(' >')));
	assert.deepEqual(
		await run(['profiles'], {SWITCHBOARD_PROFILE: 'one'}),
		ended(0, lines('>*'), 'Commands here use “one”, because of SWITCHBOARD_PROFILE.\n'),
	);
	assert.deepEqual(await run(['profiles', '--profile', 'one']), ended(0, lines('>*'), 'Commands here use “one”, because of --profile.\n'));
	assert.deepEqual(
		await run(['profiles'], {SWITCHBOARD_BASE_URL: one.baseAddress}),
		ended(0, lines('>*'), 'Commands here use “one”, because of SWITCHBOARD_BASE_URL.\n'),
	);
	assert.deepEqual(
		await run(['profiles'], {SWITCHBOARD_BASE_URL: 'https://voice.example.com', SWITCHBOARD_API_KEY: 'another-key-0003'}),
		ended(0, lines(' *'), 'Commands here use https://voice.example.com, because of SWITCHBOARD_BASE_URL.\n'),
	);
	assert.deepEqual(
		await run(['profiles'], {SWITCHBOARD_API_KEY: 'another-key-0003'}),
		ended(0, lines(' >'), 'SWITCHBOARD_API_KEY is set: commands here use its key instead of the stored one.\n'),
	);
	const local = await run(['profiles'], {SWITCHBOARD_PROFILE: 'local'});
	assert.equal(local.stdout, `${lines(' *')}>\tlocal\tthe bundled service on this machine\tnot needed\n`);
	const marks = parseJson((await run(['profiles', '--json'], {SWITCHBOARD_PROFILE: 'one'})).stdout) as ReadonlyArray<{
		readonly current: boolean;
		readonly in_use: boolean;
	}>;
	assert.deepEqual(
		marks.map(({current, in_use: isUsed}) => [current, isUsed]),
		[
			[false, true],
			[true, false],
		],
	);
	// What cannot be used is no mistake of this command.
	const wrong = [
		[{SWITCHBOARD_PROFILE: 'three'}, 'Commands here fail: There is no profile “three” (from SWITCHBOARD_PROFILE).'],
		[{SWITCHBOARD_BASE_URL: 'nowhere'}, 'Commands here fail: SWITCHBOARD_BASE_URL: “nowhere” is not the address of a service.'],
		[
			{SWITCHBOARD_API_KEY: 'two words'},
			'Commands here fail: SWITCHBOARD_API_KEY is not a valid API key: there is a space or a line break within it.',
		],
	] as const;
	for (const [variables, note] of wrong) {
		assert.deepEqual(await run(['profiles'], variables).then(({exitCode, stderr}) => [exitCode, stderr]), [0, `${note}\n`]);
	}
});

test('the UI opens on SWITCHBOARD_PROFILE', async (t: TestContext) => {
	const {home} = await start(t);
	await using ui = openUi(home, {env: {SWITCHBOARD_PROFILE: 'one'}});
	const lines = await ui.waitFor('attic');
	assert.match(lines[0]!, /^ Switchboard +\S* ?one /);
	ui.press('q');
	assert.equal((await ui.exited).exitCode, 0);
});

test('profiles remove refuses the profile of the bundled service', async (t: TestContext) => {
	const {run, currentName} = await start(t);
	await run(['profiles', 'use', 'local']);
	assert.deepEqual(
		await run(['profiles', 'remove', 'local']),
		ended(
			2,
			'',
			[
				'The profile “local” is the bundled service and cannot be removed.',
				'To make another profile the current one, run: switchboard profiles use NAME',
				'',
			].join('\n'),
		),
	);
	assert.equal(await currentName(), 'local');
});
