import {assert, path, readdirSync, readFileSync, test, type TestContext} from '../../helpers/node.ts';
import {startOddService} from '../../helpers/odd-service.ts';
import {temporaryFolders, type Folders} from '../../helpers/temporary-folder.ts';
import {installedRecord, isInstalledList, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {isFresh, isRecord, type LiveLikeService, openApp, renderApp, screen, shown} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const rows = [
	' > on   lamps                              skill      2 days',
	'   on   pantry                             brain      2 days',
	'   off  nightwatch                         daemon     2 days',
];

/** What stands in the folder of the lists last seen. */
const storedLists = ({cacheFolder}: Folders): string => {
	const folder = path.join(cacheFolder, 'last-seen');
	try {
		return readdirSync(folder)
			.map(name => readFileSync(path.join(folder, name), 'utf8'))
			.join('\n');
	} catch {
		return '';
	}
};

/** Runs the UI until it has stored the list, and leaves it. */
const seeOnce = async (t: TestContext, service: LiveLikeService, folders: Folders): Promise<void> => {
	const app = await openApp(t, {service, folders});
	await app.until(() => ['nightwatch', 'Hearth'].every(name => storedLists(folders).includes(name)));
	await app.close();
};

test('the list last seen shows at once with its time, until the service answers', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	await seeOnce(t, service, folders);
	const release = service.hold();
	const app = await renderApp(t, {service, folders});
	assert.ok(!storedLists(folders).includes(service.apiKey));
	assert.deepEqual(shown(app.lines()), screen({header: 'environment  as of 00:00, reading… · 2 of 3 on', tabs, rows}));
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
		screen({header: 'environment · 127.0.0.1:00000  every 15 s · 2 of 2 on', tabs, rows: rows.slice(0, 2)}),
	);
});

test('what was switched before leaving is switched in the list last seen', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const app = await renderApp(t, {service, folders});
	await app.until(() => ['nightwatch', 'Hearth'].every(name => storedLists(folders).includes(name)));
	await app.press('space').shows(' > off  lamps');
	await app.close();
	service.hold();
	const next = await renderApp(t, {service, folders});
	assert.deepEqual(
		shown(next.lines()),
		screen({
			header: 'environment  as of 00:00, reading… · 1 of 3 on',
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
	const service = await startHome(t);
	const folders = temporaryFolders();
	const app = await renderApp(t, {
		service,
		folders,
		profileName: 'home',
		async prepareSettings(settings) {
			await settings.saveProfile({name: 'home', baseAddress: service.baseAddress, apiKey: service.apiKey});
		},
	});
	await app.until(() => storedLists(folders).includes('nightwatch'));
	assert.ok(storedLists(folders).includes(service.baseAddress));
	await app.press('space').shows(' > off  lamps');
	await app.ui.signOut('home');
	await app.close();
	assert.ok(!storedLists(folders).includes(service.baseAddress));
});

test('a toggle on the list last seen waits for the first fresh list, and sends the fresh fields once', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	await seeOnce(t, service, folders);
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
	const service = await startHome(t);
	const folders = temporaryFolders();
	await seeOnce(t, service, folders);
	service.hold();
	const app = await renderApp(t, {service: {baseAddress: service.baseAddress, apiKey: 'another-key-0123456789'}, folders});
	assert.deepEqual(
		shown(app.lines()),
		screen({header: 'Switchboard  environment · 127.0.0.1:00000  reading…', tabs, rows: ['   Reading the installed abilities…']}),
	);
});

test('an unreachable service leaves the list last seen on the screen', async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	await seeOnce(t, service, folders);
	await service.close();
	const app = await renderApp(t, {service, folders});
	const lines = await app.shows('Next try in');
	assert.deepEqual(
		shown(lines.map(line => line.replace(/in \d+ s/, 'in 9 s'))),
		screen({
			header: 'environment  ! unreachable, as of 00:00 · 2 of 3 on',
			tabs,
			rows,
			message: [' Unreachable. Next try in 9 s; r tries now.'],
		}),
	);
});
