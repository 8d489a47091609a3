import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, includes, installedRecord, openHome, says, screen, shown, storedState, togglesOf} from '../helpers/kit.ts';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const marked = (row: string): string => `*${row.slice(1)}`;

const underCursor = (row: string): string => `${row[0]!}>${row.slice(2)}`;

test('marked rows have a sign, are counted, and are switched together', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	assert.deepEqual(
		shown(await app.press('x', 'j', 'x').shows('2 marked')),
		screen({
			header: 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on',
			tabs: '1 Agents  2 Abilities [3 Installed]  2 marked',
			rows: [marked(lamps), pantry, underCursor(marked(nightwatch))],
		}),
	);
	await app.press('D').shows(lines => /^\* {2}off {2}lamps/.test(lines[3]!));
	await app.until(() => storedState(service, 301) === false);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[301],
		'what is off already is asked for nothing',
	);
	await app.press('E').until(() => storedState(service, 301) === true && storedState(service, 303) === true);
	await app.says('2 switched on.');
	assert.equal(storedState(service, 302), true);
});

test('marks follow their records through a refresh, and Escape clears them', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('j', 'x').shows('1 marked');
	service.installed.reverse();
	service.installed.push(installedRecord(400, 'attic', true));
	assert.deepEqual(shown(await app.press('r').shows('attic')).slice(3), [
		underCursor(nightwatch),
		marked(pantry),
		lamps,
		'^  on   attic                              skill      2 days',
	]);
	assert.match((await app.press('escape').shows(lines => !includes('marked')(lines)))[4]!, /^ {3}on {3}pantry/);
});

test('moving marks a range, and one key marks all rows', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.write('vjj').shows('3 marked');
	await app.press('k').shows('2 marked');
	await app.write('va').shows('3 marked');
	assert.deepEqual(shown(await app.press('a').shows(lines => !includes('marked')(lines))).slice(3), [
		lamps,
		underCursor(pantry),
		nightwatch,
	]);
});

test('Space switches all marked rows on, or all off if all are on, says how many, and ends a range', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('vjj ').says('nightwatch is on.');
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[303],
		'none of the others is flipped',
	);
	await app.write('k ').shows(says('3 switched off.'), '3 marked');
	assert.deepEqual(
		[301, 302, 303].map(id => storedState(service, id)),
		[false, false, false],
	);
	await app.press('escape', 'space').until(() => storedState(service, 302) === true);
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
	await app.write('aD').says('Switching off: 0 of 40… u stops it and takes it back.');
	await app.until(() => service.heldCount() === 4);
	app.press('u');
	release();
	await app.says('Undone: 4 switched back. The rest had not been sent.');
	assert.equal(new Set(togglesOf(service).map(({id}) => id)).size, 4, 'the others were never sent');
	assert.ok(installed.every((_, index) => storedState(service, index + 1) === true));
});

test('while marking a range the first hint says how to end it', async (t: TestContext) => {
	const {app} = await openHome(t);
	assert.match((await app.write('vj').shows('2 marked')).at(-1)!, /^ v end the range {2}space switch/);
	const lines = await app.write('vj').shows(frame => frame.at(-1)!.startsWith(' space switch  E on'));
	assert.ok(includes('2 marked')(lines), 'moves mark no more');
});

test('an action on marked rows ends the range: later moves mark nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('vjDj').says('2 switched off.');
	assert.ok(includes('2 marked')(app.lines()), app.lines().join('\n'));
	assert.match(cursorLine(app.lines())!, /^ > off {2}nightwatch/);
	await app.write('E').says('2 switched on.');
	assert.equal(storedState(service, 303), false);
});

test("y copies the id of the record under the cursor to the terminal's clipboard", async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('j', 'y').says('The id of pantry is copied through the terminal (OSC 52): 302');
	assert.deepEqual(app.written(), [`\u{1B}]52;c;${Buffer.from('302').toString('base64')}\u{7}`]);
});

test('sorting is announced and keeps the cursor on its record; switching moves no row', async (t: TestContext) => {
	const {app} = await openHome(t);
	const byName = await app.press('j', 's').shows('by name');
	assert.match(byName[1]!, /by name$/);
	assert.deepEqual(shown(byName).slice(3, 6), [lamps, nightwatch, underCursor(pantry)]);
	assert.ok(says('Installed abilities sorted by name.')(byName), byName.join('\n'));
	const byState = await app.press('s').shows('by state');
	assert.deepEqual(shown(byState).slice(3, 6), [lamps, underCursor(pantry), nightwatch]);
	const toggled = await app.press('k', 'space').shows(' > off  lamps');
	assert.match(toggled[3]!, /lamps/, 'its row moves with the next refresh alone');
	assert.match(cursorLine(await app.press('r').shows(lines => lines[3]!.includes('pantry')))!, /lamps/);
});
