import {assert, path, readFileSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {cursorLine, filterLine, includes, isFresh, openApp, renderApp, says, startHome, temporaryFolders} from '../helpers/kit.ts';

const uiStateFile = ({configFolder}: {readonly configFolder: string}): string => path.join(configFolder, 'ui-state.json');

test('the next start restores screen, filter, sort order, row and marks, and counts what the filter hides', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const first = await openApp(t, {service, folders, size: {columns: 80, rows: 14}});
	first.write('2ss');
	first.write('/!is:on\r');
	const left = await first.write('jx').shows('1 marked');
	assert.match(left[1]!, /^ 1 Agents \[2 Abilities\] 3 Installed +by state, 1 marked$/);
	assert.equal(filterLine(left), '/!is:on   2 of 4');
	assert.match(cursorLine(left)!, /^\*> – +desk/);
	await first.close();

	const next = await renderApp(t, {service, folders, size: {columns: 80, rows: 14}});
	const lines = await next.shows('1 marked', says('1 row is marked, as you left it.'));
	assert.match(lines[1]!, /^ 1 Agents \[2 Abilities\] 3 Installed +by state, 1 marked$/);
	assert.equal(filterLine(lines), '/!is:on   2 of 4');
	assert.match(cursorLine(lines)!, /^\*> – +desk/);
	await next.press('escape').shows(shown => !includes('1 marked')(shown));
	const whole = await next.press('escape').shows(shown => !includes('2 of 4')(shown));
	assert.match(cursorLine(whole)!, /^ > – +desk/);
});

test('each profile keeps its own screen and row', async (t: TestContext) => {
	const here = await startHome(t);
	const there = await startHome(t);
	const folders = temporaryFolders();
	const app = await openApp(t, {
		service: here,
		profileName: 'home',
		folders,
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'work', baseAddress: there.baseAddress, apiKey: there.apiKey});
			await settings.saveProfile({name: 'home', baseAddress: here.baseAddress, apiKey: here.apiKey});
		},
	});
	await app.write('x/pan\r').shows('1 of 3');
	const work = await app.write(':profile work\r').shows(' work ', isFresh);
	assert.equal(filterLine(work), '');
	assert.ok(!work[1]!.includes('marked'), work[1]);
	await app.write('jj1').shows('[1 Agents]');
	const home = await app.write(':profile home\r').shows(' home ', '1 of 3');
	assert.match(home[1]!, /\[3 Installed\]/);
	assert.equal(filterLine(home), '/pan   1 of 3');
	await app.write(':profile work\r').shows(' work ', '[1 Agents]');
	await app.write('3').shows(' > off  nightwatch');
	assert.deepEqual(
		[here, there].map(({requests}) => requests.filter(({method}) => method !== 'GET')),
		[[], []],
	);

	await app.close();
	const stored = JSON.parse(readFileSync(uiStateFile(folders), 'utf8')) as {
		readonly state: {readonly screen: string; readonly profiles: Readonly<Record<string, unknown>>};
	};
	assert.equal(stored.state.screen, 'installed');
	assert.deepEqual(Object.keys(stored.state.profiles), [
		`home ${new URL(here.baseAddress).host}`,
		`work ${new URL(there.baseAddress).host}`,
	]);
});

test('a new service opens on the screen that was used last', async (t: TestContext) => {
	const here = await startHome(t);
	const there = await startHome(t);
	const folders = temporaryFolders();
	const first = await openApp(t, {service: here, folders});
	await first.press('1').shows('[1 Agents]');
	await first.close();
	const next = await openApp(t, {service: there, folders, until: '[1 Agents]'});
	assert.equal(next.state().screen, 'agents');
});

test('a broken or hostile file of saved views is ignored, and replaced at exit', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	for (const text of ['{"version":1,"state":{"scr', '{"version":1,"state":{"screen":5,"profiles":[["local"]]}}']) {
		writeFileSync(uiStateFile(folders), text);
		const app = await openApp(t, {service, folders});
		const lines = app.lines();
		assert.match(cursorLine(lines)!, /^ > on {3}lamps/);
		assert.match(lines[1]!, /\[3 Installed\]$/);
		await app.close();
		const stored = JSON.parse(readFileSync(uiStateFile(folders), 'utf8')) as {readonly state: {readonly screen: string}};
		assert.equal(stored.state.screen, 'installed');
	}
});

test('the views of the last fifty services are kept', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const profiles = Object.fromEntries(Array.from({length: 60}, (_, index) => [`p${index} host`, {screen: 'agents'}]));
	writeFileSync(uiStateFile(folders), JSON.stringify({version: 1, state: {profiles}}));
	const app = await openApp(t, {service, folders});
	await app.close();
	const stored = JSON.parse(readFileSync(uiStateFile(folders), 'utf8')) as {
		readonly state: {readonly profiles: Readonly<Record<string, unknown>>};
	};
	const names = Object.keys(stored.state.profiles);
	assert.deepEqual([names.length, names[0], names.at(-1)], [50, 'p11 host', `environment ${new URL(service.baseAddress).host}`]);
});
