import {assert, test, type TestContext} from '../../helpers/node.ts';
import {findRecord} from '../../helpers/live-like/home.ts';
import {openHome, type OpenAppOptions} from '../helpers/open-home.ts';
import {includes, installedRecord, type RenderedApp, small, togglesOf, wide} from '../helpers/kit.ts';

const agent = (id: number, name: string, abilityIds: readonly number[]) => ({
	id,
	name,
	description: `You are ${name}.`,
	image: null,
	matching_capabilities: abilityIds,
});

const createHome = () => ({
	agents: [agent(1, 'Hearth', [21, 22, 23]), agent(2, 'Porch', [22])],
	installed: [
		installedRecord(301, 'lamps', true, {capability_id: 21, trigger_words: ['lamps please', 'it is dark']}),
		installedRecord(302, 'candles', true, {capability_id: 22, trigger_words: ['It is dark!']}),
		installedRecord(303, 'nightwatch', false, {capability_id: 23, trigger_words: ['guard the house']}),
		installedRecord(304, 'radio', true, {capability_id: 25, trigger_words: ['some music']}),
	],
});

const open = async (t: TestContext, options: OpenAppOptions = {}) => openHome(t, {home: createHome(), size: wide, ...options});

const line = (lines: readonly string[]): string => lines.findLast(each => /^["…]/u.test(each)) ?? '';

const waitForLine = async ({waitForFrame}: RenderedApp, wanted: string): Promise<readonly string[]> =>
	waitForFrame(lines => line(lines) === wanted);

const rowsIn = (lines: readonly string[]): readonly string[] =>
	lines.filter(each => /^[ !*^][ >][ +=|](?:on|off|Hearth|Porch)[ ~]/.test(each));

test('as a sentence is typed, the rows say what it would start for which agent, and so does the line', async (t: TestContext) => {
	const {app} = await open(t);
	app.write('"');
	app.write('Now it is');
	assert.ok(
		includes('This is how the bundled service matches phrases; others may differ.')(await waitForLine(app, '"Now it is_   nobody listens')),
	);
	app.write(' dark, q3 ');
	assert.deepEqual(rowsIn(await waitForLine(app, '"Now it is dark, q3 _   would start lamps for Hearth, candles for Porch; colli…')), [
		' >+on   lamps               starts: Hearth                            2 days',
		'  +on   candles             starts: Porch                             2 days',
		'   off  nightwatch          Hearth     guard the house                2 days',
		'   on   radio               –          some music                     2 days',
	]);
	app.press('enter', '1');
	assert.deepEqual(rowsIn(await app.shows('[1 Agents]')), [
		' >+Hearth              ●●○         starts lamps, collides with candles',
		'  +Porch               ●           starts candles',
	]);
	app.press('2', '"');
	app.press('ctrl+u');
	app.write('open the desk');
	// The list of abilities has it, but it is not installed.
	await waitForLine(app, '"open the desk_   nobody listens');
});

test('each switch is followed, before and after the service has answered, and each refresh', async (t: TestContext) => {
	const {service, app} = await open(t);
	app.write('"');
	app.write('it is dark\r');
	await waitForLine(app, '"it is dark   would start lamps for Hearth, candles for Porch; collides with c…');
	const release = service.hold();
	app.press('space');
	const lines = await waitForLine(app, '"it is dark   would start candles for every agent; lamps has it, but is off');
	assert.deepEqual(rowsIn(lines).slice(0, 2), [
		' >|off~ lamps               has it: Hearth                            2 days',
		'  +on   candles             starts: every agent                       2 days',
	]);
	release();
	await app.shows(' >|off  lamps');
	assert.equal(togglesOf(service).length, 1);
	findRecord(service.installed, 302)!['trigger_words'] = ['light a candle'];
	app.press('r');
	await waitForLine(app, '"it is dark   nobody listens: lamps has it, but is off');
});

test('a sentence is kept beside a filter while one moves and marks, and Escape clears it last', async (t: TestContext) => {
	const {app} = await open(t);
	app.write('"');
	app.write('some music\r');
	const lines = await app.write('/ra\r').shows('/ra   1 of 4');
	assert.deepEqual(lines.slice(-3, -1), ['/ra   1 of 4', '"some music   would start radio for every agent']);
	app.press('x');
	assert.deepEqual(rowsIn(await app.shows('*>+on   radio')), [
		'*>+on   radio               starts: every agent                       2 days',
	]);
	app.press('escape', 'escape');
	assert.equal(
		rowsIn(await app.shows(lines_ => rowsIn(lines_).length === 4)).at(-1),
		' >+on   radio               starts: every agent                       2 days',
	);
	app.press('"', 'backspace');
	await waitForLine(app, '"some musi_   nobody listens');
	app.press('escape');
	assert.equal(
		rowsIn(await app.shows(each => line(each) === '')).at(-1),
		' > on   radio               –          some music                     2 days',
	);
});

test('on a narrow and low screen a sign before the state says it', async (t: TestContext) => {
	const {app} = await open(t, {size: {...small, columns: 34}});
	app.write('"');
	app.write('guard the house\r');
	const lines = await waitForLine(app, '…uard the house   nobody listens…');
	assert.deepEqual(lines.slice(2), [
		' > on   lamps',
		'   on   candles',
		'  |off  nightwatch',
		'   on   radio',
		'',
		'',
		' space switch  d uninstall  ? keys',
		'…uard the house   nobody listens…',
	]);
});
