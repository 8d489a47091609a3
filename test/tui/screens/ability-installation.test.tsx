import {assert, test, type TestContext} from '../../helpers/node.ts';
import {asked, isDeletion, isInstallation, isRemoval, storedNames, typeDelete} from '../helpers/abilities.ts';
import {boxOf, cursorLine, includes, isAnswered, says} from '../helpers/shown.ts';
import {jsonAnswer, openApp, openHome, small, startDocumentedHome, wide} from '../helpers/kit.ts';

test('i installs the ability under the cursor, and its row shows the state', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '–    desk'});
	app.press('G', 'i');
	await app.waitForFrame(says('desk is installed.'));
	assert.match(cursorLine(await app.waitForFrame(includes('4 installed')))!, /^ > on {3}desk/);
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
	assert.deepEqual(storedNames(service, 'installed'), ['lamps', 'pantry', 'nightwatch', 'desk']);
});

test('an installed ability is not installed again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.press('i');
	await app.waitForFrame(says('lamps is already installed.'));
	assert.deepEqual(asked(service, isInstallation), []);
});

test('of the marked abilities only those not yet installed are installed', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.press('a', 'i');
	await app.waitForFrame(says('desk is installed.'));
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
});

test('a service that cannot install is reported', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '#11'});
	app.press('i');
	await app.waitForFrame(says('Could not install #11: The service lists #11 but cannot install it (HTTP 404). Use the dashboard instead.'));
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/11/']);
});

test('a write under way is reported, also when its key is pressed again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: request => isInstallation(request) || isDeletion(request)});
	app.press('G', 'i');
	await app.waitForFrame(includes(' Installing desk…'));
	app.press('i');
	await app.waitForFrame(includes(' Still installing desk.'));
	assert.equal(service.heldCount(), 1);
	app.press('g', 'd');
	await app.waitForFrame(says('Delete lamps (21) for ever?'));
	await typeDelete(app);
	await app.waitForFrame(includes(' Deleting lamps…'));
	app.press('d');
	await app.waitForFrame(says('Delete lamps (21) for ever?'));
	await typeDelete(app);
	await app.waitForFrame(includes(' Still deleting lamps.'));
	release();
	await app.waitUntil(() => !storedNames(service, 'abilities').includes('lamps') && storedNames(service, 'installed').includes('desk'));
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
});

test('a failure names one next step: the key that tries again, or another way', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	app.press('G');
	await app.waitForFrame(includes('> –    desk'));
	const answers = [
		[
			503,
			'It is not known whether desk is installed: The service answered “not today”. The list of installed abilities does not have it, but the change may still arrive. i tries again.',
		],
		[429, 'Could not install desk: Rate limit exceeded: not today. Try again in a minute.'],
		[401, 'Could not install desk: The service refused the API key: not today. C signs in again.'],
	] as const;
	for (const [status, text] of answers) {
		service.failNext({...jsonAnswer({detail: 'not today'}, status), when: isInstallation});
		app.press('i');
		const lines = await app.waitForFrame(says(text));
		assert.equal(
			lines
				.slice(lines.lastIndexOf('', -1) + 1, -1)
				.join('')
				.replaceAll(/ +/g, ' ')
				.trim(),
			`! ${text}`,
		);
	}

	app.press('i');
	await app.waitForFrame(says('desk is installed.'));
});

test('d on Installed asks, and y uninstalls the ability without deleting it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('d');
	assert.deepEqual(boxOf(await app.waitForFrame(says('Uninstall lamps'))), [
		'Uninstall lamps?',
		'',
		'lamps (301, on)',
		'The ability itself stays.',
		'',
		'y uninstall lamps  n no',
	]);
	app.press('n');
	await app.waitForFrame(isAnswered);
	assert.deepEqual(asked(service, isRemoval), []);
	app.press('d');
	await app.waitForFrame(says('Uninstall lamps'));
	app.press('y');
	const lines = await app.waitForFrame(says('lamps is uninstalled.'));
	assert.match(cursorLine(lines)!, /^ > on {3}pantry/);
	assert.deepEqual(asked(service, isRemoval), ['DELETE /uninstall-capability/301/']);
	assert.deepEqual(storedNames(service, 'installed'), ['pantry', 'nightwatch']);
	assert.deepEqual(storedNames(service, 'abilities'), ['lamps', 'pantry', 'nightwatch', 'desk']);
});

test('marked abilities are uninstalled after one question; those that failed stay marked', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small, until: '> on   lamps'});
	service.failNext({...jsonAnswer({detail: 'pantry is needed'}, 403), when: ({path}) => path.endsWith('/uninstall-capability/302/')});
	app.press('a', 'd');
	assert.deepEqual((await app.waitForFrame(says('Uninstall 3 abilities'))).slice(0, -1), [
		' Uninstall 3 abilities?',
		'',
		'   lamps (301, on)',
		'   pantry (302, on)',
		'   nightwatch (303, off)',
		'   The abilities themselves stay.',
		'',
		'',
		'',
	]);
	app.press('y');
	const lines = await app.waitForFrame(says('2 of 3 abilities uninstalled; the rest stay marked. d tries again, M shows why.'));
	assert.match(cursorLine(lines)!, /^\*> on {3}pantry/);
	assert.deepEqual(storedNames(service, 'installed'), ['pantry']);
	assert.ok(
		app
			.state()
			.messages.history.some(({text}) =>
				text.startsWith('Could not uninstall pantry: The service does not allow this with your key: pantry is needed.'),
			),
	);
});

test('an ability that is already gone is reported as gone, not as unsupported', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('d');
	await app.waitForFrame(says('Uninstall lamps'));
	service.installed.shift();
	app.press('y');
	const lines = await app.waitForFrame(says('! Could not uninstall lamps: lamps is no longer installed.'));
	assert.ok(!says('tries again')(lines), lines.join('\n'));
	app.press('2');
	await app.waitForFrame(includes('desk'));
	service.abilities.pop();
	app.press('G', 'i');
	await app.waitForFrame(says('! Could not install desk: desk no longer exists.'));
});

test('an open record closes when it is uninstalled, and stays open when the answer is no', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('enter', 'd');
	await app.waitForFrame(says('Uninstall lamps'));
	app.press('n');
	await app.waitForFrame(lines => isAnswered(lines) && includes('Versions')(lines));
	assert.deepEqual(asked(service, isRemoval), []);
	app.press('d', 'y');
	assert.ok(includes('[3 Installed]')(await app.waitForFrame(says('lamps is uninstalled.'))));
	assert.deepEqual(asked(service, isRemoval), ['DELETE /uninstall-capability/301/']);
});
