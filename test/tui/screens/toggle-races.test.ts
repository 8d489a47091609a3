import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, includes, installedListCount, isInstalledList, isToggle, openHome, storedState, togglesOf} from '../helpers/kit.ts';

const wantedStates = (toggles: ReturnType<typeof togglesOf>): readonly unknown[] =>
	toggles.map(({body}) => (body as {readonly enabled: unknown}).enabled);

test('a second Space while the first request is held shows at once and is sent after it', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isToggle});
	await app.press('space').shows(' > off~ lamps');
	await app.until(() => service.heldCount() === 1);
	await app.press('space').shows(' > on~  lamps');
	assert.equal(togglesOf(service).length, 1, 'one request at a time');
	const frameCount = app.frames().length;
	release();
	await app.shows(' > on   lamps');
	assert.deepEqual(wantedStates(togglesOf(service)), [false, true]);
	assert.equal(storedState(service, 301), true);
	const shown = app
		.frames()
		.slice(frameCount)
		.map(lines => cursorLine(lines)!.slice(3, 8).trim());
	assert.deepEqual(
		shown.filter(state => state.startsWith('off')),
		[],
		'what was chosen last never leaves the screen',
	);
});

test('two Spaces in one chunk are two toggles', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('  ').until(() => togglesOf(service).length === 2);
	await app.shows(' > on   lamps');
	assert.deepEqual(wantedStates(togglesOf(service)), [false, true]);
	assert.equal(storedState(service, 301), true);
});

test('a list requested before a toggle settled does not flip it back', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList, isCarriedOutFirst: true});
	await app.press('r').until(() => service.heldCount() === 1);
	service.installed.push({id: 304, name: 'porch', enabled: false});
	await app.press('space').shows(' > off  lamps');
	const frameCount = app.frames().length;
	release();
	await app.shows('porch');
	assert.equal(installedListCount(service), 3, 'another list is read in its place');
	assert.deepEqual(
		app
			.frames()
			.slice(frameCount)
			.filter(lines => !cursorLine(lines)!.startsWith(' > off  lamps')),
		[],
	);
	assert.equal(storedState(service, 301), false);
});

test('a list that arrives while a toggle is pending leaves it pending', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isToggle});
	await app.press('space').until(() => service.heldCount() === 1);
	service.installed.push({id: 304, name: 'porch', enabled: false});
	const lines = await app.press('r').shows('porch');
	assert.ok(includes(' > off~ lamps')(lines), lines.join('\n'));
	release();
	await app.shows(' > off  lamps');
	assert.deepEqual(wantedStates(togglesOf(service)), [false]);
});

test('r while a list is being read sends no second request', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	const release = service.hold({when: isInstalledList});
	await app.press('r', 'r', 'r').until(() => service.heldCount() === 1);
	service.installed.shift();
	release();
	await app.shows(lines => !includes('lamps')(lines));
	assert.equal(installedListCount(service), 2);
});
