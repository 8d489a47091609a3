import {assert, test, type TestContext} from '../../helpers/node.ts';
import {seenRecords} from '../../../source/tui/hooks/list-cache.ts';
import {cursorLine, escapeKeys, includes, says} from '../helpers/shown.ts';
import {openHome, type RenderedApp, togglesOf, wide} from '../helpers/kit.ts';

const isTitled =
	(name: string) =>
	(lines: readonly string[]): boolean =>
		lines[0]!.startsWith(` ${name} `);

const walk = async (app: RenderedApp, steps: ReadonlyArray<readonly [key: string, name: string]>): Promise<void> => {
	for (const [key, name] of steps) {
		app.press(key);
		await app.waitForFrame(isTitled(name));
	}
};

test('> and < go from an opened installed ability to the next and previous one, with the cursor, to the ends of the list', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('enter');
	await app.waitForFrame(isTitled('lamps'));
	await walk(app, [
		['>', 'pantry'],
		['>', 'nightwatch'],
	]);
	app.press('>');
	assert.ok(isTitled('nightwatch')(await app.waitForFrame(says('This is the last record.'))));
	assert.deepEqual(
		app.state().overlays.map(({kind}) => kind),
		['ability'],
	);
	app.press('space');
	await app.waitForFrame(includes(' State        on'));
	await app.waitUntil(() => togglesOf(service).length > 0);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[303],
	);
	await walk(app, [
		['<', 'pantry'],
		['<', 'lamps'],
	]);
	app.press('<');
	await app.waitForFrame(says('This is the first record.'));
	await walk(app, [['>', 'pantry']]);
	app.press(...escapeKeys(app));
	assert.match(cursorLine(await app.waitForFrame(includes('[3 Installed]')))!, /pantry/);
});

test('> and < follow the order of the list and skip what its filter hides', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.write('S');
	app.write('/!daemon\r');
	await app.waitForFrame(lines => includes('3 of 4')(lines) && includes('> on   lamps')(lines));
	// In one chunk, from the first row to the last.
	app.write('g\r');
	app.write('>>');
	await app.waitForFrame(isTitled('lamps'));
	await walk(app, [
		['<', 'pantry'],
		['<', 'desk'],
	]);
	app.press('<');
	await app.waitForFrame(says('This is the first record.'));
});

test('> and < skip deleted records', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('enter');
	await app.waitForFrame(isTitled('lamps'));
	service.installed.splice(1, 1);
	app.press('r');
	await app.waitUntil(() => seenRecords(app.session(), 'installed')?.length === service.installed.length);
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
	app.press('enter');
	await app.waitForFrame(includes('0 of 3 on'));
	await walk(app, [
		['>', 'Porch'],
		['<', 'Hearth'],
	]);
	app.press('<');
	await app.waitForFrame(says('This is the first record.'));
	app.press('enter');
	await app.waitForFrame(isTitled('nightwatch'));
	// There is nothing to show of 99, which the service does not list.
	await walk(app, [['>', 'desk']]);
	app.press('>');
	await app.waitForFrame(says('This is the last record.'));
	app.press(...escapeKeys(app));
	await app.waitForFrame(lines => isTitled('Hearth')(lines) && includes(' > –    desk')(lines));
});

test('> and < move the cursor of a list, and say where it ends', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.write('>>');
	await app.waitForFrame(includes('> off  nightwatch'));
	app.press('>');
	await app.waitForFrame(says('This is the last record.'));
	app.write('<<<');
	await app.waitForFrame(says('This is the first record.'));
	assert.match(cursorLine(app.lines())!, /lamps/);
	// So do the keys for matches: each row that a filter leaves is one.
	app.press('ctrl+n');
	await app.waitForFrame(includes('> on   pantry'));
	app.press('ctrl+p');
	await app.waitForFrame(includes('> on   lamps'));
});
