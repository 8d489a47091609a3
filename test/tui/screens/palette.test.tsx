import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {keyBytes} from '../../helpers/key-bytes.ts';
import {actionNames, keyTable} from '../../../source/tui/keys/key-table.ts';
import {storedAgent} from '../helpers/agents.ts';
import {isToggle, startHome, togglesOf} from '../helpers/homes.ts';
import {cursorLine, includes, says} from '../helpers/shown.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {wide} from '../helpers/sizes.ts';

/** All actions but the one that opens it, and the profile of this machine. */
/** The keys of the editor work nowhere else. */
const entryCount = actionNames.filter(name => keyTable[name].scope !== 'text').length;

const open = includes('enter run');

const closed = (lines: readonly string[]): boolean => !open(lines);

test('the palette lists every action with its keys and description', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	app.press(':');
	const lines = await app.waitForFrame(open);
	assert.deepEqual([lines.length, ...lines.slice(0, 4)], [
		24,
		` :_   ${entryCount} of ${entryCount}`,
		' > toggle              Space             switch the ability under the cursor o…',
		'   open                Enter             open the record under the cursor',
		'   filter              /                 filter the list, or search a text, as…',
	]);
	assert.deepEqual(lines.slice(-2), [
		' switch the ability under the cursor on or off',
		' enter run  up/down move  esc back',
	]);
});

test('the palette finds actions by letters of the name, words of the description, and keys', async (t: TestContext) => {
	const {app} = await openHome(t);
	const firstFor = async (text: string): Promise<string | undefined> => {
		app.press('ctrl+u', ...text);
		const lines = await app.waitForFrame(includes(` :${text}_`));
		return cursorLine(lines)?.split(/ +/, 3)[2];
	};

	app.press(':');
	await app.waitForFrame(open);
	assert.deepEqual([
		await firstFor('tog'),
		await firstFor('hlp'),
		await firstFor('mark all'),
		await firstFor('redraw'),
		await firstFor('ctrl+z'),
		await firstFor('s'),
		await firstFor('S'),
		await firstFor('delete'),
	], ['toggle', 'help', 'mark-all', 'repaint', 'suspend', 'sort', 'reverse-sort', 'delete']);
});

test('Enter carries out the action found, even if all keys arrive in one chunk', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('j:tog\r');
	await app.waitForFrame(includes(' > off  pantry'));
	assert.deepEqual(togglesOf(service).map(({id}) => id), [302]);
	assert.deepEqual(app.state().overlays, []);
});

test('text after an action in one chunk goes to what the action opens', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('2');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.write(':upload\rdynamo');
	assert.ok((await app.waitForFrame(includes('dynamo'))).some(line => line.includes('> Path')));
	assert.deepEqual(service.requests.filter(({method}) => method !== 'GET'), []);
});

test('the cursor moves through the palette, and Enter carries out the action under it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write(':mark');
	assert.match(cursorLine(await app.waitForFrame(includes(':mark_')))!, /^ > mark +x/);
	app.press('down', 'down', 'up');
	assert.match(cursorLine(await app.waitForFrame(includes(' > mark-range')))!, /^ > mark-range +v +start a range/);
	app.write(keyBytes('ctrl+n', 'ctrl+n', 'ctrl+p'));
	assert.match(cursorLine(await app.waitForFrame(includes(' > mark-all')))!, /^ > mark-all +a +mark all rows/);
	app.press('enter');
	await app.waitForFrame(includes('3 marked'));
	assert.deepEqual(app.state().overlays, []);
	assert.deepEqual(service.requests.filter(request => isToggle(request)), []);
});

test('an action of another screen goes there and works, even before that list was read', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write(':edit-name');
	assert.ok((await app.waitForFrame(includes(':edit-name_'))).includes(' rename the agent (on Agents)'), app.lines().join('\n'));
	app.press('enter');
	await app.waitForFrame(includes('enter save'));
	app.write(keyBytes('ctrl+u', ...'Stove', 'enter'));
	await app.waitUntil(() => storedAgent(service, 1)['name'] === 'Stove');
	await app.waitForFrame(includes('Saved: the agent is called Stove.'));
	assert.equal(app.state().screen, 'agents');
});

test('a switch action goes to the Installed screen, and deleting asks first', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents'});
	app.write(':toggle\r');
	await app.waitForFrame(includes(' > off  lamps'));
	assert.deepEqual(togglesOf(service).map(({id}) => id), [301]);
	app.write(':delete\r');
	await app.waitForFrame(includes('Delete lamps (21)? This cannot be undone.'));
	assert.deepEqual(service.requests.filter(({method}) => method === 'DELETE'), []);
});

test('matches are ranked: names before descriptions, whole words before parts', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	app.press(':');
	const hits = async (text: string): Promise<readonly string[]> => {
		app.write(`\u{15}${text}`);
		const lines = await app.waitForFrame(includes(` :${text}_`));
		return lines.slice(1, -2).map(line => line.slice(3).split(' ', 1)[0]!).filter(name => name !== '');
	};

	assert.deepEqual(await hits('name'), ['edit-name']);
	assert.deepEqual(await hits('under cursor'), ['toggle', 'open', 'mark', 'enable-marked', 'disable-marked', 'copy-id', 'install', 'delete']);
	assert.deepEqual(await hits('undo'), ['undo', 'redo']);
	assert.deepEqual(await hits('mka'), ['mark-range', 'mark-all']);
});

test('without matches the palette says so, Enter does nothing, and Escape closes it', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	app.write(':xyzzy');
	assert.deepEqual((await app.waitForFrame(includes('xyzzy'))).slice(0, 3), [
		` :xyzzy_   0 of ${entryCount}`,
		'   No matching action.',
		'   Ctrl+U clears the text.',
	]);
	app.press('enter');
	assert.equal(app.state().overlays.length, 1);
	app.press('escape');
	assert.deepEqual(await app.waitForFrame(closed), before);
});

test('Backspace in an empty palette closes it, and a paste is text', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	app.press(':');
	app.paste('re\n');
	await app.waitForFrame(includes(' :re_'));
	app.press('backspace', 'backspace');
	await app.waitForFrame(includes(' :_'));
	app.press('backspace');
	assert.deepEqual(await app.waitForFrame(closed), before);
});

test('the palette switches to a profile by name', async (t: TestContext) => {
	const here = await startHome(t);
	const there = await startHome(t, {home: {installed: []}});
	const app = await openApp(t, {
		service: here, async prepareSettings(settings) {
			await settings.saveProfile({name: 'work', baseAddress: there.baseAddress, apiKey: there.apiKey});
			await settings.saveProfile({name: 'old', baseAddress: 'https://voice.example.net', apiKey: undefined});
		}, until: '3 installed',
	});
	app.write(':profile work\r');
	await app.waitForFrame(includes('0 installed, 0 on'));
	assert.equal(there.requests.length, 1);
	assert.equal(app.settings.currentProfileName(), 'work');

	app.write(':profile work\r');
	await app.waitForFrame(says('work is already shown.'));
	app.write(':profile old\r');
	await app.waitForFrame(includes('https://voice.example.net'));
	assert.equal(app.state().overlays.at(-1)?.kind, 'sign-in');
});

test('an action of the list closes an opened record', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('enter');
	await app.waitForFrame(includes('esc back'));
	app.write(':mark-all\r');
	await app.waitForFrame(includes('3 marked'));
	assert.deepEqual(app.state().overlays, []);
});
