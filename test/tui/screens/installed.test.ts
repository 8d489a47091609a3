import {assert, test, type TestContext} from '../../helpers/node.ts';
import {installedRecord, openHome, assertScreen, storedState, togglesOf} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

test('the installed abilities appear once the service has answered', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const lines = app.lines();
	assertScreen(lines, {
		header: 'Switchboard  environment  reads every 15 s · 2 of 3 on',
		tabs,
		rows: [
			' > on   lamps                              skill      2 days',
			'   on   pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
	});
	assert.deepEqual(
		service.requests.map(({method, path}) => `${method} ${path}`),
		['GET /api/capabilities/get-installed-capabilities/', 'GET /api/personalities/get-all-personalities/'],
	);
	assert.equal(service.requests[0]!.headers['x-api-key'], service.apiKey);
});

test('Space shows the new state in the next frame, and confirms it when the service answers', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold();
	const frameCount = app.frames().length;
	await app.press('j', 'space').until(() => app.frames().length > frameCount);
	assertScreen(app.frames()[frameCount]!, {
		header: 'Switchboard  environment  reads every 15 s · 1 of 3 on',
		tabs,
		rows: [
			'   on   lamps                              skill      2 days',
			' > off~ pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
	});
	release();
	assertScreen(await app.shows(' > off  pantry'), {
		header: 'Switchboard  environment  reads every 15 s · 1 of 3 on',
		tabs,
		rows: [
			'   on   lamps                              skill      2 days',
			' > off  pantry                             brain      2 days',
			'   off  nightwatch                         daemon     2 days',
		],
	});
	assert.deepEqual(togglesOf(service), [
		{
			id: 302,
			body: {enabled: false, name: 'pantry', category: 'brain_skill', trigger_words: [], system_capability: false, agent_capability: true},
		},
	]);
	assert.equal(storedState(service, 302), false);
});

test('a wide screen also shows trigger phrases', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {installed: [installedRecord(1, 'lamps', true, {trigger_words: ['lamps please', 'it is dark']})]},
		size: {columns: 90, rows: 14},
	});
	assertScreen(app.lines(), {
		header: 'Switchboard  environment · 127.0.0.1:00000  reads every 15 s · 1 of 1 on',
		tabs,
		head: ' state  name                   category   phrases                               changed',
		rows: [' > on   lamps                  skill      lamps please, it is dark              2 days'],
	});
});
