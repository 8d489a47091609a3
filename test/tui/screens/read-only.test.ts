import {assert, test, type TestContext} from '../../helpers/node.ts';
import {type ActionName, actionNames, keyTable, openedScopesOf, scopesOf} from '../../../source/tui/keys/key-table.ts';
import {createKeymap} from '../../../source/tui/keys/keymap.ts';
import {screenNames, type ScreenName} from '../../../source/tui/state/view.ts';
import {cursorLine, openHome, renderApp, says, screen, shown, startHome, togglesOf} from '../helpers/kit.ts';

test('a read-only run says so in the header, and refuses every switch before a request', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	assert.deepEqual(
		shown(await app.press('space').says('Not switched: this run is read-only')),
		screen({
			header: 'environment [read-only]  every 15 s · 2 of 3 on',
			tabs: '1 Agents  2 Abilities [3 Installed]',
			rows: [
				' > on   lamps                              skill      2 days',
				'   on   pantry                             brain      2 days',
				'   off  nightwatch                         daemon     2 days',
			],
			message: [' ! Not switched: this run is read-only. Start it without', ' --read-only to make changes.'],
		}),
	);
	await app.press('escape', '2', 'space').shows('[2 Abilities]', says('Not switched: this run is read-only'));
	assert.deepEqual(togglesOf(service), []);
	assert.deepEqual(
		service.requests.filter(({method}) => method !== 'GET'),
		[],
	);
});

test('a key that may only read makes the screens read-only once the service has said so, and a refused key says why', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyRights: 'read-only; name=desk'});
	assert.match(app.lines()[0]!, /environment \[read-only\]/);
	await app.press('space').says('Not switched: the key “desk” may only read.');
	await app.press('t').says('Not changed: the key “desk” may only read.');
	await app.press('1', 'c').shows('[1 Agents]', says('Not changed: the key “desk” may only read.'));
	assert.deepEqual(
		service.requests.filter(({method, path}) => method !== 'GET' && !path.startsWith('/api/sdk/')),
		[],
	);
});

test('a key that may only switch does, and its other keys say why they do nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t, {keyRights: 'switch; name=ci'});
	assert.doesNotMatch(app.lines()[0]!, /read-only/);
	await app.press('space').until(() => togglesOf(service).length === 1);
	await app.shows(' > off  lamps');
	await app.press('t').says('Not changed: the key “ci” may only list and switch.');
	await app.press('1', 'e').shows('[1 Agents]', says('Not changed: the key “ci” may only list and switch.'));
	assert.equal(service.requests.filter(({method}) => method !== 'GET').length, 1);
});

test('reading, filtering and leaving work as ever', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	service.installed.pop();
	await app.press('r').shows('2 of 2 on');
	await app.write('/pan\r').shows('1 of 2');
	app.press('q');
	assert.equal(app.exitCode(), 0);
});

test('the header says where the key travels in the open', async (t: TestContext) => {
	const {app} = await openHome(t, {isInsecureHttp: true, size: {columns: 90, rows: 14}});
	assert.match(app.lines()[0]!, /environment · 127\.0\.0\.1:00000 \[insecure http\]/);
	assert.match(
		(await app.resize({columns: 40, rows: 14}).shows(lines => lines[0]!.length <= 40))[0]!,
		/\[insecure http\]/,
		'also where there is little room',
	);
});

const writesOf = (screenName: ScreenName, scopes: typeof scopesOf): ReadonlyArray<readonly [ActionName, string]> => {
	const keymap = createKeymap();
	return actionNames
		.filter(name => keyTable[name].writes === true && scopes[screenName].includes(keyTable[name].scope))
		.map(name => [name, keymap.keysOf(name)[0]!] as const);
};

for (const screenName of screenNames) {
	test(`on ${screenName} every key that changes something is refused before anything is typed or asked, also in an opened record and while the list is read`, async (t: TestContext) => {
		const service = await startHome(t);
		const release = service.hold();
		const app = await renderApp(t, {service, screen: screenName, isReadOnly: true});
		const pressAll = async (scopes: typeof scopesOf): Promise<void> => {
			const {overlays} = app.state();
			for (const [name, key] of writesOf(screenName, scopes)) {
				app.ui.store.dispatch({type: 'dismiss'});
				await app.press(key).until(() => app.state().messages.shown?.text.includes('this run is read-only') === true);
				assert.equal(app.state().overlays, overlays, name);
			}

			app.ui.store.dispatch({type: 'dismiss'});
		};

		await app.until(() => service.heldCount() > 0);
		await pressAll(scopesOf);
		release();
		await app.shows(lines => cursorLine(lines) !== undefined);
		await pressAll(scopesOf);
		await app.press('enter').shows('esc back');
		await pressAll(openedScopesOf);
		assert.deepEqual(
			service.requests.filter(({method}) => method !== 'GET'),
			[],
		);
	});
}
