import {assert, test, type TestContext} from '../../helpers/node.ts';
import {night, openPresets, isRead} from '../helpers/presets.ts';
import {boxes, openTies, startShownHome} from '../helpers/ties.ts';
import {cursorLine, includes, isFresh, openApp, openHome} from '../helpers/kit.ts';

for (const [back, forth] of [
	['h', 'l'],
	['left', 'right'],
] as const) {
	test(`${back} and ${forth} go from screen to screen`, async (t: TestContext) => {
		const {app} = await openHome(t);
		await app.press(back).shows('[2 Abilities]');
		await app.press(back).shows('[1 Agents]');
		await app.press(forth, forth).shows('[3 Installed]');
	});

	test(`where something is open, ${forth} opens the row under the cursor and ${back} goes back`, async (t: TestContext) => {
		const {app} = await openHome(t);
		const list = await openPresets(app);
		await app.press(forth).shows(`Apply ${night.name}?`);
		assert.deepEqual(await app.press(back).shows(isRead), list);
		await app.press(back, 'enter').shows('esc back');
		assert.match(cursorLine(await app.press(back).shows(isFresh))!, /lamps/);
		await app.press('!').shows('enter details');
		await app
			.press(forth)
			.shows(lines => lines[0]!.startsWith(' Request') && includes('esc back')(lines) && !includes('enter details')(lines));
		await app.press(back).shows('enter details');
	});
}

test('h loses no choice of abilities', async (t: TestContext) => {
	const app = await openApp(t, {service: await startShownHome(t), screen: 'agents'});
	await openTies(app);
	const chosen = boxes(await app.press('space').shows('- lamps'));
	assert.deepEqual(boxes(await app.press('h', 'left').says('works on the list, not here.')), chosen);
});
