import {assert, test, type TestContext} from '../../helpers/node.ts';
import {seenRecords} from '../../../source/tui/hooks/list-cache.ts';
import {cursorLine, escapeKeys} from '../helpers/shown.ts';
import {openHome, type RenderedApp, togglesOf, wide} from '../helpers/kit.ts';

const isTitled =
	(name: string) =>
	(lines: readonly string[]): boolean =>
		lines[0]!.startsWith(` ${name} `);

const walk = async (app: RenderedApp, steps: ReadonlyArray<readonly [key: string, name: string]>): Promise<void> => {
	for (const [key, name] of steps) {
		await app.press(key).shows(isTitled(name));
	}
};

test('> and < go from an opened installed ability to the next and previous one, with the cursor, to the ends of the list', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows(isTitled('lamps'));
	await walk(app, [
		['>', 'pantry'],
		['>', 'nightwatch'],
	]);
	assert.ok(isTitled('nightwatch')(await app.press('>').says('This is the last record.')));
	assert.deepEqual(
		app.state().overlays.map(({kind}) => kind),
		['ability'],
	);
	await app.press('space').shows(' State        on');
	await app.until(() => togglesOf(service).length > 0);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[303],
	);
	await walk(app, [
		['<', 'pantry'],
		['<', 'lamps'],
	]);
	await app.press('<').says('This is the first record.');
	await walk(app, [['>', 'pantry']]);
	assert.match(cursorLine(await app.press(...escapeKeys(app)).shows('[3 Installed]'))!, /pantry/);
});

test('> and < follow the order of the list and skip what its filter hides', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.write('S');
	await app.write('/!daemon\r').shows('3 of 4', '> on   lamps');
	// In one chunk, from the first row to the last.
	app.write('g\r');
	await app.write('>>').shows(isTitled('lamps'));
	await walk(app, [
		['<', 'pantry'],
		['<', 'desk'],
	]);
	await app.press('<').says('This is the first record.');
});

test('> and < skip deleted records', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter').shows(isTitled('lamps'));
	service.installed.splice(1, 1);
	await app.press('r').until(() => seenRecords(app.session(), 'installed')?.length === service.installed.length);
	await walk(app, [
		['>', 'nightwatch'],
		['<', 'lamps'],
	]);
});

test("> and < go from an opened agent to other agents, and from an ability opened there through the agent's abilities", async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {
			agents: [
				{id: 1, name: 'Hearth', description: '', matching_capabilities: [23, 99, 24]},
				{id: 2, name: 'Porch', description: '', matching_capabilities: [21]},
			],
		},
		screen: 'agents',
		size: wide,
	});
	await app.press('enter').shows('0 of 3 on');
	await walk(app, [
		['>', 'Porch'],
		['<', 'Hearth'],
	]);
	await app.press('<').says('This is the first record.');
	await app.press('enter').shows(isTitled('nightwatch'));
	// There is nothing to show of 99, which the service does not list.
	await walk(app, [['>', 'desk']]);
	await app.press('>').says('This is the last record.');
	await app.press(...escapeKeys(app)).shows(isTitled('Hearth'), ' > –    desk');
});

test('> and < move the cursor of a list, and say where it ends', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.write('>>').shows('> off  nightwatch');
	await app.press('>').says('This is the last record.');
	await app.write('<<<').says('This is the first record.');
	assert.match(cursorLine(app.lines())!, /lamps/);
	// So do the keys for matches: each row that a filter leaves is one.
	await app.press('ctrl+n').shows('> on   pantry');
	await app.press('ctrl+p').shows('> on   lamps');
});
