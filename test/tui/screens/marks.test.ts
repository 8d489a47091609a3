import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, includes, installedRecord, openHome, says, screen, shown, storedState, togglesOf} from '../helpers/kit.ts';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const marked = (row: string): string => `*${row.slice(1)}`;

const underCursor = (row: string): string => `${row[0]!}>${row.slice(2)}`;

test('marked rows have a sign, are counted, and are switched together', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.press('x', 'j', 'x');
	assert.deepEqual(
		shown(await app.waitForFrame(includes('2 marked'))),
		screen({
			header: 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on',
			tabs: '1 Agents  2 Abilities [3 Installed]  2 marked',
			rows: [marked(lamps), pantry, underCursor(marked(nightwatch))],
		}),
	);
	app.press('D');
	await app.waitForFrame(lines => /^\* {2}off {2}lamps/.test(lines[3]!));
	await app.waitUntil(() => storedState(service, 301) === false);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[301],
		'what is off already is asked for nothing',
	);
	app.press('E');
	await app.waitUntil(() => storedState(service, 301) === true && storedState(service, 303) === true);
	await app.waitForFrame(says('2 switched on.'));
	assert.equal(storedState(service, 302), true);
});

test('marks follow their records through a refresh, and Escape clears them', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.press('j', 'x');
	await app.waitForFrame(includes('1 marked'));
	service.installed.reverse();
	service.installed.push(installedRecord(400, 'attic', true));
	app.press('r');
	assert.deepEqual(shown(await app.waitForFrame(includes('attic'))).slice(3), [
		underCursor(nightwatch),
		marked(pantry),
		lamps,
		'^  on   attic                              skill      2 days',
	]);
	app.press('escape');
	assert.match((await app.waitForFrame(lines => !includes('marked')(lines)))[4]!, /^ {3}on {3}pantry/);
});

test('moving marks a range, and one key marks all rows', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('vjj');
	await app.waitForFrame(includes('3 marked'));
	app.press('k');
	await app.waitForFrame(includes('2 marked'));
	app.write('va');
	await app.waitForFrame(includes('3 marked'));
	app.press('a');
	assert.deepEqual(shown(await app.waitForFrame(lines => !includes('marked')(lines))).slice(3), [lamps, underCursor(pantry), nightwatch]);
});

test('Space switches all marked rows on, or all off if all are on, says how many, and ends a range', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('vjj ');
	await app.waitForFrame(says('nightwatch is on.'));
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[303],
		'none of the others is flipped',
	);
	app.write('k ');
	await app.waitForFrame(lines => says('3 switched off.')(lines) && includes('3 marked')(lines));
	assert.deepEqual(
		[301, 302, 303].map(id => storedState(service, id)),
		[false, false, false],
	);
	app.press('escape', 'space');
	await app.waitUntil(() => storedState(service, 302) === true);
	assert.deepEqual(
		[301, 303].map(id => storedState(service, id)),
		[false, false],
		'without marks it is the row under the cursor',
	);
});

test('the progress of a large change says that u stops it, and it does', async (t: TestContext) => {
	const installed = Array.from({length: 40}, (_, index) => installedRecord(index + 1, `ability${index}`, true));
	const {service, app} = await openHome(t, {home: {installed}});
	const release = service.hold({when: ({method}) => method === 'PUT'});
	app.write('aD');
	await app.waitForFrame(says('Switching off: 0 of 40… u stops it and takes it back.'));
	await app.waitUntil(() => service.heldCount() === 4);
	app.press('u');
	release();
	await app.waitForFrame(says('Undone: 4 switched back. The rest had not been sent.'));
	assert.equal(new Set(togglesOf(service).map(({id}) => id)).size, 4, 'the others were never sent');
	assert.ok(installed.every((_, index) => storedState(service, index + 1) === true));
});

test('while marking a range the first hint says how to end it', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.write('vj');
	assert.match((await app.waitForFrame(includes('2 marked'))).at(-1)!, /^ v end the range {2}space switch/);
	app.write('vj');
	const lines = await app.waitForFrame(frame => frame.at(-1)!.startsWith(' space switch  E on'));
	assert.ok(includes('2 marked')(lines), 'moves mark no more');
});

test('an action on marked rows ends the range: later moves mark nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('vjDj');
	await app.waitForFrame(says('2 switched off.'));
	assert.ok(includes('2 marked')(app.lines()), app.lines().join('\n'));
	assert.match(cursorLine(app.lines())!, /^ > off {2}nightwatch/);
	app.write('E');
	await app.waitForFrame(says('2 switched on.'));
	assert.equal(storedState(service, 303), false);
});

test("y copies the id of the record under the cursor to the terminal's clipboard", async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('j', 'y');
	await app.waitForFrame(says('The id of pantry is copied through the terminal (OSC 52): 302'));
	assert.deepEqual(app.written(), [`\u{1B}]52;c;${Buffer.from('302').toString('base64')}\u{7}`]);
});

test('sorting is announced and keeps the cursor on its record; switching moves no row', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('j', 's');
	const byName = await app.waitForFrame(includes('by name'));
	assert.match(byName[1]!, /by name$/);
	assert.deepEqual(shown(byName).slice(3, 6), [lamps, nightwatch, underCursor(pantry)]);
	assert.ok(says('Installed abilities sorted by name.')(byName), byName.join('\n'));
	app.press('s');
	const byState = await app.waitForFrame(includes('by state'));
	assert.deepEqual(shown(byState).slice(3, 6), [lamps, underCursor(pantry), nightwatch]);
	app.press('k', 'space');
	const toggled = await app.waitForFrame(includes(' > off  lamps'));
	assert.match(toggled[3]!, /lamps/, 'its row moves with the next refresh alone');
	app.press('r');
	assert.match(cursorLine(await app.waitForFrame(lines => lines[3]!.includes('pantry')))!, /lamps/);
});
