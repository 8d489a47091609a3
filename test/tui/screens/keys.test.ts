import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, includes, installedRecord, keyBytes, openHome, type RenderedApp, says, toggledIds} from '../helpers/kit.ts';

async function openLong(t: TestContext) {
	const {service, app} = await openHome(t, {
		home: {installed: Array.from({length: 100}, (_, index) => installedRecord(index, `ability${index}`, true))},
	});
	const cursorAt = async (row: number): Promise<void> => {
		await app.shows(lines => cursorLine(lines)?.includes(` ability${row} `) ?? false);
	};

	return {service, app, cursorAt};
}

const moves: ReadonlyArray<readonly [keys: readonly string[], row: number]> = [
	[[...'jjj'], 3],
	[[...'jjjk'], 2],
	[['down', 'down', 'up'], 1],
	[[...'jjkkkk'], 0],
	[['G'], 99],
	[[...'Gj'], 99],
	[[...'Ggj'], 1],
	[['end'], 99],
	[['end', 'home'], 0],
	[['ctrl+d'], 4],
	[['ctrl+d', 'ctrl+d', 'ctrl+u'], 4],
	[['pagedown'], 7],
	[['pagedown', 'pagedown', 'pageup'], 7],
	[['ctrl+f', 'ctrl+b'], 0],
];

test('keys that move may come in one chunk', async (t: TestContext) => {
	const {app, cursorAt} = await openLong(t);
	for (const [keys, row] of moves) {
		await t.test(`${keys.join(' ')} leads from the first row to row ${row}`, async () => {
			app.write(keyBytes(...keys));
			await cursorAt(row);
			app.press('g');
			await cursorAt(0);
		});
	}
});

/** Resolves once the app draws no more. */
async function whenDrawn({frames}: Pick<RenderedApp, 'frames'>): Promise<void> {
	for (let count = -1; count < frames().length; ) {
		count = frames().length;
		for (let turn = 0; turn < 20; turn++) {
			await nextTurn();
		}
	}
}

for (const [end, row, keys] of [
	['g', 0, ['k', 'up', 'g', 'home', 'ctrl+u', 'pageup', 'ctrl+p']],
	['G', 99, ['j', 'down', 'G', 'end', 'ctrl+d', 'pagedown', 'ctrl+n']],
] as const) {
	test(`a key that moves nothing on row ${row} draws nothing`, async (t: TestContext) => {
		const {app, cursorAt} = await openLong(t);
		// Polling draws too.
		app.ui.store.dispatch({type: 'set-idle', isIdle: true});
		app.press(end);
		await cursorAt(row);
		// The lists that are read at the start draw, too.
		await app.until(() => app.session().records.queryClient.isFetching() === 0);
		await whenDrawn(app);
		const frameCount = app.frames().length;
		app.press(...keys);
		await whenDrawn(app);
		assert.equal(app.frames().length, frameCount);
		assert.match(cursorLine(app.lines())!, new RegExp(` ability${row} `));
	});
}

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
	const {app} = await openHome(t);
	for (const [key, title] of steps) {
		const lines = await app.press(key).shows(title);
		assert.ok(lines[1]!.includes(title), key);
	}
});

test("a key after a screen's number in one chunk works on that screen", async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.press('2').shows('desk');
	await app.write('G3j ').shows(' > off  pantry');
	assert.deepEqual(toggledIds(service), [302]);
});

test('a key that only works on other screens says so', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'agents', until: 'Hearth'});
	const lines = await app.press('space').says('Space works on Abilities and Installed, not here.');
	assert.match(lines[1]!, /\[1 Agents\]/);
	assert.deepEqual(toggledIds(service), []);
});

test('a key with different actions on the other screens names both', async (t: TestContext) => {
	const {app} = await openHome(t, {screen: 'abilities'});
	await app.press('t').says('t works on Agents (abilities) and Installed (phrases), not here.');
});

const unbound = {
	installed: [
		['z', 'z does nothing here. u undoes the last change; ? shows the keys.'],
		['delete', 'Del does nothing here. d uninstalls; ? shows the keys.'],
		['й', 'й does nothing here: the keyboard layout is the reason. Switch it to Latin letters.'],
		['ctrl+left', 'Ctrl+Left does nothing here; ? shows the keys.'],
	],
	abilities: [['delete', 'Del does nothing here. d deletes; ? shows the keys.']],
	agents: [
		['delete', 'Del does nothing here; ? shows the keys.'],
		['Y', 'Y does nothing here. y copies the id; ? shows the keys.'],
		['L', 'L does nothing here. l goes to the next screen; ? shows the keys.'],
		['ａ', 'ａ does nothing here: the keyboard layout is the reason. Switch it to Latin letters.'],
	],
} as const;

for (const screen of ['installed', 'abilities', 'agents'] as const) {
	test(`an unbound key on ${screen} says which key is near`, async (t: TestContext) => {
		const {app} = await openHome(t, {screen});
		for (const [pressed, said] of unbound[screen]) {
			await app.press(pressed).says(said);
			await app.press('escape').shows(lines => !says('does nothing here')(lines));
		}
	});
}

test('an unbound key is explained once, never in place of another message, and without keys that are refused', async (t: TestContext) => {
	const {app} = await openHome(t, {isReadOnly: true, keys: {mark: ['m']}});
	await app.press('space').says('this run is read-only');
	app.press('z');
	await app.says('this run is read-only');
	await app.press('escape').shows(lines => !says('this run is read-only')(lines));
	await app.press('z').says('z does nothing here; ? shows the keys.');
	await app.press('escape').shows(lines => !says('nothing here')(lines));
	await app.press('z', 'insert').says('Insert does nothing here. m marks the row; ? shows the keys.');
});

test('an unbound key on an opened record names only keys that work there', async (t: TestContext) => {
	const {app} = await openHome(t);
	await app.press('enter').shows('esc back');
	await app.press('z').says('z does nothing here. u undoes the last change');
	await app.press('escape', 'enter').shows(lines => includes('esc back')(lines) && !says('nothing here')(lines));
	await app.press('m').says('m does nothing here. M shows past messages; ? shows the keys.');
});

test('F1, F5 and F10 show the keys, refresh and quit, as in htop', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const before = service.requests.length;
	await app.press('f5').until(() => service.requests.length > before);
	await app.press('f1').shows(lines => lines[0]!.startsWith(' Keys'));
	await app.press('escape').shows(lines => !lines[0]!.startsWith(' Keys'));
	await app.press('f10').until(() => app.exitCode() === 0);
});
