import {assert, test, type TestContext} from '../../helpers/node.ts';
import {savePreset, wanted} from '../helpers/presets.ts';
import type {RenderAppOptions, RenderedApp} from '../../helpers/render-app.tsx';
import {
	cursorLine,
	filterLine,
	includes,
	installedRecord,
	isFresh,
	night,
	openHome,
	openPresets,
	says,
	togglesOf,
	wide,
} from '../helpers/kit.ts';

const open = async (t: TestContext, keys: RenderAppOptions['keys']) =>
	openHome(t, {...(keys !== undefined && {keys}), size: {...wide, rows: 17}});

/** The keys that open what lies above the screens, and what stands in it. */
const overlays: ReadonlyArray<readonly [keys: readonly string[], title: string]> = [
	[['?'], ' Keys'],
	[[':'], ' :_'],
	[['M'], ' Messages'],
	[['!'], ' Requests'],
	[['P'], ' Profiles'],
	[['P', 'down', 'enter'], ' API key'],
	[[...'2U'], ' Upload'],
	[['t'], ' Trigger phrases'],
	[['d'], 'Uninstall lamps'],
	[['enter'], ' Other fields'],
	[['/'], '/_'],
	[['1', 'enter'], 'Hearth  #1'],
	[[...'1c'], 'enter save'],
];

for (const [keys, title] of overlays) {
	test(`custom keys redraw and suspend after ${keys.join(' ')}`, async (t: TestContext) => {
		const {app} = await open(t, {repaint: ['f5'], suspend: ['f9']});
		await app.press(...keys).shows(title);
		await app.press('f5', 'f9').until(() => app.repaintCount() === 1 && app.stopCount() === 1);
		assert.ok(includes(title)(app.lines()), app.lines().join('\n'));
	});
}

test('Ctrl+L given to another action does not work below an overlay', async (t: TestContext) => {
	const {app} = await open(t, {repaint: [], 'next-screen': ['ctrl+l']});
	await app.press('?').shows(' Keys');
	assert.match((await app.press('ctrl+l', 'escape').shows(isFresh))[1]!, /\[3 Installed\]/);
	await app.press('ctrl+l').shows('[1 Agents]');
	assert.equal(app.repaintCount(), 0);
});

test('a letter bound to suspend is text in a field', async (t: TestContext) => {
	const {app} = await open(t, {suspend: ['z']});
	await app.press('/', 'z').shows('/z_');
	await app.press('escape', 'z').until(() => app.stopCount() === 1);
	assert.equal(app.stopCount(), 1);
});

for (const [palette, said] of [
	[[':'], ':open opens them.'],
	[[';'], ';open opens them.'],
	[['f2'], 'F2 open opens them.'],
	[[], '“open” (which has no key) opens them.'],
] as const) {
	test(`a message names an action without a key by the palette's: ${palette.join('') || 'none'}`, async (t: TestContext) => {
		const {app} = await open(t, {palette, open: []});
		const lines = await app.press('J').says('No room for details');
		assert.ok(says(said)(lines), lines.join('\n'));
	});
}

test('an unbound key does nothing', async (t: TestContext) => {
	const {service, app} = await open(t, {toggle: [], down: []});
	assert.ok(includes('*  on   lamps')(await app.press('space', 'j', 'x').shows('1 marked')));
	assert.deepEqual(togglesOf(service), []);
});

test('a key of a filter sets it, and clears it where it is set; on Agents one for abilities goes to Installed', async (t: TestContext) => {
	const {app} = await open(t, {'/is:off': ['f7'], '/hea': ['z']});
	await app.press('f7').shows('/is:off   1 of 3', ' > off  nightwatch');
	await app.press('f7').shows(lines => filterLine(lines) === '' && includes('lamps')(lines));
	await app.press('enter').shows('esc back');
	await app.press('f7').shows('/is:off   1 of 3');
	await app.press('enter').shows('esc back');
	await app.press('f7').shows('/is:off   1 of 3');
	await app.press('1').shows('[1 Agents]');
	await app.press('f7').shows('[3 Installed]', '/is:off   1 of 3');
	await app.press('1', 'z').shows('[1 Agents]', '/hea   1 of 2');
	// It is text where a text is typed.
	await app.press('/', 'z', 'f7').shows('/heaz_');
});

test('a key of a line runs the one thing that fits, with its question; the next keys are for that', async (t: TestContext) => {
	const {service, app} = await open(t, {':preset night': ['f6'], ':off pantry': ['f7'], ':delete pantry': ['f8']});
	await savePreset(app, night);
	await savePreset(app, {...night, name: 'night owls'});
	await app.press('f6').shows('Apply night?');
	await app.press('y').says('Applied night: 3 switched.');
	await app.press('f7').says('pantry is already off.');
	await app.press('enter').shows('esc back');
	await app.press('f8').says('Delete pantry?');
	assert.deepEqual(wanted(service), [
		[301, false],
		[302, false],
		[303, true],
	]);
});

test('a key of a line that fits several, or nothing, opens the palette with it', async (t: TestContext) => {
	const {service, app} = await open(t, {':pan': ['f6'], ':xyzzy': ['f7'], ':switch': ['ctrl+t']});
	await app.press('f6').shows(' :pan_', / > on {3}pantry$/);
	await app.press('escape').shows(isFresh);
	await app.press('f7').shows(' :xyzzy_', 'Nothing matches.');
	await app.press('escape').shows(isFresh);
	await app.press('ctrl+t').shows(' :switch_');
	assert.deepEqual(togglesOf(service), []);
});

test('the help lists the lines that have keys, and Enter runs one', async (t: TestContext) => {
	const {app} = await openHome(t, {keys: {'/is:off': ['f6', 'f7'], ':messages': ['f8'], ':b': []}, size: {columns: 100, rows: 30}});
	await app.press('?').shows(' Keys of your own', /F6, F7 +\/is:off/);
	app.press('?', '/');
	await app.write('f8\r').shows(/^ > F8 +:messages/);
	await app.press('enter').shows(' Messages');
});

/** What a terminal sends for a click: a press and a release, counted from 1. */
function click(app: RenderedApp, column: number, row: number): void {
	app.write(`\u{1B}[<0;${column + 1};${row + 1}M\u{1B}[<0;${column + 1};${row + 1}m`);
}

function turnWheel(app: RenderedApp, by: 'down' | 'up'): void {
	app.write(`\u{1B}[<${by === 'down' ? 65 : 64};5;5M`);
}

/** Clicks on a text of the screen, or so many columns from its start. */
function clickOn(app: RenderedApp, text: string, offset = 0): void {
	const row = app.lines().findIndex(line => line.includes(text));
	assert.notEqual(row, -1, app.lines().join('\n'));
	click(app, app.lines()[row]!.indexOf(text) + offset, row);
}

const isOn =
	(name: string) =>
	(lines: readonly string[]): boolean =>
		cursorLine(lines)?.includes(` ${name}`) === true;

for (const rows of [14, 10]) {
	test(`on ${rows} rows a click moves the cursor, and on the state it switches that row`, async (t: TestContext) => {
		const {service, app} = await openHome(t, {size: {columns: 64, rows}});
		clickOn(app, 'pantry');
		await app.shows(isOn('pantry'));
		assert.deepEqual(togglesOf(service), []);
		clickOn(app, 'off  nightwatch');
		await app.shows(isOn('nightwatch'), ' > on   nightwatch');
		assert.deepEqual(wanted(service), [[303, true]]);
		await app.press('u').says('nightwatch is off again.');
		// Below the rows, on the header and beside the tabs there is nothing to click.
		for (const row of [0, 1, 8]) {
			click(app, 60, row);
		}

		clickOn(app, 'lamps');
		await app.shows(isOn('lamps'));
		assert.deepEqual(wanted(service), [
			[303, true],
			[303, false],
		]);
	});
}

test('a click on a tab opens its screen', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 64, rows: 14}});
	for (const [title, shown] of [
		['1 Agents', 'agents'],
		['2 Abilities', 'abilities'],
		['3 Installed', 'installed'],
	] as const) {
		clickOn(app, title);
		await app.until(() => app.state().screen === shown);
		await app.shows(lines => lines[1]!.includes(`[${title}]`));
	}
});

test('a click on a column title sorts by it, and another one reverses', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 64, rows: 14}});
	clickOn(app, 'name  ', 2);
	await app.shows('name↑', 'sorted by name.');
	clickOn(app, 'name↑');
	await app.shows('name↓', 'sorted by name, reversed.');
	clickOn(app, 'changed');
	await app.shows('changed↓');
});

test('the wheel scrolls a list, an overlay and a text by three rows', async (t: TestContext) => {
	const names = Array.from({length: 40}, (_, index) => `ability${String(index).padStart(2, '0')}`);
	const {app} = await openHome(t, {
		size: {columns: 64, rows: 14},
		home: {installed: names.map((name, index) => installedRecord(index + 1, name, true))},
	});
	turnWheel(app, 'down');
	await app.shows(lines => lines[3]!.includes('ability03'));
	turnWheel(app, 'up');
	await app.shows(lines => lines[3]!.includes('ability00'));
	await app.press('?').shows(' > j, Down ');
	turnWheel(app, 'down');
	// The cursor stays on the screen.
	await app.shows(lines => lines[1]!.startsWith(' > Ctrl+D '));
	clickOn(app, 'go to the Agents');
	await app.shows(' > 1 ');
	turnWheel(app, 'up');
	await app.shows(lines => lines[1] === ' Move' && includes(' > 1 ')(lines));
	await app.press('M', 'escape').shows('ability00');
});

test('nothing is clicked through a question, a form or the filter line, and no click answers a question', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 64, rows: 24}});
	await app.press('d').shows('y uninstall');
	clickOn(app, 'off  nightwatch');
	turnWheel(app, 'down');
	const lines = await app.press('n').shows(shown => !includes('y uninstall')(shown));
	assert.ok(isOn('lamps')(lines));
	app.press('/');
	await app.write('a').shows(shown => shown.some(line => line.includes('/a')));
	clickOn(app, 'pantry');
	await app.write('n').shows(shown => shown.some(line => line.includes('/an')));
	app.press('escape');
	await openPresets(app, night);
	click(app, 4, 3);
	await app.press('s').shows('Save the present state');
	click(app, 4, 3);
	await app.write('day').shows('> Name  day');
	assert.deepEqual(togglesOf(service), []);
});

test('in a read-only run a click on a state says so', async (t: TestContext) => {
	const {service, app} = await openHome(t, {isReadOnly: true, size: {columns: 64, rows: 14}});
	clickOn(app, 'off  nightwatch');
	await app.says('Not switched: this run is read-only.');
	assert.deepEqual(togglesOf(service), []);
});
