import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {loadWithForcedColor} from '../../../source/tui/terminal/capabilities.ts';
import {installedRecord, installedListCount, isToggle, startHome, togglesOf} from '../helpers/homes.ts';
import {abilityHead, includes, screen, shown} from '../helpers/shown.ts';

// A test has no terminal, and Ink would leave looks out.
const {renderApp} = await loadWithForcedColor(async () => import('../../helpers/render-app.tsx'));
const {openHome} = await import('../helpers/open-home.ts');

const header = 'environment · 127.0.0.1:00000  every 15 s · 2 of 3 on';

const manyRecords = (count: number): unknown[] =>
	Array.from({length: count}, (_, index) => installedRecord(index + 1, `ability${index}`, true));

test('the third line names the columns, with an arrow at the sort column', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const lamps = 'on   lamps                              skill      2 days';
	const pantry = 'on   pantry                             brain      2 days';
	const nightwatch = 'off  nightwatch                         daemon     2 days';
	assert.deepEqual(
		shown(await app.press('s').shows('name↑')),
		screen({
			header,
			tabs: '1 Agents  2 Abilities [3 Installed]  by name',
			head: abilityHead.replace('name ', 'name↑'),
			rows: [` > ${lamps}`, `   ${nightwatch}`, `   ${pantry}`],
			message: [' Installed abilities sorted by name.'],
		}),
	);
	assert.deepEqual(
		shown(await app.press('s', 'S').shows('state↓')),
		screen({
			header,
			tabs: '1 Agents  2 Abilities [3 Installed]  by state, reversed',
			head: abilityHead.replace('state ', 'state↓'),
			rows: [`   ${nightwatch}`, ` > ${lamps}`, `   ${pantry}`],
			message: [' Order reversed.'],
		}),
	);
	assert.equal(installedListCount(service), 1);
});

test('a short screen has no column names, to save a line', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 40, rows: 13}});
	const lines = app.lines();
	assert.ok(!includes('category')(lines));
	assert.ok(includes('lamps')(lines.slice(2, 3)), lines.join('\n'));
});

test('an empty list has no column names', async (t: TestContext) => {
	const service = await startHome(t, {home: {installed: []}});
	const app = await renderApp(t, {service});
	assert.deepEqual((await app.shows('No installed abilities yet.')).slice(2, 4), ['', '   No installed abilities yet.']);
});

test('an empty line separates a full list from the message', async (t: TestContext) => {
	const {service, app} = await openHome(t, {home: {installed: manyRecords(50)}, size: {columns: 64, rows: 16}});
	service.failNext({
		when: isToggle,
		status: 500,
		body: JSON.stringify({detail: 'something went wrong in there, and nobody knows yet what it was'}),
	});
	const lines = await app.press('space').says('Space retries.');
	assert.deepEqual(lines.slice(-5), [
		'   on   ability8                           skill      2 days',
		'',
		' ! ability0 stays on: the service answered “something went wrong',
		' in there, and nobody knows yet what it was”. Space retries.',
		lines.at(-1),
	]);
	assert.deepEqual(
		togglesOf(service).map(({id}) => id),
		[1],
	);
});

test('an info is grey; an error has the error colour and a sign', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('S').shows('Order reversed.');
	assert.match(app.rawFrame(), /\u{1B}\[2mOrder reversed\.\u{1B}\[22m/u);
	service.failNext({when: isToggle, status: 403});
	await app.press('space').shows('! lamps stays on');
	assert.match(app.rawFrame(), /\u{1B}\[31m! lamps stays on/u);
});

for (const hasPane of [true, false]) {
	test(`on a very wide screen nothing of a list is further right than column 200, ${hasPane ? 'with' : 'without'} the details`, async (t: TestContext) => {
		const phrases = Array.from({length: 60}, (_, index) => `a rather long phrase ${index}`);
		const installed = [
			installedRecord(1, 'a name that goes on and on '.repeat(6).trim(), true, {trigger_words: phrases}),
			installedRecord(2, 'lamps', true),
		];
		const {app} = await openHome(t, {home: {installed}, size: {columns: 320, rows: 30}});
		if (!hasPane) {
			app.press('p');
		}

		const lines = await app.shows(frame => frame.some(line => line.includes('│')) === hasPane);
		assert.ok(
			lines.every(line => stringWidth(line) <= 200),
			lines.join('\n'),
		);
		assert.ok(
			lines.some(line => stringWidth(line) >= 195),
			'and what there is room for is used',
		);
		assert.equal(includes('2 days')(lines), true);
	});
}
