import {assert, createServer, existsSync, path, readFileSync, type ServerResponse, test, type TestContext} from '../helpers/node.ts';
import {listVersionsHeader} from '../../source/interface/endpoints.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {listen} from '../helpers/listen.ts';
import {named, paths, startTestService} from '../service/running-service.ts';
import {toldEntry} from './told-history.ts';
import {startWatch} from './start-watch.ts';
import {environmentFor, type RunningCommand, startFaultRelay, startInProcess, temporaryFolder, waitUntil} from './kit.ts';

// The stream is tried again after ten seconds.
test('what was switched back and forth while the stream was cut is two lines, each with the person', {
	timeout: 60_000,
}, async (t: TestContext) => {
	const service = await startTestService();
	t.after(async () => service.close());
	const keys = await openApiKeys(service.dataFolder);
	const [anna, ben] = await Promise.all(['anna', 'ben'].map(async name => keys.create({account: 'default', name})));
	await keys.close();
	const {id} = named(await service.read(paths.installed), 'pantry');
	const toggle = async ({key}: {readonly key: string}, enabled: boolean) =>
		service.ask('PUT', paths.editInstalled(id), {key, body: {enabled}});
	const relay = await startFaultRelay(t, {target: service});
	const watch = await startWatch(t, {baseAddress: relay.baseAddress, apiKey: service.key}, '--json');
	// From the first line with a name on, the history is followed.
	let isEnabled = true;
	while (watch.changes().every(({by}) => by !== 'anna')) {
		const count = watch.lines().length;
		isEnabled = !isEnabled;
		await toggle(anna!, isEnabled);
		await watch.waitFor(({lines}) => lines().length > count);
	}

	const count = watch.lines().length;
	await relay.refuse();
	await watch.waitFor(({errors}) => errors().includes('Trying again'));
	await toggle(ben!, !isEnabled);
	await toggle(anna!, isEnabled);
	await relay.listen();
	await watch.waitFor(({lines}) => lines().length >= count + 2);
	const change = {kind: 'installed', name: 'pantry', field: 'enabled'};
	assert.deepEqual(watch.changes().slice(count), [
		{...change, from: isEnabled, to: !isEnabled, by: 'ben'},
		{...change, from: !isEnabled, to: isEnabled, by: 'anna'},
	]);

	const agent = named(await service.read(paths.agents), 'Hearth');
	const prompt = 'Be brief.\n'.repeat(300);
	await service.ask('PUT', paths.editAgent, {key: ben!.key, body: {personality_id: agent['id'], description: prompt}});
	await watch.waitFor(({lines}) => lines().length > count + 2);
	assert.deepEqual(watch.changes().at(-1), {
		kind: 'agent',
		name: 'Hearth',
		field: 'prompt',
		from: agent['description'],
		to: prompt,
		by: 'ben',
	});
});

const resourceOf: Readonly<Record<string, string>> = {
	[paths.agents]: 'agents',
	'/api/capabilities/get-all-capability/': 'abilities',
	[paths.installed]: 'installed',
};

/** A service with two installed abilities, “lamps” (301) and “porch” (302), which are off. It tells nothing of a switch by itself. */
async function startScripted(t: TestContext, {isHistoryThere = true} = {}) {
	const installed = [301, 302].map((id, index) => ({id, name: ['lamps', 'porch'][index]!, enabled: false}));
	const entries: Array<ReturnType<typeof toldEntry>> = [];
	const asked: string[] = [];
	let feed: ServerResponse | undefined;
	let version = 0;
	let hasNumbers = true;
	const eventsOf = (...lists: readonly string[]): string =>
		lists
			.map(
				resource =>
					`event: change\ndata: ${JSON.stringify({
						resource,
						version: resource === 'installed' ? `v${version}` : 'v',
						...(hasNumbers && {history: entries.length}),
					})}\n\n`,
			)
			.join('');
	const server = createServer((request, response) => {
		const url = new URL(request.url!, 'http://localhost');
		asked.push(url.pathname);
		if (url.pathname === '/events') {
			feed = response.writeHead(200, {'content-type': 'text/event-stream'});
			feed.write(eventsOf('agents', 'abilities', 'installed'));
		} else if (url.pathname === '/history') {
			const after = Number(url.searchParams.get('after') ?? 0);
			const found = entries
				.filter(({id}) => id > after)
				.toReversed()
				.slice(0, Number(url.searchParams.get('limit') ?? 100));
			response
				.writeHead(isHistoryThere ? 200 : 404, {'content-type': 'application/json'})
				.end(JSON.stringify({entries: found, next: null}));
		} else {
			const resource = resourceOf[url.pathname];
			response.writeHead(resource === undefined ? 404 : 200, {
				'content-type': 'application/json',
				[listVersionsHeader]: `${resource!}=${resource === 'installed' ? `v${version}` : 'v'}`,
			});
			response.end(JSON.stringify(resource === 'installed' ? installed : []));
		}
	});
	const port = await listen(t, server);
	return {
		baseAddress: `http://127.0.0.1:${port}`,
		apiKey: 'key-of-the-script-0123456789',
		asked,
		entries,
		switch(id: number, enabled: boolean, by = 'anna') {
			const record = installed.find(each => each.id === id)!;
			entries.push(toldEntry(entries.length + 1, {record: id, name: record.name, from: record.enabled, to: enabled, by}));
			record.enabled = enabled;
			version++;
		},
		/** Sends an event of all switches so far. */
		tell() {
			feed!.write(eventsOf('installed'));
		},
		/** The stream is cut and opened again, by a service that keeps no history any more. */
		forget() {
			hasNumbers = false;
			feed!.destroy();
		},
		/** The same, by one whose history began anew. */
		beginAnew() {
			entries.length = 0;
			feed!.destroy();
		},
		isOpen: () => feed !== undefined,
		countOf: (place: string) => asked.filter(each => each === place).length,
	};
}

const bare = (watch: RunningCommand): readonly string[] => watch.lines().map(line => line.split('\t', 2)[1]!);

test('a watch misses no switch that an event leaves out, and begins with none twice', async (t: TestContext) => {
	const service = await startScripted(t);
	const file = path.join(temporaryFolder(), 'told');
	const told = (): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
	const watch = await startWatch(
		t,
		service,
		'--exec',
		`sh -c 'echo "$SWITCHBOARD_CHANGE_AT $SWITCHBOARD_CHANGE_NAME $SWITCHBOARD_CHANGE_BY" >> ${file}'`,
	);
	// The newest entry before and after all lists.
	await waitUntil(() => service.countOf('/history') === 2);
	service.switch(301, true);
	service.switch(301, false, 'ben\u{1B}[31m');
	service.switch(302, true);
	service.tell();
	await watch.waitFor(({lines}) => lines().length === 3);
	assert.deepEqual(bare(watch), ['~ lamps: off → on (by anna)', '~ lamps: on → off (by ben)', '~ porch: off → on (by anna)']);
	service.entries.push(
		toldEntry(4, {kind: 'key', field: 'exists', name: 'x'}),
		toldEntry(5, {field: 'constructor', name: 'lamps', from: null, to: 'y\u{1B}[31m'}),
	);
	service.switch(302, false);
	service.tell();
	await watch.waitFor(({lines}) => lines().length === 5);
	assert.deepEqual(bare(watch).slice(3), ['~ lamps constructor: ? → y (by anna)', '~ porch: on → off (by anna)']);
	await waitUntil(() => told().length === 5);
	assert.deepEqual(
		told().slice(0, 3),
		['lamps anna', 'lamps ben', 'porch anna'].map(each => `2026-11-25T22:04:05.000Z ${each}`),
	);
});

for (const [title, options, leave] of [
	['names a history that it does not have', {isHistoryThere: false}, undefined],
	['keeps none any more', {}, 'forget'],
	['has another one by now', {}, 'beginAnew'],
] as const) {
	test(`a watch goes on with the lists where the service ${title}`, async (t: TestContext) => {
		const service = await startScripted(t, options);
		const watch = await startWatch(t, service);
		await waitUntil(() => service.countOf('/history') === (leave === undefined ? 1 : 2));
		const feeds = service.countOf('/events');
		service.switch(301, true);
		service.tell();
		await watch.waitFor(({lines}) => lines().length === 1);
		if (leave !== undefined) {
			service[leave]();
			await waitUntil(() => service.countOf('/events') > feeds);
		}

		service.switch(302, true);
		service.tell();
		await watch.waitFor(({lines}) => lines().length === 2);
		assert.deepEqual(
			bare(watch).map(line => line.replace(/ \(.*/, '')),
			['~ lamps: off → on', '~ porch: off → on'],
		);
	});
}

async function startWait(service: Awaited<ReturnType<typeof startScripted>>, ...words: readonly string[]): Promise<RunningCommand> {
	const wait = startInProcess(['wait', ...words, '--for', 'on'], environmentFor(service));
	await waitUntil(() => service.countOf('/history') > 0);
	return wait;
}

test('wait ends when the state came and went between two looks, and says that it went', async (t: TestContext) => {
	const service = await startScripted(t);
	await using wait = await startWait(service, 'lamps', '--json');
	service.switch(301, true);
	service.switch(301, false, 'ben');
	service.tell();
	assert.equal(await wait.exited, 0);
	assert.deepEqual(JSON.parse(wait.lines().join('')), [{installed_cap_id: 301, name: 'lamps', enabled: false}]);
	assert.match(wait.errors(), /^lamps was on at 2026-11-2\d \d\d:04:05 \(by anna\), and is off again\.\n$/);
});

test('wait for several ends when all had the state at one moment', async (t: TestContext) => {
	const service = await startScripted(t);
	await using wait = await startWait(service, 'lamps', 'porch');
	service.switch(301, true);
	service.switch(301, false);
	service.switch(302, true);
	service.tell();
	const count = service.countOf('/history');
	await waitUntil(() => service.countOf('/history') > count);
	service.switch(301, true);
	service.switch(302, false);
	service.tell();
	assert.equal(await wait.exited, 0);
	assert.deepEqual(wait.lines(), ['301\ton\tlamps', '302\toff\tporch']);
	assert.match(wait.errors(), /^porch was on at 2026-11-2\d \d\d:04:05, and is off again\.\n$/);
});
