import {assert, createServer, type ServerResponse, test, type TestContext} from '../helpers/node.ts';
import {listVersionsHeader} from '../../source/interface/endpoints.ts';
import {resources, type Resource} from '../../source/interface/records.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {listen} from '../helpers/listen.ts';
import {named, paths, startTestService, type TestService} from '../service/running-service.ts';
import {startWatch} from './start-watch.ts';
import {environmentFor, type RunningCommand, startFaultRelay, startInProcess, waitUntil} from './kit.ts';

/** The names of the records whose changes a watch has printed. */
const namesIn = (watch: RunningCommand): readonly string[] => watch.changes().map(({name}) => String(name));

async function start(t: TestContext): Promise<TestService> {
	const service = await startTestService();
	t.after(async () => service.close());
	return service;
}

/** Switches installed abilities over, one after the other. */
async function toggle({ask, read}: TestService, ...names: readonly string[]): Promise<void> {
	const installed = await read(paths.installed);
	for (const name of names) {
		const {id, enabled} = named(installed, name);
		const {status} = await ask('PUT', paths.editInstalled(id), {body: {enabled: enabled !== true}});
		assert.equal(status, 200);
	}
}

test('a change is printed when the stream names its list, and three quick ones are three lines', async (t: TestContext) => {
	const service = await start(t);
	const watch = await startWatch(t, {baseAddress: service.baseAddress, apiKey: service.key}, '--json');
	await toggle(service, 'pantry');
	await waitUntil(() => namesIn(watch).length === 1);
	const names = ['pantry', 'nightwatch', 'goodnight'];
	await toggle(service, ...names);
	await waitUntil(() => namesIn(watch).length === 4);
	assert.deepEqual(namesIn(watch).slice(1).toSorted(), names.toSorted());

	const {id} = named(await service.read(paths.agents), 'Hearth');
	assert.equal((await service.ask('PUT', paths.editAgent, {body: {personality_id: id, name: 'Hob'}})).status, 200);
	await waitUntil(() => namesIn(watch).length === 5);
	// Its author is told once the history is followed.
	const {by: _by, ...change} = watch.changes()[4]!;
	assert.deepEqual(change, {kind: 'agent', name: 'Hearth', field: 'name', from: 'Hearth', to: 'Hob'});
});

test('a stream that is cut is opened again, and a service that is away is waited for', {timeout: 60_000}, async (t: TestContext) => {
	const service = await start(t);
	const relay = await startFaultRelay(t, {target: service});
	const watch = await startWatch(t, {baseAddress: relay.baseAddress, apiKey: service.key}, '--json');
	await toggle(service, 'pantry');
	await waitUntil(() => namesIn(watch).length === 1);
	relay.put();
	await toggle(service, 'nightwatch');
	await waitUntil(() => namesIn(watch).length === 2);

	await relay.refuse();
	await waitUntil(() => watch.errors().includes('Trying again until it works.'));
	await toggle(service, 'goodnight');
	await relay.listen();
	await waitUntil(() => watch.errors().includes('The service answers again.'));
	await toggle(service, 'pantry');
	await waitUntil(() => namesIn(watch).length === 4);
	assert.deepEqual(namesIn(watch), ['pantry', 'nightwatch', 'goodnight', 'pantry']);
});

test('a key that is revoked ends the watch at once', async (t: TestContext) => {
	const service = await start(t);
	const watch = await startWatch(t, {baseAddress: service.baseAddress, apiKey: service.key}, '--json');
	await toggle(service, 'pantry');
	await waitUntil(() => namesIn(watch).length === 1);
	const keys = await openApiKeys(service.dataFolder);
	await keys.revoke(['1']);
	await keys.close();
	assert.equal(await watch.exited, 3);
});

const pathsOf: Readonly<Record<string, Resource>> = {
	[paths.agents]: 'agents',
	[paths.abilities]: 'abilities',
	[paths.installed]: 'installed',
};

/** A service whose lists, versions and stream the test sets. Each list has one record. */
async function startScripted(
	t: TestContext,
	{hasVersions = true, answerFeed}: {readonly hasVersions?: boolean; readonly answerFeed?: (response: ServerResponse) => void} = {},
) {
	const lamps = {id: 1, name: 'lamps', enabled: true};
	const counts: Record<Resource, number> = {agents: 0, abilities: 0, installed: 0};
	const asked: Resource[] = [];
	const held: Array<() => void> = [];
	const feeds: ServerResponse[] = [];
	let isHolding = false;
	let isFailing = false;
	let answer = answerFeed;

	const eventOf = (resource: Resource): string => `event: change\ndata: ${JSON.stringify({resource, version: `v${counts[resource]}`})}\n\n`;

	const openFeed = (response: ServerResponse, lists: readonly Resource[] = resources): void => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write(lists.map(resource => eventOf(resource)).join(''));
	};

	const server = createServer((request, response) => {
		if (request.url === '/events') {
			feeds.push(response);
			(answer ?? openFeed)(response);
			return;
		}

		const resource = pathsOf[request.url!];
		if (isFailing || resource === undefined) {
			isFailing &&= resource === undefined;
			response.writeHead(404).end();
			return;
		}

		asked.push(resource);
		// What it has when it is asked.
		const [body, version] = [
			JSON.stringify([resource === 'installed' ? lamps : {id: 1, name: `${resource}${counts[resource]}`}]),
			`v${counts[resource]}`,
		];
		const send = (): void => {
			response.writeHead(200, {'content-type': 'application/json', ...(hasVersions && {[listVersionsHeader]: `${resource}=${version}`})});
			response.end(body);
		};

		if (isHolding) {
			held.push(send);
		} else {
			send();
		}
	});
	const port = await listen(t, server);
	return {
		baseAddress: `http://127.0.0.1:${port}`,
		apiKey: 'key-of-the-script-0123456789',
		asked,
		feeds,
		held,
		/** Changes a list, and says so on the stream. */
		change(resource: Resource) {
			this.changeSilently(resource);
			feeds.at(-1)!.write(eventOf(resource));
		},
		changeSilently(resource: Resource) {
			counts[resource]++;
			lamps.enabled = counts.installed % 2 === 0;
		},
		answerFeedWith(next: typeof answerFeed) {
			answer = next;
		},
		openFeed,
		/** A path that was there before and is not found now is an outage, and not retried at once. */
		failNext() {
			isFailing = true;
		},
		hold() {
			isHolding = true;
		},
		release() {
			isHolding = false;
			for (const send of held.splice(0)) {
				send();
			}
		},
	};
}

test('an event reads its list alone, and however many come meanwhile one more time', async (t: TestContext) => {
	const service = await startScripted(t);
	const watch = await startWatch(t, service, '--json');
	await waitUntil(() => service.feeds.length === 1);
	service.change('agents');
	await waitUntil(() => namesIn(watch).length === 1);
	// Nothing was read as the stream was opened: its versions are those of the lists.
	assert.deepEqual(service.asked, ['abilities', 'installed', 'agents', 'agents']);

	service.hold();
	service.change('installed');
	await waitUntil(() => service.held.length === 1);
	for (let count = 0; count < 99; count++) {
		service.change('installed');
	}

	service.change('abilities');
	service.release();
	await waitUntil(() => namesIn(watch).length === 4);
	service.change('agents');
	await waitUntil(() => namesIn(watch).length === 5);
	assert.deepEqual(service.asked.slice(4), ['installed', 'abilities', 'installed', 'agents']);
});

for (const [name, isNamed] of [
	['the stream begins with its version', true],
	['the stream begins with another list', false],
] as const) {
	test(`a change that comes before the stream is open is printed where ${name}`, async (t: TestContext) => {
		const service = await startScripted(t, {hasVersions: isNamed, answerFeed: () => undefined});
		const watch = await startWatch(t, service, '--json');
		await waitUntil(() => service.feeds.length === 1);
		service.changeSilently('installed');
		service.openFeed(service.feeds[0]!, isNamed ? resources : ['agents']);
		await waitUntil(() => namesIn(watch).length === 1);
	});
}

const useless: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
	[
		'has no stream',
		response => {
			response.writeHead(404).end();
		},
	],
	[
		'answers with a page',
		response => {
			response.writeHead(200, {'content-type': 'text/html'}).end('<html>');
		},
	],
	[
		'has no room for a stream',
		response => {
			response.writeHead(429, {'retry-after': '3600'}).end();
		},
	],
	['opens a stream on which nothing comes', response => response.writeHead(200, {'content-type': 'text/event-stream'}).flushHeaders()],
];

for (const [name, answerFeed] of useless) {
	test(`a service that ${name} is polled`, async (t: TestContext) => {
		const service = await startScripted(t, {answerFeed});
		const watch = await startWatch(t, service, '--json', '--interval', '1');
		await waitUntil(() => service.feeds.length === 1);
		service.changeSilently('installed');
		await waitUntil(() => namesIn(watch).length === 1);
		assert.equal(service.feeds.length, 1);
	});
}

test('when a stream is cut and not opened again, the lists are read at once, and then polled', async (t: TestContext) => {
	const service = await startScripted(t);
	const watch = await startWatch(t, service, '--json', '--interval', '5');
	await waitUntil(() => service.feeds.length === 1);
	service.change('agents');
	await waitUntil(() => namesIn(watch).length === 1);
	service.answerFeedWith(response => {
		response.writeHead(404).end();
	});
	service.changeSilently('installed');
	service.feeds[0]!.destroy();
	await waitUntil(() => namesIn(watch).length === 2);
	assert.deepEqual(namesIn(watch), ['agents0', 'lamps']);
	assert.deepEqual(service.asked.slice(4, 7), ['abilities', 'installed', 'agents']);
	service.changeSilently('installed');
	await waitUntil(() => namesIn(watch).length === 3);
	assert.equal(service.feeds.length, 2);
});

test('a list that cannot be read when the stream names it is read soon after', async (t: TestContext) => {
	const service = await startScripted(t);
	const watch = await startWatch(t, service, '--json');
	await waitUntil(() => service.feeds.length === 1);
	service.change('agents');
	await waitUntil(() => namesIn(watch).length === 1);
	service.failNext();
	service.change('installed');
	await waitUntil(() => /\n.+ Trying again until it works\.\nThe service answers again\.\n$/.test(watch.errors()));
	assert.deepEqual(namesIn(watch), ['agents0', 'lamps']);
});

test('wait reads its list when the stream names it, and the stream ends with it', async (t: TestContext) => {
	const service = await startScripted(t);
	await using waiting = startInProcess(['wait', 'lamps', '--for', 'off'], environmentFor(service));
	await waitUntil(() => service.feeds.length === 1);
	service.change('agents');
	service.change('installed');
	assert.equal(await waiting.exited, 0);
	assert.deepEqual([waiting.lines(), waiting.errors()], [['1\toff\tlamps'], '']);
	assert.deepEqual(service.asked, ['installed', 'installed']);
	await waitUntil(() => service.feeds[0]!.destroyed);
});

test('wait asks for no stream where the state is there already', async (t: TestContext) => {
	const service = await startScripted(t);
	await using waiting = startInProcess(['wait', 'lamps', '--for', 'on'], environmentFor(service));
	assert.equal(await waiting.exited, 0);
	assert.deepEqual([service.asked, service.feeds], [['installed'], []]);
});
