import {shareTestService} from '../../service/running-service.ts';
import {assert, existsSync, path, readdirSync, readFileSync, rmSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import type {InstalledAbility} from '../../../source/interface/records.ts';
import {writesUnderWay} from '../../../source/tui/hooks/writes.ts';
import {endTries, startTry, triedIds} from '../../../source/tui/hooks/try-switch.ts';
import {findRecord} from '../../helpers/live-like/home.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {type Folders, modeOf} from '../../helpers/temporary-folder.ts';
import {isInstalledList, isToggle, startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {openApp, openHome, startForVisits} from '../helpers/open-home.ts';
import {boxOf, includes, isAnswered, type LiveLikeService, type RenderedApp, temporaryFolders, wide} from '../helpers/kit.ts';

const folderOf = ({stateFolder}: Folders): string => path.join(stateFolder, 'journal');

const logFiles = (folders: Folders): readonly string[] =>
	(existsSync(folderOf(folders)) ? readdirSync(folderOf(folders)) : [])
		.filter(name => name.endsWith('.jsonl'))
		.map(name => path.join(folderOf(folders), name));

/** The tries that are noted and not over. */
function notesIn(folders: Folders): ReadonlyArray<Readonly<Record<string, unknown>>> {
	const lines = logFiles(folders).flatMap(file =>
		readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as Readonly<Record<string, unknown>>),
	);
	const over = new Set(lines.flatMap(({kind, keys}) => (kind === 'skip' ? (keys as readonly unknown[]) : [])));
	return lines.filter(({kind, key}) => kind === 'try' && !over.has(key));
}

const tried = (app: RenderedApp): InstalledAbility =>
	app
		.session()
		.records.seen('installed')!
		.find(({name}) => name === 'nightwatch')!;

const waitForState = async (app: RenderedApp, isEnabled: boolean): Promise<void> =>
	app.until(() => tried(app).isEnabled === isEnabled && app.session().changes.queue.intents('installed', 'enabled').size === 0);

/** Starts a try, and waits until it is confirmed. */
async function start(app: RenderedApp): Promise<void> {
	assert.equal(await startTry(app.session(), tried(app)), undefined);
	await app.until(() => triedIds(app.session()).get().has(tried(app).id));
}

const bundled = await shareTestService();

/** The screens on the bundled service. */
async function openBundled(t: TestContext) {
	const folders = temporaryFolders();
	const service = {baseAddress: bundled.baseAddress, apiKey: bundled.key};
	return {folders, app: await openApp(t, {service, folders, size: wide, until: 'live'})};
}

test('it stays on where somebody has decided so meanwhile: with a key here, or elsewhere, or with other changes', async (t: TestContext) => {
	const {folders, app} = await openBundled(t);
	const {session} = app;
	const {id} = tried(app);

	await start(app);
	// As two presses of Space on its row.
	session().changes.switching.toggle(id);
	await waitForState(app, false);
	assert.deepEqual(notesIn(folders), [], 'it is theirs as soon as the service has it');
	session().changes.switching.toggle(id);
	await waitForState(app, true);
	endTries(session());
	assert.equal(session().changes.queue.intents('installed', 'enabled').size, 0);
	session().changes.switching.toggle(id);
	await waitForState(app, false);

	await start(app);
	await session().records.client.editInstalled(tried(app), {enabled: false});
	await session().records.client.editInstalled(tried(app), {enabled: true});
	endTries(session());
	await app.says('nightwatch was changed during the conversation, and stays on.');
	assert.deepEqual([tried(app).isEnabled, notesIn(folders)], [true, []]);
	session().changes.switching.toggle(id);
	await waitForState(app, false);

	await start(app);
	await session().records.client.editInstalled(tried(app), {enabled: false});
	endTries(session());
	await app.until(() => notesIn(folders).length === 0);
	assert.equal(tried(app).isEnabled, false);
});

test('a try is noted in a private file before it is sent, and is off again afterwards; undo sees both as any change', async (t: TestContext) => {
	const {folders, app} = await openBundled(t);
	const {id} = tried(app);
	await start(app);
	const [file] = logFiles(folders);
	assert.deepEqual([modeOf(file!), modeOf(folderOf(folders))], ['600', '700']);
	assert.deepEqual(
		notesIn(folders).map(({record, name}) => [record, name]),
		[[id, 'nightwatch']],
	);
	assert.deepEqual([...triedIds(app.session()).get()], [id]);
	endTries(app.session());
	await waitForState(app, false);
	assert.deepEqual([notesIn(folders), [...triedIds(app.session()).get()]], [[], []]);
	const {entries} = await app.session().changes.history.read({kind: 'installed'});
	assert.deepEqual(
		entries.slice(0, 2).map(({field, from, to}) => [field, from, to]),
		[
			['enabled', true, false],
			['enabled', false, true],
		],
	);
	await app.press('u').says('Undone: nightwatch is on again.');
});

test('quitting waits until it is off again', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t, {size: wide});
	const app = await visit();
	await start(app);
	const release = service.hold({when: isToggle});
	await app.press('q').says('Quitting once 1 change finishes.');
	await app.until(() => togglesOf(service).length === 2);
	assert.equal(app.exitCode(), undefined);
	release();
	await app.until(() => app.exitCode() === 0);
	assert.deepEqual([storedState(service, 303), notesIn(folders)], [false, []]);
});

test('going to another profile waits until it is off again', async (t: TestContext) => {
	const [service, other] = [await startHome(t), await startHome(t, {apiKey: 'the-other-key-0123456789'})];
	const folders = temporaryFolders();
	const app = await openApp(t, {service, folders, size: wide, profileName: 'home', profiles: {other, home: service}});
	await start(app);
	const before = app.session();
	await app.press('P', 'k', 'enter').shows('other');
	await app.until(() => before.closing.aborted);
	assert.deepEqual([storedState(service, 303), notesIn(folders)], [false, []]);
});

test('a run or a key that may not switch and say is offered no try', async (t: TestContext) => {
	for (const limits of [{isReadOnly: true}, {keyRights: 'read-only; name=desk'}, {keyRights: 'switch; name=ci'}]) {
		const {app} = await openHome(t, {...limits, size: wide});
		const lines = await app.write('/nightwatch\rT').shows('cannot talk');
		assert.ok(!includes('Ctrl+T')(lines), lines.join('\n'));
		app.press('ctrl+t');
		await app.press('escape').shows('/nightwatch');
		assert.equal(app.session().changes.queue.intents('installed', 'enabled').size, 0);
	}
});

const isListAfterToggle =
	({requests}: LiveLikeService): ((request: RecordedRequest) => boolean) =>
	request =>
		isInstalledList(request) && requests.some(each => isToggle(each));

const outcomes = [
	{
		title: 'that the service refuses leaves nothing to take back',
		failures: [{when: isToggle, status: 500, body: '{}'}],
		notes: 0,
		isOn: false,
	},
	{
		title: 'of unknown outcome stays noted',
		failures: [{when: isToggle, cut: 'connection' as const}],
		isListLost: true,
		notes: 1,
		isOn: false,
		isLeft: true,
	},
	{
		title: 'whose answer is lost is on if the list says so',
		failures: [{when: isToggle, cut: 'connection' as const, isCarriedOut: true}],
		notes: 1,
		isOn: true,
	},
];

for (const {title, failures, isListLost = false, notes, isOn, isLeft = false} of outcomes) {
	test(`a try ${title}`, async (t: TestContext) => {
		const {service, folders, visit} = await startForVisits(t, {size: wide});
		const app = await visit();
		for (const failure of failures) {
			service.failNext(failure);
		}

		if (isListLost) {
			service.failNext({when: isListAfterToggle(service), status: 500, body: '{}', times: 2});
		}

		assert.equal(await startTry(app.session(), tried(app)), undefined);
		await app.until(() => app.session().changes.queue.intents('installed', 'enabled').size === 0 && notesIn(folders).length === notes);
		assert.equal(storedState(service, 303), isOn);
		endTries(app.session());
		await app.until(
			() =>
				notesIn(folders).length === Number(isLeft) &&
				writesUnderWay(app.session().records.queryClient).length + app.session().changes.queue.intents('installed', 'enabled').size === 0,
		);
		assert.equal(storedState(service, 303), false);
	});
}

test('a try of an ability that was uninstalled meanwhile is over; one that is on already, or cannot be noted, is not begun', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t, {size: wide});
	const app = await visit();
	const before = tried(app);
	findRecord(service.installed, 303)!['enabled'] = true;
	assert.equal(await startTry(app.session(), before), 'nightwatch is not off any more.');
	assert.deepEqual([notesIn(folders), togglesOf(service)], [[], []]);
	findRecord(service.installed, 303)!['enabled'] = false;
	await app.session().records.readAgain('installed');

	await start(app);
	service.installed.splice(service.installed.indexOf(findRecord(service.installed, 303)!), 1);
	endTries(app.session());
	await app.until(() => notesIn(folders).length === 0);
	assert.equal(togglesOf(service).length, 1);

	rmSync(folderOf(folders), {recursive: true});
	writeFileSync(folderOf(folders), '');
	app.session().changes.switching.toggle(302);
	await app.until(() => storedState(service, 302) === false);
	await app.press('r').until(
		() =>
			app
				.session()
				.records.seen('installed')!
				.find(({id}) => id === 302)?.isEnabled === false,
	);
	const reason = await startTry(
		app.session(),
		app
			.session()
			.records.seen('installed')!
			.find(({id}) => id === 302)!,
	);
	assert.match(reason!, /^pantry stays off: it could not be noted for the next start \(.+\)\.$/);
	assert.equal(storedState(service, 302), false);
});

test('the next start asks about what was left on, also twice, and does nothing by itself', async (t: TestContext) => {
	const {service, folders, visit} = await startForVisits(t, {size: wide});
	const first = await visit();
	await start(first);
	const second = await visit();
	await second.until(() => !second.session().records.queryClient.isFetching());
	assert.ok(isAnswered(second.lines()), 'the other program is trying it right now');
	await second.close();

	// As after a signal: what goes on is not ended.
	await first.close();
	assert.equal(notesIn(folders).length, 1);
	const watching = await visit({isReadOnly: true});
	await watching.shows(lines => lines.join(' ').includes('nightwatch is on since a conversation'));
	await watching.close();

	const next = await visit();
	const box = boxOf(await next.shows('Switch nightwatch off again?'));
	assert.match(box.join(' '), /It is on since a conversation \(\d\d:\d\d\) that did not end as usual\./);
	assert.deepEqual([storedState(service, 303), togglesOf(service).length], [true, 1]);
	await next.close();
	const last = await visit();
	await last.shows('Switch nightwatch off again?');
	await last.press('y').until(() => storedState(service, 303) === false && notesIn(folders).length === 0);

	await start(last);
	await last.close();
	const declining = await visit();
	await declining.shows('Switch nightwatch off again?');
	await declining.press('n').until(() => notesIn(folders).length === 0);
	assert.equal(storedState(service, 303), true);
});
