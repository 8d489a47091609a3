import {assert, test, type TestContext} from '../../helpers/node.ts';
import {screenTopics} from '../../../source/commands/help.ts';
import {actionNames, keyTable} from '../../../source/words/key-table.ts';
import {installedRecord, isToggle, startHome, toggledIds, togglesOf, writesTo} from '../helpers/homes.ts';
import {savePreset, wanted} from '../helpers/presets.ts';
import {boxOf, cursorLine, includes, isFresh} from '../helpers/shown.ts';
import {asked, isDeletion, keyBytes, night, openApp, openHome, type RenderedApp, storedAgent, storedStates, wide} from '../helpers/kit.ts';

/** All actions but the one that opens it, the profile of this machine, and the topics; the keys of the editor work nowhere else. */
const entryCount = actionNames.filter(name => keyTable[name].scope !== 'text').length + screenTopics.length;

/** Two agents and four abilities, three of them installed. */
const recordCount = 6;

const open = includes('enter run');

const closed = (lines: readonly string[]): boolean => !open(lines);

test('the palette lists every action with its keys and description', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	const lines = await app.press(':').shows(open, ` of ${entryCount + recordCount}`);
	assert.deepEqual(
		[lines.length, ...lines.slice(0, 4)],
		[
			24,
			` :_   ${entryCount} of ${entryCount + recordCount}`,
			' > toggle              Space             switch the ability under the cursor, …',
			'   open                Enter             open the record under the cursor',
			'   filter              /                 filter the list, or search a text, as…',
		],
	);
	assert.deepEqual(lines.slice(-2), [' switch the ability under the cursor, or all marked ones', ' enter run  up/down move  esc back']);
});

test('the palette finds actions by letters of the name, words of the description, and keys', async (t: TestContext) => {
	const {app} = await openHome(t);
	const firstFor = async (text: string): Promise<string | undefined> => {
		const lines = await app.press('ctrl+u', ...text).shows(` :${text}_`);
		return cursorLine(lines)?.split(/ +/, 3)[2];
	};

	await app.press(':').shows(open);
	assert.deepEqual(
		[
			await firstFor('tog'),
			await firstFor('hlp'),
			await firstFor('mark all'),
			await firstFor('redraw'),
			await firstFor('ctrl+z'),
			await firstFor('s'),
			await firstFor('S'),
			await firstFor('delete'),
		],
		['toggle', 'help', 'mark-all', 'repaint', 'suspend', 'sort', 'reverse-sort', 'delete'],
	);
});

test('Enter carries out the action found, even if all keys arrive in one chunk', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('j:tog\r').shows(' > off  pantry');
	assert.deepEqual(toggledIds(service), [302]);
	assert.deepEqual(app.state().overlays, []);
	// Text after it goes to what the action opens.
	await app.write('2').shows('[2 Abilities]');
	app.write(':upload\r');
	assert.ok((await app.write('dynamo').shows('dynamo')).some(line => line.includes('> Path')));
	assert.equal(writesTo(service).length, 1);
});

test('the cursor moves through the palette, and Enter carries out the action under it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	assert.match(cursorLine(await app.write(':mark').shows(':mark_'))!, /^ > mark +x/);
	assert.match(cursorLine(await app.press('down', 'down', 'up').shows(' > mark-range'))!, /^ > mark-range +v +start a range/);
	assert.match(cursorLine(await app.write(keyBytes('ctrl+n', 'ctrl+n', 'ctrl+p')).shows(' > mark-all'))!, /^ > mark-all +a +mark all rows/);
	await app.press('enter').shows('3 marked');
	assert.deepEqual(app.state().overlays, []);
	assert.deepEqual(
		service.requests.filter(request => isToggle(request)),
		[],
	);
});

test('an action of another screen goes there and works, even before that list was read', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	assert.ok((await app.write(':edit-name').shows(':edit-name_')).includes(' rename the agent (on Agents)'), app.lines().join('\n'));
	await app.press('enter').shows('enter save');
	await app.write(keyBytes('ctrl+u', ...'Stove', 'enter')).until(() => storedAgent(service, 1)['name'] === 'Stove');
	await app.shows('Saved: the agent is called Stove.');
	assert.equal(app.state().screen, 'agents');
	// An action that switches goes to Installed.
	await app.write(':toggle\r').shows('[3 Installed]', ' > off  lamps');
});

test('a sentence means the record that is spelled so, whatever else its name is like', async (t: TestContext) => {
	const names = ['Lamp', 'lamp', 'lamps', 'is:on', '日本語'];
	const {service, app} = await openHome(t, {home: {installed: names.map((name, index) => installedRecord(311 + index, name, true))}});
	for (const name of ['lamp', 'is:on', '日本語', 'Lamp']) {
		await app.write(`:turn off ${name}`).shows(lines => cursorLine(lines)?.startsWith(` > switch off ${name} `) === true);
		await app.press('enter').shows(closed);
	}

	await app.until(() => toggledIds(service).length === 4);
	assert.deepEqual(toggledIds(service), [312, 314, 315, 311]);
});

test('matches are ranked: names before descriptions, whole words before parts', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	app.press(':');
	const hits = async (text: string): Promise<readonly string[]> => {
		const lines = await app.write(`\u{15}${text}`).shows(` :${text}_`);
		return lines
			.slice(1, -2)
			.map(line => line.slice(3).split(' ', 1)[0]!)
			.filter(name => name !== '');
	};

	assert.deepEqual(await hits('name'), ['edit-name', 'edit-ability']);
	assert.deepEqual(await hits('under cursor'), [
		'toggle',
		'open',
		'mark',
		'enable-marked',
		'disable-marked',
		'copy-id',
		'board',
		'install',
		'delete',
	]);
	assert.deepEqual(await hits('undo'), ['undo', 'redo']);
	assert.deepEqual(await hits('mka'), ['mark-range', 'mark-all']);
});

test('without matches the palette says so, Enter does nothing, and Escape closes it', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	assert.deepEqual((await app.write(':xyzzy').shows(`xyzzy_   0 of ${entryCount + recordCount}`)).slice(0, 3), [
		` :xyzzy_   0 of ${entryCount + recordCount}`,
		'   Nothing matches.',
		'   Ctrl+U clears the text.',
	]);
	app.press('enter');
	assert.equal(app.state().overlays.length, 1);
	assert.deepEqual(await app.press('escape').shows(closed), before);
});

test('Backspace in an empty palette closes it, and a paste is text', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	app.press(':');
	await app.paste('\n re\n').shows(' :re_');
	await app.press('backspace', 'backspace').shows(' :_');
	assert.deepEqual(await app.press('backspace').shows(closed), before);
});

test('the palette switches to a profile by name', async (t: TestContext) => {
	const here = await startHome(t);
	const there = await startHome(t, {home: {installed: []}});
	const app = await openApp(t, {
		service: here,
		profiles: {work: there, old: {baseAddress: 'https://voice.example.net', apiKey: undefined}},
		until: 'of 3 on',
	});
	await app.write(':profile work\r').shows('none installed');
	assert.equal(there.requests.length, 1);
	assert.equal(app.settings.currentProfileName(), 'work');

	await app.write(':profile work\r').says('work is already shown.');
	await app.write(':profile old\r').shows('https://voice.example.net');
	assert.equal(app.state().overlays.at(-1)?.kind, 'sign-in');
});

test('an action of the list closes an opened record', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('enter').shows('esc back');
	await app.write(':mark-all\r').shows('3 marked');
	assert.deepEqual(app.state().overlays, []);
});

/** Types into the palette, and waits for its first row. */
async function firstFor(app: RenderedApp, text: string, row: RegExp): Promise<void> {
	await app.write(`:${text}`).shows(lines => includes(` :${text}_`)(lines) && row.test(cursorLine(lines) ?? ''));
}

test('the palette knows the words of other programs, and puts whole words first', async (t: TestContext) => {
	const {app} = await openHome(t);
	for (const [text, row] of [
		['on', /^ > (?:toggle|enable-marked) /],
		['turn on', /^ > (?:toggle|enable-marked) /],
		['deactivate', /^ > disable-marked /],
		['account', /^ > profiles /],
		['remove', /^ > uninstall /],
		['dark', /^ > help environment /],
		['pantry', /^ > on {3}pantry$/],
		['keyboard', /^ > help keys /],
		['q', /^ > quit /],
		['wq', /^ > quit /],
		['q!', /^ > quit /],
	] as const) {
		await firstFor(app, text, row);
		await app.press('escape').shows(closed);
	}
});

test('a record found by name is opened, and its list has the cursor on it', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'agents'});
	await firstFor(app, 'nightwatch', /^ > off {2}nightwatch$/);
	await app.press('enter').shows('nightwatch', 'esc back');
	assert.match(cursorLine(await app.press('escape').shows('[3 Installed]'))!, /nightwatch/);
});

test('a verb and a name switch one record, whatever is marked, and a deletion asks', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('x').shows('1 marked');
	await firstFor(app, 'turn off pantry', /^ > switch off pantry /);
	await app.press('enter').until(() => togglesOf(service).length === 1);
	assert.partialDeepStrictEqual(togglesOf(service), [{id: 302, body: {enabled: false}}]);
	await app.shows(closed);
	await firstFor(app, 'delete pantry', /^ > delete pantry /);
	await app.press('enter').says('Delete pantry?');
	assert.deepEqual(asked(service, isDeletion), []);
});

/** Two agents whose abilities the service shows: lamps and nightwatch, and lamps. */
const agents = [
	{id: 1, name: 'Hearth', description: '', matching_capabilities: [21, 23]},
	{id: 2, name: 'Study', description: '', matching_capabilities: [21]},
];

test('the palette has a line for each record, with its state and its agents, before the actions that have the word', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {agents}, size: wide});
	await app.write(':').shows(` of ${entryCount + recordCount}`);
	const lines = await app.write('la').shows(' > on   lamps');
	assert.match(cursorLine(lines)!, /^ > on {3}lamps {30,}Hearth, Study$/);
	assert.equal(lines.at(-2), ' installed ability 301');
	app.press('ctrl+u');
	await app.write('desk').shows(/^ > – {4}desk$/);
	app.press('ctrl+u');
	await app.write('he').shows(/^ > {6}Hearth {30,}agent, 1 of 2 on$/);
	await app.write('lp').shows(/^ > help /);
	await app.press('escape', '2').shows('[2 Abilities]');
	await app.write(':lamps').shows(' ability 21', ` 1 of ${entryCount + recordCount}`);
});

test('the abilities of an agent are switched by its name, with a question where several change, as one undo', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {agents}, size: wide});
	await app.write(':').shows(` of ${entryCount + recordCount}`);
	await app.write('on hearth').shows(/^ > switch on the abilities of Hearth /);
	await app.press('enter').says('nightwatch is on.');
	await app.write(':off hearth').shows(/^ > switch off the abilities of Hearth /);
	const lines = await app.press('enter').says('Switch off 2 abilities of Hearth?');
	assert.deepEqual(boxOf(lines).slice(2, 5), ['lamps, nightwatch.', "lamps is Study's as well.", 'u undoes this.']);
	assert.deepEqual(wanted(service), [[303, true]]);
	await app.press('y').says('2 switched off.');
	await app.write(':off hearth\r').says('All abilities of Hearth are off already.');
	await app.press('u').says('Undone: lamps and nightwatch are on again.');
	assert.deepEqual(storedStates(service, [301, 302, 303]), [true, true, true]);
});

test('a read-only run switches nothing from the palette', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true});
	await firstFor(app, 'disable pantry', /^ > switch off pantry /);
	await app.press('enter').says('this run is read-only');
	assert.deepEqual(togglesOf(service), []);
});

test('presets and topics of the help are found', async (t: TestContext) => {
	const {app} = await openHome(t);
	await savePreset(app, night);
	await firstFor(app, 'night', /^ > preset night /);
	await app.press('enter').shows('Apply night?');
	await app.press('escape').shows(isFresh);
	await firstFor(app, 'help exit', /^ > help exit-codes /);
	await app.press('enter').shows(lines => lines[0]!.startsWith(' Help: exit-codes') && includes('not-found')(lines));
	await app.press('escape').shows(isFresh);
});

test('hostile names are cleaned in the palette, and keep one line', async (t: TestContext) => {
	const {app} = await openHome(t, {home: {installed: [installedRecord(301, '\u{1B}]0;owned\u{7}evil\u{202E}\ntwo', true)]}});
	const lines = await app.write(':turn off evil').shows(lines => cursorLine(lines)?.startsWith(' > switch off evil') === true);
	assert.equal(lines.length, 14);
	assert.doesNotMatch(app.rawFrame(), /owned|\u{202E}|\u{7}/u);
});
