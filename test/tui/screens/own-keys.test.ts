import {test, type TestContext} from 'node:test';
import {renderApp, type RenderAppOptions} from '../../helpers/render-app.tsx';
import {startHome, togglesOf} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';

const open = async (t: TestContext, keys: RenderAppOptions['keys']) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, ...(keys !== undefined && {keys}), size: {columns: 80, rows: 24}});
	await app.waitForFrame(includes('live'));
	return {service, app};
};

const f5 = '\u{1B}[15~';

const f9 = '\u{1B}[20~';

/** The keys that open what lies above the screens, and what stands in it. */
const overlays: ReadonlyArray<readonly [keys: string, title: string]> = [
	['?', ' Keys'],
	[':', ' :_'],
	['M', ' Messages'],
	['!', ' Requests'],
	['P', ' Profiles'],
	['P\u{1B}[B\r', ' API key'],
	['2U', ' Upload'],
	['t', ' Trigger phrases'],
	['d', 'Remove lamps'],
	['\r', ' Other fields'],
	['/', '/_'],
	['1\r', 'Hearth  #1'],
	['1n', 'enter save'],
];

for (const [keys, title] of overlays) {
	test(`Ctrl+L and Ctrl+Z draw again and suspend after ${JSON.stringify(keys)}, which stays`, async (t: TestContext) => {
		const {app} = await open(t, undefined);
		app.write(keys);
		await app.waitForFrame(includes(title));
		app.press('ctrl+l', 'ctrl+z');
		await app.waitUntil(() => app.repaintCount() === 1 && app.stopCount() === 1);
		t.assert.ok(includes(title)(app.lines()), app.lines().join('\n'));
	});

	test(`so do keys of one's own after ${JSON.stringify(keys)}`, async (t: TestContext) => {
		const {app} = await open(t, {repaint: ['f5'], suspend: ['f9']});
		app.write(keys);
		await app.waitForFrame(includes(title));
		app.write(`${f5}${f9}`);
		await app.waitUntil(() => app.repaintCount() === 1 && app.stopCount() === 1);
		t.assert.ok(includes(title)(app.lines()), app.lines().join('\n'));
	});
}

test('Ctrl+L that was given to another action does not act below an overlay', async (t: TestContext) => {
	const {app} = await open(t, {repaint: [], 'next-screen': ['ctrl+l']});
	app.press('?');
	await app.waitForFrame(includes(' Keys'));
	app.press('ctrl+l', 'escape');
	t.assert.match((await app.waitForFrame(includes('live')))[1]!, /\[3 Installed\]/);
	app.press('ctrl+l');
	await app.waitForFrame(includes('[1 Agents]'));
	t.assert.strictEqual(app.repaintCount(), 0);
});

test('a letter that suspends is text in a field', async (t: TestContext) => {
	const {app} = await open(t, {suspend: ['z']});
	app.press('/', 'z');
	await app.waitForFrame(includes('/z_'));
	app.press('escape', 'z');
	await app.waitUntil(() => app.stopCount() === 1);
	t.assert.strictEqual(app.stopCount(), 1);
});

test('an action without a key does nothing by its old one', async (t: TestContext) => {
	const {service, app} = await open(t, {toggle: [], down: []});
	app.press('space', 'j', 'x');
	t.assert.ok(includes('*  on   lamps')(await app.waitForFrame(includes('1 marked'))));
	t.assert.deepStrictEqual(togglesOf(service), []);
});

for (const [palette, said] of [
	[[':'], 'here :open shows them.'],
	[[';'], 'here ;open shows them.'],
	[['f2'], 'here F2 open shows them.'],
	[[], 'here “open” (which has no key) shows them.'],
] as const) {
	test(`a message names an action without a key by the palette's: ${palette.join('') || 'none'}`, async (t: TestContext) => {
		const {app} = await open(t, {palette, open: []});
		app.press('J');
		const lines = await app.waitForFrame(says('The details stand beside the list'));
		t.assert.ok(says(said)(lines), lines.join('\n'));
	});
}

test('screens without keys of their own are led to all the same, and stand in the tabs', async (t: TestContext) => {
	// React tells of tabs that it cannot tell apart.
	const errors = t.mock.method(console, 'error', () => undefined);
	const {app} = await open(t, {agents: [], abilities: [], installed: ['f4']});
	const tabs: string[] = [];
	for (const title of ['[f4 Installed]', '[· Agents]', '[· Abilities]', '[f4 Installed]']) {
		tabs.push((await app.waitForFrame(includes(title)))[1]!);
		app.press('tab');
	}

	t.assert.deepStrictEqual(tabs, [
		' · Agents  · Abilities [f4 Installed]',
		' [· Agents] · Abilities  f4 Installed',
		' · Agents [· Abilities] f4 Installed',
		' · Agents  · Abilities [f4 Installed]',
	]);
	t.assert.strictEqual(errors.mock.callCount(), 0);
});
