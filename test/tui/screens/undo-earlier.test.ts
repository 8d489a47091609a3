import {assert, existsSync, path, readdirSync, readFileSync, test, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {temporaryFolders, type Folders} from '../../helpers/temporary-folder.ts';
import {startHome, storedState, togglesOf} from '../helpers/homes.ts';
import {boxOf, isRecord, type LiveLikeService, openApp, type RenderedApp, says, storedAgent, wide} from '../helpers/kit.ts';

const openTwice = async (t: TestContext) => {
	const service = await startHome(t);
	const folders = temporaryFolders();
	const openOne = async (): Promise<RenderedApp> => openApp(t, {service, folders, size: wide});
	return {service, folders, openOne};
};

/** Switches lamps off, then leaves. */
const switchAndLeave = async (app: RenderedApp, service: LiveLikeService): Promise<void> => {
	await app.press('space').shows('> off  lamps');
	await app.until(() => storedState(service, 301) === false);
	await app.close();
};

const undoFiles = ({cacheFolder}: Folders): readonly string[] => {
	const folder = path.join(cacheFolder, 'last-seen');
	return existsSync(folder)
		? readdirSync(folder)
				.filter(name => name.includes('-undo-'))
				.map(name => path.join(folder, name))
		: [];
};

test('u after a restart asks first, tells what was changed since, and puts the states back one key at a time', async (t: TestContext) => {
	const {service, openOne} = await openTwice(t);
	const first = await openOne();
	await first.press('space').shows('> off  lamps');
	await first.press('a', 'E').says('2 switched on.');
	await first.until(() => storedState(service, 301) === true && storedState(service, 303) === true);
	await first.close();
	const pantry = service.installed.filter(entry => isRecord(entry)).find(({name}) => name === 'nightwatch')!;
	pantry['enabled'] = false;
	const count = togglesOf(service).length;
	const next = await openOne();
	const box = boxOf(await next.press('u').says('Put back: lamps off?'));
	assert.ok(box.join(' ').includes('Changed elsewhere since: nightwatch is off already.'), box.join('\n'));
	assert.equal(togglesOf(service).length, count, 'nothing is sent before the answer');
	await next.press('n').says('Nothing was put back.');
	await next.press('u').says('Put back: lamps off?');
	await next.press('y').says('Undone: lamps is off again.');
	await next.press('u').says('Put back: lamps on?');
	await next.press('y').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
	await next.press('u').says('Nothing to undo.');
});

test('a record whose id another one has by now is not switched, and that is said', async (t: TestContext) => {
	const {service, openOne} = await openTwice(t);
	await switchAndLeave(await openOne(), service);
	const lamps = service.installed.filter(entry => isRecord(entry)).find(({name}) => name === 'lamps')!;
	lamps['name'] = 'heater';
	const count = togglesOf(service).length;
	const next = await openOne();
	await next.press('u').says('Nothing is left to put back of a change of the last session. There is no lamps with that id any more.');
	assert.equal(togglesOf(service).length, count);
});

test('phrases and names are put back after a restart, with what somebody else changed', async (t: TestContext) => {
	const {service, openOne} = await openTwice(t);
	const first = await openOne();
	await first.press('t').shows('> Phrases');
	await first.press('ctrl+u', ...'light it up', 'enter').says('Saved: lamps listens for “light it up”.');
	await first.press('1').shows('> Hearth');
	await first.press('c').shows('> Name');
	await first.press('ctrl+u', ...'Hob', 'enter').says('Saved: the agent is called Hob.');
	await first.close();
	const lamps = service.installed.filter(entry => isRecord(entry)).find(({name}) => name === 'lamps')!;
	lamps['trigger_words'] = ['somebody else'];
	const next = await openOne();
	await next.press('u').says('Put back: the name Hearth for Hob?');
	await next.press('y').says('Undone: the agent is called Hearth again.');
	assert.equal(storedAgent(service, 1)['name'], 'Hearth');
	await next.press('u').says('Put back: “lamps please” and “it is dark” for lamps?');
	assert.ok(says('lamps was changed elsewhere since: it listens for “somebody else”.')(next.lines()), next.lines().join('\n'));
	await next.press('y').says('Undone: lamps listens for “lamps please” and “it is dark” again.');
	assert.deepEqual(lamps['trigger_words'], ['lamps please', 'it is dark']);
});

test('a session that runs beside does not undo what the other one did', async (t: TestContext) => {
	const {service, openOne, folders} = await openTwice(t);
	const first = await openOne();
	await first.press('space').shows('> off  lamps');
	await first.until(() => undoFiles(folders).length === 1);
	const second = await openOne();
	await second.press('u').says('Nothing to undo.');
	await first.press('u').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
});

test('steps that nobody understands are dropped without a change', async (t: TestContext) => {
	const {service, openOne, folders} = await openTwice(t);
	await switchAndLeave(await openOne(), service);
	const [file] = undoFiles(folders);
	const at = Date.now() - 1000;
	const steps = [
		String.raw`"kind":"switch","changes":[{"id":301,"name":"lamps\u001b[2J","wasEnabled":true,"isEnabled":false},{"id":"301","name":"lamps","wasEnabled":1}]`,
		'"kind":"agent","id":1,"name":"Hearth","from":{"description":7},"to":{}',
		'"kind":"phrases","id":301,"name":"lamps","from":[1],"to":"x"',
		'"kind":"__proto__"',
	].map(fields => JSON.parse(`{"at":${at},${fields}}`) as unknown);
	writeFileSync(file!, JSON.stringify({...(JSON.parse(readFileSync(file!, 'utf8')) as object), steps}));
	const count = service.requests.filter(({method}) => method === 'PUT').length;
	const next = await openOne();
	for (const _ of steps) {
		const before = next.state().messages.shown?.id;
		await next
			.press('u')
			.until(
				() =>
					next.state().messages.shown?.text.startsWith('Nothing is left to put back') === true &&
					next.state().messages.shown?.id !== before,
			);
	}

	await next.press('u').says('Nothing to undo.');
	assert.equal(service.requests.filter(({method}) => method === 'PUT').length, count);
});

test('marks come back on records that still have their id and name', async (t: TestContext) => {
	const {service, openOne} = await openTwice(t);
	const first = await openOne();
	await first.press('x', 'x', 'x').shows('3 marked');
	await first.close();
	const pantry = service.installed.filter(entry => isRecord(entry)).find(({name}) => name === 'pantry')!;
	pantry['name'] = 'larder';
	const next = await openOne();
	await next.shows('2 marked', says('2 rows are marked, as you left them. 1 other no longer exists.'));
	assert.deepEqual(
		[...next.state().views.installed.marks].toSorted((one, other) => one - other),
		[301, 303],
	);
});
