import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {cursorLine, isFresh, lowScreen, shown} from '../helpers/shown.ts';
import {installedRecord, isToggle, openApp, openHome, renderApp, small, startHome, wide} from '../helpers/kit.ts';

const fits = (lines: readonly string[], columns: number, rows: number): boolean =>
	lines.length === rows && lines.every(line => stringWidth(line) <= columns);

test('at 40×10 a row shows state, name and category', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small});
	const lines = app.lines();
	assert.deepEqual(
		shown(lines),
		lowScreen({
			header: 'environment  every 15 s · 2 of 3 on',
			tabs: '1 Agents  2 Abilities [3 Installed]',
			rows: [' > on   lamps                skill', '   on   pantry               brain', '   off  nightwatch           daemon'],
		}),
	);
	assert.ok(fits(lines, 40, 10));
	assert.ok(lines.at(-1)!.startsWith(' space switch'), 'the keys that act');
});

test('20×5 is the minimum, and still shows and switches the row under the cursor', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 20, rows: 5}});
	const lines = await app.shows('lamps');
	assert.ok(fits(lines, 20, 5), lines.join('\n'));
	assert.match(lines[0]!, /every|environ/);
	assert.match(lines[1]!, /\[3 Installed\]/);
	await app.press('j', 'space').shows(' > off  pantry');
	service.failNext({
		when: isToggle,
		status: 500,
		body: JSON.stringify({detail: 'a very long explanation of what has gone wrong in there'}),
	});
	const failed = await app.press('space').shows('pantry stays');
	assert.ok(fits(failed, 20, 5), failed.join('\n'));
	assert.match(failed[1]!, /\[3 Installed\]/);
	assert.match(cursorLine(failed)!, /off {2}pantry/);
});

test('below the minimum size the screen says so, and comes back with more room', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, size: {columns: 19, rows: 5}});
	assert.deepEqual(app.lines(), ['Need at least 20×5.']);
	assert.match(cursorLine(await app.resize({columns: 64, rows: 14}).shows(isFresh))!, /lamps/);
	assert.deepEqual(await app.resize({columns: 40, rows: 4}).shows('at least'), ['Need at least 20×5.']);
});

test('the screen fits at every size, with the row under the cursor in view', async (t: TestContext) => {
	const {app} = await openHome(t, {
		home: {installed: Array.from({length: 50}, (_, index) => installedRecord(index + 1, `ability${index}`, true))},
		size: wide,
	});
	await app.write('j'.repeat(25)).shows(lines => cursorLine(lines)?.includes('ability25') ?? false);
	for (const [columns, rows] of [
		[60, 24],
		[40, 24],
		[100, 24],
		[80, 10],
		[20, 5],
		[37, 13],
		[200, 60],
		[80, 24],
	] as const) {
		const size = {columns, rows};
		const lines = await app.resize(size).shows(frame => frame.length === size.rows && fits(frame, size.columns, size.rows));
		assert.match(cursorLine(lines) ?? '', /ability25/, `${size.columns}×${size.rows}:\n${lines.join('\n')}`);
	}
});

test('overlays fit at every size as well', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	for (const key of ['?', 'P', ':', '!']) {
		app.press(key);
		for (const size of [
			{columns: 40, rows: 10},
			{columns: 20, rows: 5},
			{columns: 200, rows: 60},
			{columns: 80, rows: 24},
		]) {
			const lines = await app.resize(size).shows(frame => fits(frame, size.columns, size.rows));
			assert.notEqual(lines[0], '', `${key} at ${size.columns}×${size.rows}`);
		}

		await app.press('escape').shows(isFresh);
	}
});

test('a long profile name is cut before the status', async (t: TestContext) => {
	const service = await startHome(t);
	for (const profileName of [
		'a-profile-with-a-name-that-is-longer-than-any-line-would-hold',
		'東京本社の音声エージェント環境東京本社の音声エージェント環境',
	]) {
		const app = await openApp(t, {service, profileName, size: {columns: 120, rows: 14}});
		for (const columns of [120, 80, 64, 40]) {
			const lines = await app.resize({columns, rows: 14}).shows(frame => fits(frame, columns, 14));
			assert.match(lines[0]!, /every 15 s(?: · 2 of 3 on)?$/, `${columns} columns:\n${lines[0]}`);
		}

		await app.close();
	}
});
