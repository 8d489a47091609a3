import {assert, test, type TestContext} from '../helpers/node.ts';
import {startInProcess, type RunningCommand} from './running-command.ts';
import {isWrite, startLiveLike} from './start-live-like.ts';
import {environmentFor, jsonAnswer, runCommand, startLiveLikeService, startOddService} from './kit.ts';

type Loose = Record<string, unknown>;

const watching = 'Watching. Ctrl+C stops.\n';

const isWatching = (command: RunningCommand): boolean => command.errors().includes('Watching.');

/** A live-like service with a watch that has read its lists. */
async function start(t: TestContext, words: readonly string[] = ['--json'], env: Readonly<Record<string, string>> = {}) {
	const place = await startLiveLike(t);
	const watch = startInProcess(['watch', '--interval', '1', ...words], {...place.env, ...env});
	t.after(async () => watch[Symbol.asyncDispose]());
	await watch.waitFor(isWatching);
	return {...place, watch};
}

test('every kind of change on a live-like service is a line, a rename a single one', async (t: TestContext) => {
	const {service, watch} = await start(t, []);
	const [lamps, pantry] = service.installed as Loose[];
	const [hearth] = service.agents as Loose[];
	Object.assign(lamps!, {enabled: false, trigger_words: ['light please']});
	Object.assign(pantry!, {name: 'larder'});
	Object.assign(hearth!, {description: 'You look after\na house.'});
	Object.assign(service.abilities[0] as Loose, {
		capability_versions: [
			{id: 2, version: '1.1.0', is_user_enabled: true},
			{id: 1, version: '1.0.0', is_user_enabled: false},
		],
	});
	Object.assign(service.abilities[3] as Loose, {category: 'skill', description: 'Opens it'});
	service.installed = [...service.installed.slice(0, 2), {id: 304, name: 'desk', enabled: true}];
	service.agents = [...service.agents, {id: 3, name: 'Attic'}];
	await watch.waitFor(command => command.lines().length >= 10);
	assert.deepEqual(
		watch
			.lines()
			.map(line => line.replace(/^\S+Z\t/, ''))
			.toSorted(),
		[
			'+ agent Attic: create',
			'+ desk: install',
			'- nightwatch: uninstall',
			'~ ability desk category: local → skill',
			'~ ability desk description: What desk does → Opens it',
			'~ ability lamps version: 1.0.0 → 1.1.0',
			'~ agent Hearth prompt: 1 line → 2 lines',
			'~ lamps triggers: lamps please, it is dark → light please',
			'~ lamps: on → off',
			'~ pantry name: pantry → larder',
		],
	);
	watch.kill('SIGINT');
	assert.equal(await watch.exited, 0);
	assert.equal(watch.errors(), watching);
	assert.deepEqual(service.requests.filter(isWrite), []);
});

test('a field that is not shown any more, or only now, is no change', async (t: TestContext) => {
	const {service, watch} = await start(t);
	service.installed = [
		{id: 301},
		{id: 302, name: 'pantry', enabled: true, category: null, trigger_words: null},
		{id: 303, name: 'nightwatch', enabled: true},
	];
	await watch.waitFor(command => command.lines().length > 0);
	assert.deepEqual(watch.changes(), [{kind: 'installed', name: 'nightwatch', field: 'enabled', from: false, to: true}]);
	assert.match(watch.lines()[0]!, /^\{"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","kind":/);
});

test('a list that has not changed is asked for by its tag alone', async (t: TestContext) => {
	const service = await startOddService();
	t.after(async () => service.close());
	const tags: unknown[] = [];
	service.program('/api/capabilities/get-installed-capabilities/', ({headers}) => {
		tags.push(headers['if-none-match']);
		return headers['if-none-match'] === '"one"'
			? {status: 304}
			: {...jsonAnswer([{id: 1, name: 'lamp', enabled: true}]), headers: {'content-type': 'application/json', etag: '"one"'}};
	});
	await using watch = startInProcess(['watch', '--interval', '1', '--json'], environmentFor(service));
	await watch.waitFor(() => tags.length >= 3);
	assert.deepEqual(tags.slice(0, 3), [undefined, '"one"', '"one"']);
	assert.equal(
		watch.errors(),
		[
			'The service has no list of abilities (HTTP 404): they are not watched.',
			'The service has no list of agents (HTTP 404): they are not watched.',
			'Watching. Ctrl+C stops.',
			'',
		].join('\n'),
	);
	// What was left out is not asked for again.
	assert.equal(service.requests.filter(({path}) => path.endsWith('get-all-capability/')).length, 1);
});

test('a service without any list is exit 4', async (t: TestContext) => {
	const service = await startOddService();
	t.after(async () => service.close());
	const result = await runCommand(['watch'], {env: environmentFor(service)});
	assert.deepEqual([result.exitCode, result.stdout], [4, '']);
	assert.match(result.stderr, /\nThe service has no such path \(HTTP 404\)\.\nCheck the address of the service\.\n$/);
});

test('an outage is told once, and once that it is over; what changed meanwhile is reported', async (t: TestContext) => {
	const {service, watch} = await start(t);
	await service.close();
	await watch.waitFor(command => command.errors().includes('Trying again'));
	const installed = service.installed.map(record => ({...(record as Loose), enabled: false}));
	const again = await startLiveLikeService({port: Number(new URL(service.baseAddress).port), home: {installed}});
	t.after(async () => again.close());
	await watch.waitFor(command => command.lines().length === 2);
	await watch.waitFor(command => command.errors().includes('answers again'));
	assert.deepEqual(
		watch.changes().map(({name, to}) => [name, to]),
		[
			['lamps', false],
			['pantry', false],
		],
	);
	const [first, second, third, ...rest] = watch.errors().split('\n');
	assert.equal(`${first}\n`, watching);
	assert.match(second!, / Trying again until it works\.$/);
	assert.deepEqual([third, rest], ['The service answers again.', ['']]);
});

test('a service that is away at first is waited for, and one list that fails does not hide the changes of the others', {
	timeout: 60_000,
}, async (t: TestContext) => {
	const {service, env} = await startLiveLike(t);
	// The first round alone: each list is tried three times.
	service.failNext({status: 500, body: '{}', times: 3, when: ({path}) => path.includes('personalities')});
	await using watch = startInProcess(['watch', '--interval', '1', '--json'], env);
	await watch.waitFor(command => command.errors().includes('answers again'));
	assert.equal(watch.errors(), `The service failed (HTTP 500). Trying again until it works.\n${watching}The service answers again.\n`);
	service.failNext({status: 500, body: '{}', times: 300, when: ({path}) => path.includes('personalities')});
	(service.installed[0] as Loose)['enabled'] = false;
	await watch.waitFor(command => command.lines().length === 1);
});

test('a path that is gone for a while is an outage, as where a proxy answers for the service', {
	timeout: 60_000,
}, async (t: TestContext) => {
	const {service, watch} = await start(t);
	service.failNext({status: 404, body: '<html>', times: 2, when: ({path}) => path.includes('installed')});
	await watch.waitFor(command => command.errors().includes('answers again'));
	(service.installed[0] as Loose)['enabled'] = false;
	await watch.waitFor(command => command.lines().length === 1);
});

test('a key that is refused ends the watch with exit 3', async (t: TestContext) => {
	const {service, watch} = await start(t);
	service.failNext({status: 401, headers: {'content-type': 'application/json'}, body: '{"detail": "Invalid API key"}', times: 10});
	assert.equal(await watch.exited, 3);
	assert.match(
		watch.errors().split('\n').at(-2)!,
		/^\{"error":\{"kind":"key-refused","message":"The service refused the API key in SWITCHBOARD_API_KEY. Invalid API key\. /,
	);
});

test('a reader that closes the pipe ends the watch, exit 0', async (t: TestContext) => {
	const {service, watch} = await start(t);
	watch.closeOutput();
	(service.installed[0] as Loose)['enabled'] = false;
	assert.equal(await watch.exited, 0);
	assert.equal(watch.errors(), watching);
});

test('a signal other than Ctrl+C ends the watch with its exit code', async (t: TestContext) => {
	const {watch} = await start(t);
	watch.kill('SIGTERM');
	assert.equal(await watch.exited, 143);
	assert.match(watch.errors(), /\{"error":\{"kind":"terminated",/);
});

test('a signal ends the watch while a list is read too', async (t: TestContext) => {
	const {service, watch} = await start(t);
	const release = service.hold();
	t.after(release);
	const count = service.requests.length;
	await service.waitForRequests(count + 1);
	watch.kill('SIGINT');
	assert.equal(await watch.exited, 0);
	assert.equal(watch.errors(), watching);
});
