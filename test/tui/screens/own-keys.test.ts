import {assert, test, type TestContext} from '../../helpers/node.ts';
import {includes, isFresh, openHome, type RenderAppOptions, says, togglesOf, wide} from '../helpers/kit.ts';

const open = async (t: TestContext, keys: RenderAppOptions['keys']) =>
	openHome(t, {...(keys !== undefined && {keys}), size: {...wide, rows: 19}});

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
		const lines = await app.press('J').says('Too narrow for details');
		assert.ok(says(said)(lines), lines.join('\n'));
	});
}

test('an unbound key does nothing', async (t: TestContext) => {
	const {service, app} = await open(t, {toggle: [], down: []});
	assert.ok(includes('*  on   lamps')(await app.press('space', 'j', 'x').shows('1 marked')));
	assert.deepEqual(togglesOf(service), []);
});
