import {assert, test, type TestContext} from '../../helpers/node.ts';
import {installedListCount, installedRecord, togglesOf} from '../helpers/homes.ts';
import {includes, assertScreen, isFresh, filterLine} from '../helpers/shown.ts';
import {isRecord, type LiveLikeService, openApp, openHome, type RenderedApp, small, temporaryFolders, wide} from '../helpers/kit.ts';

const tabs = '1 Agents  2 Abilities [3 Installed]';
const lamps = ' > on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';

/** Changes a record past the program, as somebody else does. */
function change({installed}: LiveLikeService, id: number, fields: Readonly<Record<string, unknown>>): void {
	Object.assign(installed.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)!, fields);
}

/** The messages without their times, the newest first. */
async function messages(app: RenderedApp): Promise<readonly string[]> {
	const lines = await app.press('M').shows(' Messages');
	await app.press('escape').shows('Installed]');
	return lines
		.slice(1, -1)
		.filter(line => line !== '')
		.map(line => line.replace(/^ \d\d:\d\d:\d\d {3}/, '').trim());
}

async function refresh(app: RenderedApp, service: LiveLikeService): Promise<void> {
	const count = installedListCount(service);
	await app.press('r').until(() => installedListCount(service) > count);
}

test('a change made elsewhere is highlighted until the cursor passes it, and reported with old and new value', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	change(service, 303, {enabled: true, trigger_words: ['keep watch']});
	app.press('r');
	assertScreen((await app.shows('nightwatch   ')) && (await app.shows('3 of 3 on')), {
		header: 'Switchboard  environment  reads every 15 s · 3 of 3 on',
		tabs,
		rows: [lamps, pantry, '^  on   nightwatch                         daemon     2 days'],
	});
	assert.deepEqual(await messages(app), [
		'Elsewhere: phrases of nightwatch: empty → “keep w…”',
		'Elsewhere: nightwatch was switched on (it was off).',
	]);
	assert.ok(includes('^> on   nightwatch')(await app.press('j', 'j').shows('> on   nightwatch')), 'it is being looked at');
	await app.press('k').shows(' > on   pantry', '   on   nightwatch');
	assert.deepEqual(togglesOf(service), []);
});

test('a jump past it ends the highlight too, and a marked row shows it behind the state', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('jxk').shows('1 marked');
	change(service, 302, {enabled: false});
	await refresh(app, service);
	assert.ok(includes('*> off^ pantry')(await app.shows('off^')));
	await app.press('escape').shows('^> off  pantry');
	await app.press('g').shows('   off  pantry');
});

test('added and removed records count as changes, and many are reported in one line', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	service.installed.shift();
	service.installed.push(installedRecord(400, 'attic', false));
	await refresh(app, service);
	await app.shows('^  off  attic');
	assert.deepEqual(await messages(app), [
		'Elsewhere: lamps was removed from the installed',
		'abilities.',
		'Elsewhere: attic was added to the installed',
		'abilities, and is off.',
	]);
	service.installed.push(...Array.from({length: 7}, (_, index) => installedRecord(500 + index, `room${index}`, true)));
	change(service, 303, {enabled: true});
	await refresh(app, service);
	await app.shows('^  on   room3');
	assert.deepEqual((await messages(app)).slice(0, 2), [
		'Elsewhere, 8 changes to the installed abilities: 1',
		'switched on, 7 added. The filter is:changed shows',
	]);
});

test('is:changed shows what was changed elsewhere, also without highlight, and later changes as they come', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	change(service, 302, {enabled: false});
	await refresh(app, service);
	await app.shows('^  off  pantry');
	app.write('Gg');
	await app.write('/is:changed\r').shows(lines => filterLine(lines) === '/is:changed   1 of 3' && includes(' > off  pantry')(lines));
	change(service, 303, {enabled: true});
	await refresh(app, service);
	assert.ok(includes(' > off  pantry')(await app.shows('^  on   nightwatch')));
});

test('on Abilities the highlight also stands for the installed record', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities'});
	await app.shows('off  nightwatch');
	change(service, 303, {enabled: true});
	await refresh(app, service);
	await app.shows('^  on   nightwatch');
	await app.write('G').shows('   on   nightwatch');
});

test('a prompt that was edited elsewhere is quoted on one line, where it differs', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', size: wide, until: '> Hearth'});
	const agent = service.agents.find(entry => isRecord(entry))!;
	agent['description'] = 'You look after a house.\n\nBe brief.\nSay what you did.';
	await app.press('r').shows('^> Hearth');
	agent['description'] = 'You look after a house.\n\nBe kind.\nSay what you did.';
	await app.press('r').until(() => app.state().messages.history.length === 2);
	const lines = await app.press('M').shows(' Messages');
	assert.match(lines[1]!, /^ [\d:]{8} {3}Elsewhere: prompt of Hearth: “….* Be brie.*…” → “….* Be kind.*…”$/);
	assert.equal(lines.slice(1, -1).filter(line => line !== '').length, 2);
	const narrow = await app.resize(small).shows(shownLines => shownLines.length === small.rows);
	assert.deepEqual(
		narrow
			.slice(1, -1)
			.filter(line => line !== '')
			.map(line => line.slice(12)),
		['Elsewhere: prompt of Heart…', 'Elsewhere: prompt of Heart…'],
	);
});

test('changes since an earlier run are not highlighted', async (t: TestContext) => {
	const folders = temporaryFolders();
	const {service, app} = await openHome(t, {folders});
	await app.close();
	change(service, 303, {enabled: true});
	const next = await openApp(t, {service, folders, until: lines => isFresh(lines) && includes('   on   nightwatch')(lines)});
	assert.ok(!includes('^')(next.lines()));
	assert.deepEqual(await messages(next), ['No messages yet.']);
});
