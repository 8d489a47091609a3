import {assert, test, type TestContext} from '../../helpers/node.ts';
import {abilityHead, cursorLine, includes, screen, shown} from '../helpers/shown.ts';
import {installedRecord, isInstalledList, openHome, renderApp, small, startHome, togglesOf, wide} from '../helpers/kit.ts';

const header = 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on';

const tabs = '1 Agents  2 Abilities [3 Installed]';

const lamps = '   on   lamps                              skill      2 days';
const pantry = '   on   pantry                             brain      2 days';
const nightwatch = '   off  nightwatch                         daemon     2 days';

const underCursor = (row: string): string => ` > ${row.slice(3)}`;

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
	const again = await app.press('o').shows('2 name (reversed)');
	assert.equal(again[2], '1 state 2 name↑                            6 category 5 changed');
	app.press('2');
	assert.deepEqual(namesOf(await app.shows('name↓')), ['pantry', 'nightwatch', 'lamps']);
	app.write('o0');
	assert.deepEqual(namesOf(await app.says('sorted as the service lists them')), ['lamps', 'pantry', 'nightwatch']);
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
