import {assert, test, type TestContext} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {renderApp, type RenderAppOptions} from '../../helpers/render-app.tsx';
import {cursorLine, includes, isFresh, says} from '../helpers/shown.ts';
import {isInstalledList, openApp, openHome, small, startHome, startTestService, wide} from '../helpers/kit.ts';

/** The screens on the profile “home”, a service of our own with keys of which one can be taken back. */
const openServed = async (t: TestContext, options: RenderAppOptions = {}) => {
	const service = await startTestService();
	const keys = await openApiKeys(service.dataFolder);
	t.after(async () => {
		await keys.close();
		await service[Symbol.asyncDispose]();
	});
	const app = await openApp(t, {
		service: {baseAddress: service.baseAddress, apiKey: service.key},
		profileName: 'home',
		size: wide,
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'home', baseAddress: service.baseAddress, apiKey: service.key});
		},
		...options,
	});
	return {service, keys, app};
};

const storedState = async (service: Awaited<ReturnType<typeof startTestService>>, name: string, key: string): Promise<unknown> => {
	const records = await service.read('/api/capabilities/get-installed-capabilities/', key);
	return records.find(record => record['name'] === name)?.['enabled'];
};

test('when a key is revoked, one key opens the sign-in on the key field, and the view is kept', async (t: TestContext) => {
	const {service, keys, app} = await openServed(t);
	await app.write('2').shows('[2 Abilities]', isFresh);
	const before = cursorLine(
		await app.write('/ing\rj').shows(lines => includes('/ing')(lines) && cursorLine(lines)?.includes('shoppinglist') === true),
	)!;
	await keys.revoke(['key 1']);
	const refused = await app
		.press('r')
		.says(
			'The service refused the API key of the profile “home”: It is not a key of this service. Make a new one with: switchboard keys create.',
		);
	assert.ok(says('C signs in again.')(refused), refused.join('\n'));
	assert.ok(!says('dashboard')(refused), refused.join('\n'));

	const form = await app.press('C').shows(lines => lines[0] === ' Connect to a service');
	assert.deepEqual(form.slice(2, 5), ['   Address  http://127.0.0.1:00000', ' > API key', '   Name     home']);
	const {key} = await keys.create();
	app.paste(key);
	const after = await app.press('enter').shows(lines => isFresh(lines) && includes('[2 Abilities]')(lines) && cursorLine(lines) === before);
	assert.match(after[0]!, / home · 127\.0\.0\.1:00000 /);
	assert.ok(includes('/ing')(after), after.join('\n'));
	assert.deepEqual(
		app.settings.profiles().map(({name, apiKey}) => [name, apiKey]),
		[['home', key]],
	);
	assert.ok(before.startsWith(' > on   shoppinglist '), before);
	await app.press('space').until(async () => (await storedState(service, 'shoppinglist', key)) === false);
});

test('an opened record is still open after signing in again', async (t: TestContext) => {
	const {keys, app} = await openServed(t);
	await app.press('1', 'enter').shows(' Abilities  5 of 6 on');
	await keys.revoke(['key 1']);
	await app.press('r').until(() => app.ui.requests.getEntries().at(-1)?.status === 401);
	await app.press('C').shows(' > API key');
	const {key} = await keys.create();
	app.paste(key);
	const lines = await app.press('enter').shows(' Abilities  5 of 6 on');
	assert.match(lines[0]!, /^ Hearth {2}#\d+/);
});

test('P proposes the address whose key was refused; otherwise C and P propose the public one', async (t: TestContext) => {
	const {keys, app} = await openServed(t);
	for (const open of [['C'], ['P', 'j', 'enter']]) {
		await app.press(...open).shows(' > Address  https://app.openhome.com');
		await app.press('escape').shows(isFresh);
	}

	await keys.revoke(['key 1']);
	await app.press('r').shows('! key refused');
	const lines = await app.press('P', 'j', 'enter').shows(frame => frame[0] === ' Connect to a service');
	assert.deepEqual(lines.slice(2, 4), ['   Address  http://127.0.0.1:00000', ' > API key']);
});

test('without a key, a service on this machine points to keys create, any other to its dashboard', async (t: TestContext) => {
	const {keys, app} = await openServed(t);
	await keys.revoke(['key 1']);
	await app.press('r').shows('! key refused');
	await app.press('C').shows(' > API key');
	await app.press('enter').says('! Enter a key. Create one with: switchboard keys create');
	app.press('up');
	app.paste('https://voice.example.com');
	await app.press('enter', 'enter').says('! Enter a key. Get one in the dashboard under Settings, API Keys.');
});

const sources = [
	[
		{keyVariable: 'SWITCHBOARD_API_KEY'},
		'refused the API key in SWITCHBOARD_API_KEY: Invalid API key. r tries again. Change the variable and start again. C signs in with another key for now, but the variable overrides it at the next start.',
	],
	[
		{keyVariable: 'OPENHOME_API_KEY'},
		'refused the API key in OPENHOME_API_KEY: Invalid API key. r tries again. Change the variable and start again, or sign in with another key: C.',
	],
	[{profileName: 'home'}, 'refused the API key of the profile “home”: Invalid API key. r tries again. C signs in again.'],
] as const;

for (const [source, sentence] of sources) {
	test(`a refused key is named with the next step: ${sentence}`, async (t: TestContext) => {
		const service = await startHome(t);
		const app = await renderApp(t, {service: {...service, apiKey: 'a-wrong-key-0123456789'}, size: wide, ...source});
		const lines = await app.shows('! key refused');
		// The title and the hint of the notice, as one text.
		assert.ok(says(sentence)(lines), lines.join('\n'));
	});
}

test('a switch refused for its key says which key it was', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyVariable: 'SWITCHBOARD_API_KEY', size: wide});
	service.failNext({when: ({method}) => method === 'PUT', status: 401});
	await app
		.press('space')
		.says(
			'lamps stays on: the service refused the API key in SWITCHBOARD_API_KEY (HTTP 401). Change the variable and start again. C signs in with another key for now, but the variable overrides it at the next start.',
		);
});

test('a change refused for its key is told in the header at once, by a list that is read again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide});
	service.failNext({when: ({method}) => method === 'PUT', status: 401});
	service.failNext({when: isInstalledList, status: 401});
	await app.press('space').shows(lines => /! key refused, as of \d\d:\d\d/.test(lines[0]!) && includes('!> on   lamps')(lines));
	await app.press('r').shows(lines => lines[0]!.includes('every 15 s'));
});

test('replacing a key of the environment for this run keeps the view as well', async (t: TestContext) => {
	const service = await startTestService();
	const keys = await openApiKeys(service.dataFolder);
	t.after(async () => {
		await keys.close();
		await service[Symbol.asyncDispose]();
	});
	const app = await openApp(t, {
		service: {baseAddress: service.baseAddress, apiKey: service.key},
		keyVariable: 'SWITCHBOARD_API_KEY',
		size: small,
		until: lines => isFresh(lines),
	});
	await app.write('jj').shows(lines => cursorLine(lines)?.includes('pantry') === true);
	await keys.revoke(['key 1']);
	await app.press('r').shows('! key refused');
	await app.press('C').shows(' > API key');
	const {key} = await keys.create();
	app.paste(key);
	await app.press('tab').shows(' > Name');
	await app.write('mine\r').shows(lines => isFresh(lines) && cursorLine(lines)?.includes('pantry') === true);
	assert.deepEqual(
		app.settings.profiles().map(({name}) => name),
		['mine'],
	);
});
