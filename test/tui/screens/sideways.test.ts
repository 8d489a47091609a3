import {assert, test, type TestContext} from '../../helpers/node.ts';
import {night, openPresets, isRead} from '../helpers/presets.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {cursorLine, includes, isFresh, openApp, openHome, says} from '../helpers/kit.ts';

for (const [back, forth] of [
	['h', 'l'],
	['left', 'right'],
] as const) {
	test(`${back} and ${forth} go from screen to screen`, async (t: TestContext) => {
		const {app} = await openHome(t);
		app.press(back);
		await app.waitForFrame(includes('[2 Abilities]'));
		app.press(back);
		await app.waitForFrame(includes('[1 Agents]'));
		app.press(forth, forth);
		await app.waitForFrame(includes('[3 Installed]'));
	});

	test(`where something is open, ${forth} opens the row under the cursor and ${back} goes back`, async (t: TestContext) => {
		const {app} = await openHome(t);
		const list = await openPresets(app);
		app.press(forth);
		await app.waitForFrame(includes(`Apply ${night.name}?`));
		app.press(back);
		assert.deepEqual(await app.waitForFrame(isRead), list);
		app.press(back, 'enter');
		await app.waitForFrame(includes('esc back'));
		app.press(back);
		assert.match(cursorLine(await app.waitForFrame(isFresh))!, /lamps/);
		app.press('!');
		await app.waitForFrame(includes('enter details'));
		app.press(forth);
		await app.waitForFrame(lines => lines[0]!.startsWith(' Request') && includes('esc back')(lines) && !includes('enter details')(lines));
		app.press(back);
		await app.waitForFrame(includes('enter details'));
	});
}

test('h loses no choice of abilities', async (t: TestContext) => {
	const app = await openApp(t, {service: await startShownHome(t), screen: 'agents'});
	await openTies(app);
	app.press('space');
	const chosen = boxes(await app.waitForFrame(includes('- lamps')));
	app.press('h', 'left');
	assert.deepEqual(boxes(await app.waitForFrame(says('works on the list, not here.'))), chosen);
});
