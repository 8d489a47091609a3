import {assert, path, readdirSync, readFileSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {startOddService} from '../../helpers/odd-service.ts';
import type {Folders} from '../../helpers/temporary-folder.ts';
import {installedRecord, isInstalledList, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {cursorLine, filterLine, includes, isFresh, says, screen, shown} from '../helpers/shown.ts';
import {isRecord, openApp, renderApp, startForVisits, temporaryFolders} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const rows = [
	' > on   lamps                              skill      2 days',
	'   on   pantry                             brain      2 days',
	'   off  nightwatch                         daemon     2 days',
];

/** What stands in the folder of the lists last seen. */
function storedLists({cacheFolder}: Folders): string {
	const folder = path.join(cacheFolder, 'last-seen');
	try {
		return readdirSync(folder)
			.map(name => readFileSync(path.join(folder, name), 'utf8'))
			.join('\n');
	} catch {
		return '';
	}
}

/** A service whose lists the screens have seen and stored once. */
async function seeOnce(t: TestContext) {
	const visits = await startForVisits(t);
	const app = await visits.visit();
	await app.until(() => ['nightwatch', 'Hearth'].every(name => storedLists(visits.folders).includes(name)));
	await app.close();
	return visits;
}

test('the list last seen shows at once with its time, until the service answers', async (t: TestContext) => {
	const {service, folders} = await seeOnce(t);
	const release = service.hold();
	const app = await renderApp(t, {service, folders});
	assert.ok(!storedLists(folders).includes(service.apiKey));
	assert.deepEqual(shown(app.lines()), screen({header: 'Switchboard  environment  as of 00:00, reading… · 2 of 3 on', tabs, rows}));
	const stored = JSON.parse(
		storedLists(folders)
			.split('\n')
			.find(line => line.includes('nightwatch'))!,
	) as {readonly fetchedAt: number};
	const time = new Date(stored.fetchedAt);
	assert.ok(
		app.lines()[0]!.includes(`as of ${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`),
		app.lines()[0],
	);

	service.installed.pop();
	release();
	assert.deepEqual(
		shown(await app.shows(isFresh)),
		screen({header: 'Switchboard  environment  reads every 15 s · 2 of 2 on', tabs, rows: rows.slice(0, 2)}),
	);
});

test('what was switched before leaving is switched in the list last seen', async (t: TestContext) => {
	const {service, folders} = await startForVisits(t);
	const app = await renderApp(t, {service, folders});
	await app.until(() => ['nightwatch', 'Hearth'].every(name => storedLists(folders).includes(name)));
	await app.press('space').shows(' > off  lamps');
	await app.close();
	service.hold();
	const next = await renderApp(t, {service, folders});
	assert.deepEqual(
		shown(next.lines()),
		screen({
			header: 'Switchboard  environment  as of 00:00, reading… · 1 of 3 on',
			tabs,
			rows: [' > off  lamps                              skill      2 days', ...rows.slice(1)],
		}),
	);
});

test('a list that is as it was last seen is confirmed without being sent again', async (t: TestContext) => {
	const body = JSON.stringify([installedRecord(301, 'lamps', true)]);
	const service = await startOddService({
		'/api/capabilities/get-installed-capabilities/': ({headers}) =>
			headers['if-none-match'] === '"one"' ? {status: 304} : {headers: {etag: '"one"'}, body},
		'/api/capabilities/edit-installed-capability/301/': {body: '{}'},
		'/api/personalities/get-all-personalities/': {body: '[]'},
	});
	t.after(async () => service.close());
	const folders = temporaryFolders();
	const tags = () => service.requests.filter(request => isInstalledList(request)).map(({headers}) => headers['if-none-match']);
	const first = await openApp(t, {service, folders});
	await first.until(() => storedLists(folders).includes('lamps'));
	await first.close();
	const second = await openApp(t, {service, folders});
	assert.deepEqual(tags(), [undefined, '"one"']);
	await second.press('space').shows(' > off  lamps');
	await second.close();
	// The tag was for the list without the change.
	await openApp(t, {service, folders});
	assert.deepEqual(tags(), [undefined, '"one"', undefined]);
});

test('signing out removes the stored lists, also after a switch', async (t: TestContext) => {
	const {service, folders} = await startForVisits(t);
	const app = await renderApp(t, {service, folders, profileName: 'home', profiles: {home: service}});
	await app.until(() => storedLists(folders).includes('nightwatch'));
	assert.ok(storedLists(folders).includes(service.baseAddress));
	await app.press('space').shows(' > off  lamps');
	await app.ui.profiles.signOut('home');
	await app.close();
	assert.ok(!storedLists(folders).includes(service.baseAddress));
});

test('lists that were removed by signing out elsewhere are not stored again', async (t: TestContext) => {
	const {service, folders} = await startForVisits(t);
	const app = await openApp(t, {service, folders, profileName: 'home', profiles: {home: service}});
	await app.until(() => storedLists(folders).includes('nightwatch'));
	await (await openSettings(folders)).forgetKey('home');
	service.installed.pop();
	await app.press('r').shows('2 of 2 on');
	await app.close();
	assert.doesNotMatch(storedLists(folders), /lamps/);
});

test('a toggle on the list last seen waits for the first fresh list, and sends the fresh fields once', async (t: TestContext) => {
	const {service, folders} = await seeOnce(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service, folders});
	const lamps = service.installed.find(entry => isRecord(entry) && entry['id'] === 301) as Record<string, unknown>;
	lamps['trigger_words'] = ['let there be light'];
	const lines = await app.press('space').shows(' > off~ lamps');
	assert.match(lines[0]!, /as of \d\d:\d\d, reading… · 1 of 3 on$/);
	await app.until(() => service.heldCount() === 1);
	assert.deepEqual(togglesOf(service), []);

	release();
	await app.shows(' > off  lamps');
	assert.deepEqual(togglesOf(service), [
		{
			id: 301,
			body: {
				enabled: false,
				name: 'lamps',
				category: 'skill',
				trigger_words: ['let there be light'],
				system_capability: false,
				agent_capability: true,
			},
		},
	]);
	assert.equal(storedState(service, 301), false);
});

test('another key does not see the list last seen', async (t: TestContext) => {
	const {service, folders} = await seeOnce(t);
	service.hold();
	const app = await renderApp(t, {service: {baseAddress: service.baseAddress, apiKey: 'another-key-0123456789'}, folders});
	assert.deepEqual(
		shown(app.lines()),
		screen({header: 'Switchboard  environment · 127.0.0.1:00000  reading…', tabs, rows: ['   Reading the installed abilities…']}),
	);
});

test('an unreachable service leaves the list last seen on the screen', async (t: TestContext) => {
	const {service, folders} = await seeOnce(t);
	await service.close();
	const app = await renderApp(t, {service, folders});
	const lines = await app.shows('Next try in');
	assert.deepEqual(
		shown(lines.map(line => line.replace(/in \d+ s/, 'in 9 s'))),
		screen({
			header: 'Switchboard  environment  ! unreachable, as of 00:00',
			tabs,
			rows,
			message: [' Unreachable. Next try in 9 s; r tries now.'],
		}),
	);
});

const uiStateFile = ({configFolder}: {readonly configFolder: string}): string => path.join(configFolder, 'ui-state.json');

test('the next start restores screen, filter, sort order, row and marks, and counts what the filter hides', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t);
	const first = await visit({size: {columns: 80, rows: 14}});
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
	const app = await openApp(t, {service: here, profileName: 'home', folders, profiles: {work: there, home: here}});
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
	const {folders, visit} = await startForVisits(t);
	for (const text of ['{"version":1,"state":{"scr', '{"version":1,"state":{"screen":5,"profiles":[["local"]]}}']) {
		writeFileSync(uiStateFile(folders), text);
		const app = await visit();
		const lines = app.lines();
		assert.match(cursorLine(lines)!, /^ > on {3}lamps/);
		assert.match(lines[1]!, /\[3 Installed\]$/);
		await app.close();
		const stored = JSON.parse(readFileSync(uiStateFile(folders), 'utf8')) as {readonly state: {readonly screen: string}};
		assert.equal(stored.state.screen, 'installed');
	}
});

test('the views of the last fifty services are kept', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t);
	const profiles = Object.fromEntries(Array.from({length: 60}, (_, index) => [`p${index} host`, {screen: 'agents'}]));
	writeFileSync(uiStateFile(folders), JSON.stringify({version: 1, state: {profiles}}));
	const app = await visit();
	await app.close();
	const stored = JSON.parse(readFileSync(uiStateFile(folders), 'utf8')) as {
		readonly state: {readonly profiles: Readonly<Record<string, unknown>>};
	};
	const names = Object.keys(stored.state.profiles);
	assert.deepEqual([names.length, names[0], names.at(-1)], [50, 'p11 host', `environment ${new URL(service.baseAddress).host}`]);
});

test('of two windows each keeps what it has changed, the later one last', async (t: TestContext) => {
	const {visit} = await startForVisits(t);
	await (await visit()).close();
	const [one, other] = [await visit(), await visit()];
	await one.write('x/pan\r').shows('1 of 3');
	await one.write('1s1').shows('[1 Agents]', 'by name');
	await other.write('2/lam\r').shows('[2 Abilities]', '1 of');
	await other.press('x').shows('1 marked');
	await one.close();
	await other.close();
	const next = await visit({until: '1 marked'});
	await next.write('3').shows('[3 Installed]', '1 marked');
	const {agents, abilities, installed} = next.state().views;
	assert.deepEqual([agents.sort.column, abilities.filter, installed.filter], ['name', 'lam', 'pan']);
});

test('signing out forgets how the screens were left, also where a window that is open would keep it', async (t: TestContext) => {
	const {service, folders} = await startForVisits(t);
	const open = async () => openApp(t, {service, folders, profileName: 'home', profiles: {home: service}});
	const first = await open();
	await first.write('x/pan\r').shows('1 of 3');
	await first.close();
	assert.match(readFileSync(uiStateFile(folders), 'utf8'), /"home [^]*"pan"[^]*"lamps"/);
	const second = await open();
	await (await openSettings(folders)).forgetKey('home');
	await second.close();
	assert.doesNotMatch(readFileSync(uiStateFile(folders), 'utf8'), /home|pan|lamps/);
});

test('rows that were marked with another key, or a day ago, are not marked again', async (t: TestContext) => {
	const {folders, visit} = await startForVisits(t);
	const first = await visit();
	await first.press('x').shows('1 marked');
	await first.close();
	const text = readFileSync(uiStateFile(folders), 'utf8');
	for (const changed of [text.replace(/"account": "\w+"/, '"account": "other"'), text.replace(/"at": \d+/, '"at": 1700000000000')]) {
		assert.notEqual(changed, text);
		writeFileSync(uiStateFile(folders), changed);
		const next = await visit();
		assert.equal(next.state().views.installed.marks.size, 0);
		await next.close();
	}
});
