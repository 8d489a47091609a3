import {after, assert, test, type TestContext} from '../helpers/node.ts';
import {createRun, ended, json, jsonError} from './outcomes.ts';
import {lastError, parseJson, shareServedHome} from './served-home.ts';
import {isRead, isWrite, startLiveLike} from './start-live-like.ts';
import {jsonAnswer, runCommand, startDocumentedService, startInProcess, startOddService, waitUntil, environmentFor} from './kit.ts';

const served = await shareServedHome({after});

type Loose = Record<string, unknown>;

const item = (id: number, name: string, enabled: boolean | null) => ({installed_cap_id: id, name, enabled});

const installedPath = '/api/capabilities/get-installed-capabilities/';

test('wait ends at once where the state is there', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	assert.deepEqual(await run(['wait', 'Lamps', '302', 'lamps', '--for', 'on']), ended(0, '301\ton\tlamps\n302\ton\tpantry\n'));
	assert.deepEqual(
		await run(['wait', 'nightwatch', '--for', 'OFF', '--json', '--read-only']),
		ended(0, json([item(303, 'nightwatch', false)])),
	);
	assert.equal(service.requests.length, 2);
});

test('wait ends when the last one is in the state, on the bundled service', async () => {
	await served.run(['enable', 'pantry', 'deskmusic']);
	await using waiting = startInProcess(['wait', 'pantry', 'deskmusic', '--for', 'off', '--json'], served.env);
	await served.run(['disable', 'pantry']);
	await served.run(['disable', 'deskmusic']);
	assert.equal(await waiting.exited, 0);
	const printed = parseJson(waiting.lines().join('\n')) as readonly Loose[];
	assert.deepEqual(
		printed.map(({name, enabled}) => [name, enabled]),
		[
			['pantry', false],
			['deskmusic', false],
		],
	);
	assert.equal(waiting.errors(), '');
});

test('when the time is up, what was seen last is printed, exit 5', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const [asJson, asText] = await Promise.all([
		run(['wait', 'lamps', 'nightwatch', 'pantry', '--for', 'off', '--timeout', '3', '--json']),
		run(['wait', 'lamps', '--for', 'off', '--timeout', '3']),
	]);
	const seen = [item(301, 'lamps', true), item(303, 'nightwatch', false), item(302, 'pantry', true)];
	assert.deepEqual(
		asJson,
		ended(5, json(seen), jsonError('timeout', 'Not off after 3 s: lamps, pantry. Allow more time with --timeout DURATION.')),
	);
	assert.deepEqual(asText, ended(5, '301\ton\tlamps\n', 'Not off after 3 s: lamps.\nAllow more time with --timeout DURATION.\n'));
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('an ability that is uninstalled meanwhile is exit 6 where several were named, exit 4 alone', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const release = service.hold({when: isRead, isCarriedOutFirst: true});
	const running = run(['wait', 'nightwatch', 'pantry', '--for', 'on', '--json']);
	const alone = run(['wait', 'nightwatch', '--for', 'on', '--json']);
	// Each has asked once.
	await waitUntil(() => service.heldCount() === 2);
	service.installed = service.installed.slice(0, 2);
	release();
	const gone = {kind: 'not-found', message: 'nightwatch is no longer installed. List the installed abilities with: switchboard installed'};
	const result = await running;
	assert.deepEqual(
		[result.exitCode, result.stdout],
		[6, json([{...item(303, 'nightwatch', null), error: gone}, item(302, 'pantry', true)])],
	);
	assert.equal(result.stderr, jsonError('some-failed', '1 of 2 failed. List the installed abilities with: switchboard installed'));
	assert.deepEqual(await alone, ended(4, json([{...item(303, 'nightwatch', null), error: gone}]), `${JSON.stringify({error: gone})}\n`));
});

test('a state that the service does not show is exit 2 at once', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t, {
		home: {
			installed: [
				{id: 1, name: 'lamp'},
				{id: 2, name: 'radio', enabled: false},
			],
		},
	});
	const error = {kind: 'refused', message: 'The service does not show whether lamp is on, so it cannot be waited for.'};
	assert.deepEqual(await run(['wait', 'lamp', '--for', 'on']), ended(2, '1\t?\tlamp\n', `${error.message}\n`));
	const both = json([item(2, 'radio', false), {...item(1, 'lamp', null), error}]);
	assert.deepEqual(
		await run(['wait', 'radio', 'lamp', '--for', 'on', '--json']),
		ended(6, both, jsonError('some-failed', '1 of 2 failed. Wait only for the others.')),
	);
	assert.equal(service.requests.length, 2);
});

test('an ability that a part of the list does not show is waited for', async (t: TestContext) => {
	const service = await startOddService();
	t.after(async () => service.close());
	const whole = (enabled: boolean) => jsonAnswer([{id: 1, name: 'lamp', enabled}]);
	service.program(installedPath, whole(false), jsonAnswer({results: [], next: 'https://example.com/more'}), whole(true));
	const {run} = await createRun(service);
	assert.deepEqual(await run(['wait', 'lamp', '--for', 'on']), ended(0, '1\ton\tlamp\n'));
});

test('a service that stays away is exit 5 when the time is up', async () => {
	const gone = await startDocumentedService();
	await gone.close();
	const env = environmentFor(gone);
	const result = await runCommand(['wait', 'pantry', '--for', 'on', '--timeout', '1', '--json'], {env});
	assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [5, '[]\n', 'timeout']);
});

test('a refused key is exit 3, a service without the list exit 4', async (t: TestContext) => {
	const {env} = await startLiveLike(t);
	const refused = await runCommand(['wait', 'pantry', '--for', 'on', '--json'], {
		env: {...env, SWITCHBOARD_API_KEY: 'wrong-key-0123456789'},
	});
	assert.deepEqual([refused.exitCode, refused.stdout, lastError(refused).kind], [3, '', 'key-refused']);
	const odd = await startOddService();
	t.after(async () => odd.close());
	const {run} = await createRun(odd);
	const missing = await run(['wait', 'pantry', '--for', 'on']);
	assert.deepEqual([missing.exitCode, missing.stdout], [4, '']);
});

for (const [how, words, exitCode, error] of [
	['Ctrl+C', [], 130, /"kind":"interrupted","message":"Interrupted\."/],
	['the end of the time', ['--timeout', '6'], 5, /"kind":"timeout","message":"Not on after 6 s: nightwatch\./],
] as const) {
	test(`${how} cuts a request short, and what was seen last is printed`, async (t: TestContext) => {
		const {service, env} = await startLiveLike(t);
		const release = service.hold({when: () => service.requests.length > 1});
		t.after(release);
		await using waiting = startInProcess(['wait', 'nightwatch', '--for', 'on', '--json', ...words], env);
		await service.waitForRequests(2, isRead);
		if (exitCode === 130) {
			waiting.kill('SIGINT');
		}

		assert.equal(await waiting.exited, exitCode);
		assert.equal(`${waiting.lines().join('\n')}\n`, json([item(303, 'nightwatch', false)]));
		assert.match(waiting.errors(), error);
		assert.equal(waiting.errors().split('\n').length, 2);
	});
}
