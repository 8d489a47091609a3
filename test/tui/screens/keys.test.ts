import {setImmediate as nextTurn} from 'node:timers/promises';
import {test, type TestContext} from 'node:test';
import {renderApp} from '../../helpers/render-app.tsx';
import {installedRecord, startHome, togglesOf} from '../helpers/homes.ts';
import {cursorLine, includes, says} from '../helpers/shown.ts';

const openLong = async (t: TestContext) => {
	const service = await startHome(t, {home: {installed: Array.from({length: 100}, (_, index) => installedRecord(index, `ability${index}`, true))}});
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	const cursorAt = async (row: number): Promise<void> => {
		await app.waitForFrame(lines => cursorLine(lines)?.includes(` ability${row} `) ?? false);
	};

	return {service, app, cursorAt};
};

const moves: ReadonlyArray<readonly [keys: string, row: number]> = [
	['jjj', 3],
	['jjjk', 2],
	['\u{1B}[B\u{1B}[B\u{1B}[A', 1],
	['jjkkkk', 0],
	['G', 99],
	['Gj', 99],
	['Ggj', 1],
	['\u{1B}[F', 99],
	['\u{1B}[F\u{1B}[H', 0],
	['\u{4}', 4],
	['\u{4}\u{4}\u{15}', 4],
	['\u{1B}[6~', 7],
	['\u{1B}[6~\u{1B}[6~\u{1B}[5~', 7],
	['\u{6}\u{2}', 0],
];

for (const [keys, row] of moves) {
	test(`${JSON.stringify(keys)} in one chunk leads from the first row to row ${row}`, async (t: TestContext) => {
		const {app, cursorAt} = await openLong(t);
		app.write(keys);
		await cursorAt(row);
		t.assert.match(cursorLine(app.lines())!, new RegExp(` ability${row} `));
	});
}

test('a sequence that a slow line has split is one key', async (t: TestContext) => {
	const {app, cursorAt} = await openLong(t);
	app.write('\u{1B}');
	await nextTurn();
	app.write('[');
	await nextTurn();
	app.write('Bj');
	await cursorAt(2);
	t.assert.match(cursorLine(app.lines())!, / ability2 /);
});

test('a held key loses no step', async (t: TestContext) => {
	const {app, cursorAt} = await openLong(t);
	for (let press = 0; press < 60; press++) {
		app.press('j');
	}

	await cursorAt(60);
	t.assert.match(cursorLine(app.lines())!, / ability60 /);
});

test('pasted text presses no keys', async (t: TestContext) => {
	const {service, app, cursorAt} = await openLong(t);
	app.paste('jjj  q\r2');
	app.press('j');
	await cursorAt(1);
	t.assert.deepStrictEqual(togglesOf(service), []);
	t.assert.strictEqual(app.exitCode(), undefined);
});

const steps: ReadonlyArray<readonly [key: string, title: string]> = [
	['1', '[1 Agents]'],
	['2', '[2 Abilities]'],
	['3', '[3 Installed]'],
	['tab', '[1 Agents]'],
	['tab', '[2 Abilities]'],
	['shift+tab', '[1 Agents]'],
	[']', '[2 Abilities]'],
	['[', '[1 Agents]'],
	['[', '[3 Installed]'],
];

test('the screens are chosen by number, Tab and brackets', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	for (const [key, title] of steps) {
		app.press(key);
		const lines = await app.waitForFrame(includes(title));
		t.assert.ok(lines[1]!.includes(title), key);
	}
});

test('each screen has its own cursor, and shows again what it showed', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	app.press('2');
	await app.waitForFrame(includes('desk'));
	app.press('1');
	await app.waitForFrame(includes('Porch'));
	app.write('3jj2j1j3');
	await app.waitForFrame(includes(' > off  nightwatch'));
	app.press('2');
	await app.waitForFrame(includes(' > on   pantry'));
	app.press('1');
	t.assert.match(cursorLine(await app.waitForFrame(includes('[1 Agents]')))!, /Porch/);
});

test('a screen and a key for it in one chunk meet on that screen', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service});
	await app.waitForFrame(includes('live'));
	app.press('2');
	await app.waitForFrame(includes('desk'));
	app.write('G3j ');
	await app.waitForFrame(includes(' > off  pantry'));
	t.assert.deepStrictEqual(togglesOf(service).map(({id}) => id), [302]);
});

test('Escape and another key in one chunk are both pressed', async (t: TestContext) => {
	const {service, app} = await openLong(t);
	app.write('/ability5\r');
	await app.waitForFrame(lines => lines[1]!.includes('/ability5 '));
	app.write('\u{1B} ');
	await app.waitUntil(() => togglesOf(service).length === 1);
	t.assert.ok(!app.lines()[1]!.includes('/ability5'));
});

test('a key that acts on another screen alone says so', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'agents'});
	await app.waitForFrame(includes('Hearth'));
	app.press('space');
	const lines = await app.waitForFrame(says('Space works on Abilities and Installed, not here.'));
	t.assert.match(lines[1]!, /\[1 Agents\]/);
});

test('a key with another meaning on each of the other screens says both', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await renderApp(t, {service, screen: 'abilities'});
	await app.waitForFrame(includes('live'));
	app.press('t');
	await app.waitForFrame(says('t works on Agents (abilities) and Installed (phrases), not here.'));
});
