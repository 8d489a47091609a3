import {assert, Buffer, test, type TestContext} from '../../helpers/node.ts';
import {abilityHead} from '../helpers/shown.ts';
import {installedRecord, isInstalledList, startHome, storedState, storedStates, toggledIds, togglesOf} from '../helpers/homes.ts';
import {cursorLine, includes, openHome, renderApp, says, screen, shown, small, wide} from '../helpers/kit.ts';

const header = 'Switchboard  environment  reads every 15 s · 2 of 3 on';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const underCursor = (row: string): string => `${row[0]!}>${row.slice(2)}`;

const question = [' Sort by: 1 state, 2 name, 3 agents, 4 phrases, 5 changed, 6', ' category, 0 as listed.'];

/** The names of the rows, from the top. */
const namesOf = (lines: readonly string[]): readonly string[] =>
	lines
		.slice(2)
		.filter(line => !/^ +(?:1 )?(?:state|name)/.test(line))
		.map(line => /^[ !*][ >] (?:(?:on|off|–) +)?(?<name>\S+)/.exec(line)?.groups?.['name'])
		.filter(name => name !== undefined);

test('o numbers the columns; a number sorts by its column, the same number again reverses', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const asking = await app.press('o').shows('Sort by');
	assert.deepEqual(
		shown(asking),
		screen({
			header,
			tabs,
			head: '1 state 2 name                             6 category 5 changed',
			rows: [underCursor(lamps), pantry, nightwatch],
			message: question,
		}),
	);
	assert.equal(asking.at(-1), ' 1-6 column  0 as listed  esc cancel');
	assert.deepEqual(
		shown(await app.press('2').shows('name↑')),
		screen({
			header,
			tabs: `${tabs}  by name`,
			head: abilityHead.replace('name ', 'name↑'),
			rows: [underCursor(lamps), nightwatch, pantry],
			message: [' Installed abilities sorted by name.'],
		}),
	);
	const again = await app.press('o').shows('2 name (again: reverse)');
	assert.equal(again[2], '1 state 2 name↑                            6 category 5 changed');
	app.press('2');
	assert.deepEqual(namesOf(await app.shows('name↓')), ['pantry', 'nightwatch', 'lamps']);
	app.write('o0');
	assert.deepEqual(namesOf(await app.says('In the order of the service.')), ['lamps', 'pantry', 'nightwatch']);
	assert.deepEqual(
		service.requests.map(({method}) => method),
		['GET', 'GET'],
		'the list and the agents',
	);
	assert.match(cursorLine(app.lines())!, /lamps/, 'the cursor stays on its record');
});

test('both keys can come in one chunk, even before the list has loaded', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: isInstalledList});
	const app = await renderApp(t, {service});
	await app.write('o2o2').until(() => service.requests.length === 1);
	release();
	assert.deepEqual(namesOf(await app.shows('name↓')), ['pantry', 'nightwatch', 'lamps']);
	await app.write('o1o1j ').shows('state↓');
	await app.until(() => togglesOf(service).length === 1);
});

test('a list can be sorted by columns that do not fit the screen', async (t: TestContext) => {
	const installed = [
		installedRecord(1, 'first', true, {trigger_words: ['wake up'], last_updated: '2026-01-01T00:00:00Z'}),
		installedRecord(2, 'second', true, {last_updated: '2026-03-01T00:00:00Z'}),
		installedRecord(3, 'third', true, {trigger_words: ['all lights on'], last_updated: '2026-02-01T00:00:00Z'}),
	];
	const {app} = await openHome(t, {home: {installed}, size: small});
	assert.deepEqual((await app.press('o').shows('Sort by')).slice(-2), [' phrases, 5 changed, 6 category, 0 as', ' listed.']);
	app.press('4');
	assert.deepEqual(namesOf(await app.says('sorted by phrases.')), ['third', 'first', 'second']);
	app.write('o5');
	assert.deepEqual(namesOf(await app.says('sorted by last change.')), ['second', 'third', 'first']);
});

for (const {screen: shownScreen, number, column, first, last} of [
	{screen: 'agents', number: 2, column: 'abilities', first: 'Hearth', last: 'Porch'},
	{screen: 'installed', number: 5, column: 'changed', first: 'lamps', last: 'pantry'},
] as const) {
	test(`the arrow of ${column} points down for descending values, which come first, and up for ascending ones`, async (t: TestContext) => {
		const {app} = await openHome(t, {
			home: {
				agents: [
					{id: 1, name: 'Porch', description: '', matching_capabilities: []},
					{id: 2, name: 'Hearth', description: '', matching_capabilities: [21]},
				],
				...(shownScreen === 'installed' && {abilities: []}),
				installed: [
					installedRecord(1, 'pantry', true, {last_updated: '2026-01-01T00:00:00Z'}),
					installedRecord(2, 'lamps', true, {last_updated: '2026-03-01T00:00:00Z'}),
				],
			},
			screen: shownScreen,
			size: wide,
		});
		await app.shows(shownScreen === 'agents' ? ' ●  ' : 'pantry');
		app.write(`o${number}`);
		assert.deepEqual(namesOf(await app.shows(`${column}↓`)), [first, last]);
		app.press('S');
		assert.deepEqual(namesOf(await app.shows(`${column}↑`)), [last, first]);
	});
}

for (const [key, said] of [
	['escape', ''],
	['9', 'There is no column 9.'],
	['space', 'There is no column Space.'],
] as const) {
	test(`${key} cancels the choice of a column: the order stays, and nothing is switched`, async (t: TestContext) => {
		const {service, app} = await openHome(t);
		const before = app.lines();
		await app.press('o').shows('Sort by');
		const lines = await app.press(key).shows(frame => !includes('Sort by')(frame));
		assert.deepEqual(
			shown(lines),
			screen({header, tabs, rows: [underCursor(lamps), pantry, nightwatch], message: said === '' ? [] : [` ${said}`]}),
		);
		assert.equal(lines.at(-1), before.at(-1));
		assert.deepEqual(togglesOf(service), []);
		await app.press('2').shows('[2 Abilities]');
	});
}

test('a message hidden by the sort prompt comes back afterwards', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small});
	service.failNext({when: ({method}) => method === 'PUT', status: 403});
	const told = await app.press('space').says('Space retries.');
	await app.press('o').shows('Sort by');
	assert.deepEqual(await app.press('escape').says('Space retries.'), told);
});

test('agents can be sorted by every column', async (t: TestContext) => {
	const agents = [
		{id: 7, name: 'Porch', description: 'You greet.'},
		{id: 3, name: 'Attic', description: ''},
		{id: 5, name: 'Hearth', description: 'A house.'},
	];
	const {app} = await openHome(t, {home: {agents}, screen: 'agents', size: {columns: 80, rows: 14}});
	const asking = await app.press('o').shows('Sort by: 1 name, 2 abilities, 3 id, 4 prompt, 0 as listed.');
	assert.match(asking[2]!, /^ 1 name +2 abilities +3 id +4 prompt$/);
	app.press('3');
	assert.deepEqual(namesOf(await app.shows('id↑')), ['Attic', 'Hearth', 'Porch']);
	app.write('o4');
	assert.deepEqual(namesOf(await app.shows('prompt↑')), ['Hearth', 'Porch', 'Attic']);
});

const marked = (row: string): string => `*${row.slice(1)}`;

test('marked rows have a sign, are counted, and are switched together', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	assert.deepEqual(
		shown(await app.press('x', 'j', 'x').shows('2 marked')),
		screen({
			header: 'Switchboard  environment  reads every 15 s · 2 of 3 on',
			tabs: '1 Agents  2 Abilities [3 Installed]  2 marked',
			rows: [marked(lamps), pantry, underCursor(marked(nightwatch))],
		}),
	);
	await app.press('D').shows(lines => /^\* {2}off {2}lamps/.test(lines[3]!));
	await app.until(() => storedState(service, 301) === false);
	assert.deepEqual(toggledIds(service), [301], 'what is off already is asked for nothing');
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
	assert.deepEqual(toggledIds(service), [303], 'none of the others is flipped');
	await app.write('k ').shows(says('3 switched off.'), '3 marked');
	assert.deepEqual(storedStates(service, [301, 302, 303]), [false, false, false]);
	await app.press('escape', 'space').until(() => storedState(service, 302) === true);
	assert.deepEqual(storedStates(service, [301, 303]), [false, false], 'without marks it is the row under the cursor');
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

test('a key that takes one row says so while others are marked, and is not offered', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	await app.press('x', 'x', 't').says('t takes one row. Esc clears the marks.');
	assert.equal(app.state().overlays.length, 0);
	await app.press('T').says('T takes one row. Esc clears the marks.');
	assert.doesNotMatch(app.lines().at(-1)!, /phrases|talk/);
	// The row under the cursor is the only marked one.
	await app.press('escape', 'g', 'x', 'k', 't').shows('Trigger phrases of lamps');
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
	await app.press('j', 'y').says('Copied 302, the id of pantry.');
	assert.deepEqual(app.written(), [`\u{1B}]52;c;${Buffer.from('302').toString('base64')}\u{7}`]);
});

test('switching moves no row in a sorted list', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('s', 's').shows('by state');
	const toggled = await app.press('space').shows(' > off  lamps');
	assert.match(toggled[3]!, /lamps/, 'its row moves with the next refresh alone');
	assert.match(cursorLine(await app.press('r').shows(lines => lines[3]!.includes('pantry')))!, /lamps/);
});
