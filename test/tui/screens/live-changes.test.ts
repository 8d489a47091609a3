import {assert, test, type TestContext} from '../../helpers/node.ts';
import {createServer, request as sendOn, type ServerResponse} from 'node:http';
import {rarePollMilliseconds} from '../../../source/client/changes.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {resourceKeys} from '../../../source/tui/hooks/list-cache.ts';
import {startFaultRelay} from '../../helpers/fault-relay.ts';
import {listen} from '../../helpers/listen.ts';
import {named, paths, shareTestService, type TestService} from '../../service/running-service.ts';
import type {OpenAppOptions} from '../helpers/open-home.ts';
import {cursorLine, includes, openApp, openHome, renderApp, type RenderedApp} from '../helpers/kit.ts';

const service = await shareTestService();

/** Too narrow for the column of agents, which reads the other lists. */
const size = {columns: 36, rows: 14};

async function open(
	t: TestContext,
	{baseAddress, key}: Pick<TestService, 'baseAddress' | 'key'> = service,
	options: OpenAppOptions = {},
): Promise<RenderedApp> {
	const app = await openApp(t, {size, service: {baseAddress, apiKey: key}, ...options});
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	return app;
}

/** Switches an ability past the screens. */
async function toggle(name: string): Promise<void> {
	const {id, enabled} = named(await service.read(paths.installed), name);
	const {status} = await service.ask('PUT', paths.editInstalled(id), {body: {enabled: enabled !== true}});
	assert.equal(status, 200);
}

const stateOf = (lines: readonly string[], name: string): string | undefined =>
	lines.map(line => /^[ !*^][ >] (?<state>\S+) +(?<name>\S+)/.exec(line)?.groups).find(groups => groups?.['name'] === name)?.['state'];

const shows =
	(name: string, state: string) =>
	(lines: readonly string[]): boolean =>
		stateOf(lines, name) === state;

/** What the screens have asked for, but for who made a change that was seen. */
const asked = (app: RenderedApp): readonly string[] =>
	app.ui.requests
		.getEntries()
		.filter(({path}) => path !== '/history')
		.map(({method, path}) => `${method} ${path.replace(/^\/api\/\w+\//, '').replace(/\/\d+\/$/, '')}`);

const atStart = ['GET get-installed-capabilities/', 'GET /events'];

test('where the last changes have no room, one out of sight is said for a while, and > goes there', async t => {
	const app = await open(t);
	const records = await service.read(paths.installed);
	const [inView, outOfSight] = [records[0]!, records.at(-1)!].map(({name}) => String(name)) as [string, string];
	const word = records.at(-1)!['enabled'] === true ? 'off' : 'on';
	const before = app.lines();
	await toggle(inView);
	await app.shows(lines => stateOf(lines, inView) !== stateOf(before, inView));
	await toggle(outOfSight);
	await app.says(`switched ${outOfSight} ${word}. > goes there.`);
	assert.deepEqual(app.state().messages.shown?.text.includes(inView), false);
	await app.press('>').shows(lines => cursorLine(lines)?.includes(outOfSight) === true);
	await app.press('>').says('This is the last record.');
	await toggle(inView);
	await toggle(outOfSight);
});

test('a change made on one screen is on the other without a poll, and is one request', async t => {
	const here = await open(t);
	const there = await open(t);
	const query = there
		.session()
		.records.queryClient.getQueryCache()
		.find({queryKey: resourceKeys.list('installed')});
	assert.equal(query?.observers[0]?.options.refetchInterval, rarePollMilliseconds);
	const before = stateOf(here.lines(), 'morninglights')!;
	const after = before === 'on' ? 'off' : 'on';
	await here.shows(`> ${before}`);
	here.press('space');
	await there.shows(shows('morninglights', after));
	await here.shows(lines => shows('morninglights', after)(lines) && !includes('~')(lines));
	assert.deepEqual(asked(there), [...atStart, 'GET get-installed-capabilities/']);

	// What is told next shows that nothing was read for the change made here.
	await toggle('pantry');
	await here.until(() => asked(here).length === 4);
	assert.deepEqual(asked(here), [...atStart, 'PUT edit-installed-capability', 'GET get-installed-capabilities/']);
	assert.ok(here.ui.requests.getEntries().every(({status}) => status === 200));
});

test('after a long time without a key a list is still live, as the service tells of changes', async t => {
	const app = await open(t);
	const before = stateOf(app.lines(), 'pantry')!;
	app.ui.store.dispatch({type: 'set-idle', isIdle: true});
	await app.until(() => app.state().isIdle);
	await toggle('pantry');
	const lines = await app.shows(shows('pantry', before === 'on' ? 'off' : 'on'));
	assert.match(lines[0]!, / live\b/);
	app.ui.store.dispatch({type: 'set-idle', isIdle: false});
	await toggle('pantry');
	await app.shows(shows('pantry', before));
	assert.equal(asked(app).length, 4);
});

/** Forwards to a service, but holds back the answers to changes until they are released. */
async function startHoldingProxy(t: TestContext) {
	const {promise: released, resolve: release} = Promise.withResolvers<void>();
	let heldCount = 0;
	const server = createServer((request, response) => {
		const forwarded = sendOn(
			service.baseAddress + (request.url ?? ''),
			{method: request.method, headers: request.headers, agent: false},
			answer => {
				const pass = (): void => {
					response.writeHead(answer.statusCode ?? 500, answer.headers);
					response.flushHeaders();
					answer.pipe(response);
				};

				if (request.method === 'PUT') {
					heldCount++;
					void (async () => {
						await released;
						pass();
					})();
				} else {
					pass();
				}
			},
		);
		forwarded.on('error', () => {
			response.destroy();
		});
		response.on('close', () => {
			forwarded.destroy();
		});
		request.pipe(forwarded);
	});
	const port = await listen(t, server);
	return {baseAddress: `http://127.0.0.1:${port}`, release, heldCount: () => heldCount};
}

test('a change that is told before its answer comes is one request, too', async t => {
	const proxy = await startHoldingProxy(t);
	const app = await open(t, {baseAddress: proxy.baseAddress, key: service.key});
	const witness = await open(t);
	const before = stateOf(app.lines(), 'morninglights')!;
	const after = before === 'on' ? 'off' : 'on';
	app.press('space');
	await witness.shows(shows('morninglights', after));
	await app.until(() => proxy.heldCount() === 1);
	assert.ok(includes('~')(app.lines()));
	assert.deepEqual(asked(app), atStart);
	proxy.release();
	await app.shows(lines => shows('morninglights', after)(lines) && !includes('~')(lines));
	await toggle('pantry');
	await app.until(() => asked(app).length === 4);
	assert.deepEqual(asked(app), [...atStart, 'PUT edit-installed-capability', 'GET get-installed-capabilities/']);
});

test('a list that changes while a filter is typed is read when it is done', async t => {
	const app = await open(t);
	const witness = await open(t);
	const before = stateOf(app.lines(), 'pantry')!;
	const after = before === 'on' ? 'off' : 'on';
	await app.press('/').shows('/_');
	await toggle('pantry');
	await witness.shows(shows('pantry', after));
	assert.deepEqual(asked(app), atStart);
	await app.press('escape').shows(shows('pantry', after));
	assert.deepEqual(asked(app), [...atStart, 'GET get-installed-capabilities/']);
});

test('a list that is not on the screen is read when it is, and only if it has changed', async t => {
	const app = await open(t);
	const readCount = (): number => asked(app).filter(line => line.includes('get-all-personalities')).length;
	await app.press('1').shows('Hearth');
	await app.press('3').shows('[3 Installed]');
	assert.equal(readCount(), 1);

	const witness = await open(t, service, {screen: 'agents'});
	const {id} = named(await service.read(paths.agents), 'Hearth');
	assert.equal((await service.ask('PUT', paths.editAgent, {body: {personality_id: id, name: 'Lantern'}})).status, 200);
	await witness.shows('Lantern');
	assert.equal(readCount(), 1);
	await app.press('1').shows('Lantern');
	assert.equal(readCount(), 2);
	await app.press('3', '1').shows('[1 Agents]');
	assert.equal(readCount(), 2);
});

/** The screens on a service behind a relay. */
async function openBehindRelay(t: TestContext) {
	const relay = await startFaultRelay(t, {target: service});
	return {relay, app: await open(t, {baseAddress: relay.baseAddress, key: service.key})};
}

test('a service that cannot be reached is shown as away at once, and what changed meanwhile when it is back', {
	timeout: 60_000,
}, async t => {
	const {relay, app} = await openBehindRelay(t);
	const before = stateOf(app.lines(), 'pantry')!;
	relay.put(socket => {
		socket.destroy();
	});
	await app.shows('unreachable');
	relay.put();
	await app.shows('live');
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');

	await relay.refuse();
	await app.shows('unreachable');
	await toggle('pantry');
	await relay.listen();
	await app.shows('live', shows('pantry', before === 'on' ? 'off' : 'on'));
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
});

test('after the connection was cut, only lists that have changed are read', async t => {
	const {relay, app} = await openBehindRelay(t);
	relay.put();
	await app.until(() => asked(app).length === 3);
	assert.deepEqual(asked(app), [...atStart, 'GET /events']);
	await toggle('pantry');
	await app.until(() => asked(app).length === 4);
	assert.deepEqual(asked(app), [...atStart, 'GET /events', 'GET get-installed-capabilities/']);
	assert.ok(includes('live')(app.lines()));
});

test('a revoked key is shown at once', async t => {
	const keys = await openApiKeys(service.dataFolder);
	const {key} = await keys.create({name: 'lost'});
	const app = await open(t, {...service, key});
	await keys.revoke(['lost']);
	await keys.close();
	await app.shows('key refused');
	assert.deepEqual(asked(app), ['GET get-installed-capabilities/', 'GET /events', 'GET /events', 'GET get-installed-capabilities/']);
});

test('a service without a feed of changes is asked for it once', async t => {
	const {service, app} = await openHome(t, {size});
	for (let count = 3; count < 6; count++) {
		await app.press('r').until(() => asked(app).length === count && includes('reads every 15 s')(app.lines()));
	}

	await app.press('2').shows('desk');
	assert.equal(service.feedRequests.length, 1);
});

test('however many changes are told, one read of a list is under way and one waits', async t => {
	let feed: ServerResponse | undefined;
	const lists: ServerResponse[] = [];
	const server = createServer((request, response) => {
		if (request.url === '/events') {
			feed = response;
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write('event: change\ndata: {"resource":"installed","version":"v0"}\n\n');
		} else if (request.url!.startsWith('/history')) {
			response.writeHead(404).end();
		} else {
			lists.push(response);
		}
	});
	const port = await listen(t, server);
	const app = await renderApp(t, {size, service: {baseAddress: `http://127.0.0.1:${port}`, apiKey: 'key-of-the-flood-0123456789'}});
	let version = 0;
	const answer = async (): Promise<void> => {
		const count = lists.length;
		lists[count - 1]!.writeHead(200, {'content-type': 'application/json', 'list-versions': `installed=v${version}`});
		lists[count - 1]!.end(JSON.stringify([{id: 1, name: `lamps${count}`, enabled: true}]));
		await app.shows(`lamps${count}`);
	};

	const flood = (): void => {
		for (let count = 0; count < 1000; count++) {
			feed!.write(`event: change\ndata: {"resource":"installed","version":"v${++version}"}\n\n`);
		}
	};

	await app.until(() => lists.length === 1);
	await answer();
	await app.until(() => feed !== undefined && app.session().records.changeFeed.get().stream === 'open');
	flood();
	await app.until(() => lists.length === 2);
	flood();
	await answer();
	flood();
	await app.until(() => lists.length === 3);
	await answer();
	flood();
	await app.until(() => lists.length === 4);
	await answer();
	assert.equal(lists.length, 4);
	assert.equal(asked(app).filter(request => !request.startsWith('GET /history')).length, 5);
});
