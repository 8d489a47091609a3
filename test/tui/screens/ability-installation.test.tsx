import {assert, test, type TestContext} from '../../helpers/node.ts';
import {asked, isDeletion, isInstallation, isRemoval, storedNames, typeDelete} from '../helpers/abilities.ts';
import {boxOf, includes, isAnswered, says} from '../helpers/shown.ts';
import {jsonAnswer, openApp, openHome, small, startDocumentedHome, wide} from '../helpers/kit.ts';

test('i installs the ability under the cursor, and its row shows the state', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '–    desk'});
	await app.press('G', 'i').says('desk is installed.');
	await app.shows('4 installed', /^ > on {3}desk/);
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
	assert.deepEqual(storedNames(service, 'installed'), ['lamps', 'pantry', 'nightwatch', 'desk']);
});

test('an installed ability is not installed again, and of the marked ones only the others are', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('i').says('lamps is already installed.');
	await app.press('a', 'i').says('desk is installed.');
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
});

test('a service that cannot install is reported', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: '#11'});
	await app.press('i').says('Could not install #11: The service lists #11 but cannot install it (HTTP 404). Use the dashboard instead.');
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/11/']);
});

test('a write under way is reported, also when its key is pressed again', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	const release = service.hold({when: request => isInstallation(request) || isDeletion(request)});
	await app.press('G', 'i').shows(' Installing desk…');
	await app.press('i').shows(' Still installing desk.');
	await app.until(() => service.heldCount() === 1);
	await app.press('g', 'd').says('Delete lamps?');
	await typeDelete(app);
	await app.shows(' Deleting lamps…');
	await app.press('d').says('Delete lamps?');
	await typeDelete(app);
	await app.shows(' Still deleting lamps.');
	release();
	await app.until(() => !storedNames(service, 'abilities').includes('lamps') && storedNames(service, 'installed').includes('desk'));
	assert.deepEqual(asked(service, isInstallation), ['GET /install-capability/24/']);
});

test('a failure names one next step: the key that tries again, or another way', async (t: TestContext) => {
	const {service, app} = await openHome(t, {screen: 'abilities', size: wide, until: '> on   lamps'});
	await app.press('G').shows('> –    desk');
	const answers = [
		[
			503,
			'It is not known whether desk is installed: The service answered “not today”. The list of installed abilities does not have it, but the change may still arrive. i tries again.',
		],
		[429, 'Could not install desk: Rate limit exceeded: not today. Try again in a minute.'],
		[
			401,
			'Could not install desk: The service refused the API key: not today. It accepts the key elsewhere, so this probably needs a session token of the dashboard. See OPENHOME_JWT in: switchboard help environment',
		],
	] as const;
	for (const [status, text] of answers) {
		service.failNext({...jsonAnswer({detail: 'not today'}, status), when: isInstallation});
		const said = (lines: readonly string[]): string =>
			lines
				.slice(lines.lastIndexOf('', -1) + 1, -1)
				.join('')
				.replaceAll(/ +/g, ' ')
				.trim();
		await app.press('i').shows(lines => said(lines) === `! ${text}`);
	}

	await app.press('i').says('desk is installed.');
});

test('d on Installed asks, and y uninstalls the ability without deleting it', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	assert.deepEqual(boxOf(await app.press('d').says('Uninstall lamps')), [
		'Uninstall lamps?',
		'',
		'It is on.',
		'The ability itself stays.',
		'',
		'y uninstall lamps  n no',
	]);
	await app.press('n').shows(isAnswered);
	assert.deepEqual(asked(service, isRemoval), []);
	await app.press('d').says('Uninstall lamps');
	await app.press('y').shows(says('lamps is uninstalled.'), /^ > on {3}pantry/);
	assert.deepEqual(asked(service, isRemoval), ['DELETE /uninstall-capability/301/']);
	assert.deepEqual(storedNames(service, 'installed'), ['pantry', 'nightwatch']);
	assert.deepEqual(storedNames(service, 'abilities'), ['lamps', 'pantry', 'nightwatch', 'desk']);
});

test('marked abilities are uninstalled after one question; those that failed stay marked', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small, until: '> on   lamps'});
	service.failNext({...jsonAnswer({detail: 'pantry is needed'}, 403), when: ({path}) => path.endsWith('/uninstall-capability/302/')});
	assert.deepEqual((await app.press('a', 'd').says('Uninstall 3 abilities')).slice(0, -1), [
		' Uninstall 3 abilities?',
		'',
		'   lamps: on',
		'   pantry: on',
		'   nightwatch: off',
		'   The abilities themselves stay.',
		'',
		'',
		'',
	]);
	await app.press('y').shows(says('2 of 3 abilities uninstalled; the rest stay marked. d tries again, M shows why.'), /^\*> on {3}pantry/);
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
	await app.press('d').says('Uninstall lamps');
	service.installed.shift();
	const lines = await app.press('y').says('! Could not uninstall lamps: lamps is no longer installed.');
	assert.ok(!says('tries again')(lines), lines.join('\n'));
	await app.press('2').shows('desk');
	service.abilities.pop();
	await app.press('G', 'i').says('! Could not install desk: desk no longer exists.');
});

test('an open record closes when it is uninstalled, and stays open when the answer is no', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('enter', 'd').says('Uninstall lamps');
	await app.press('n').shows(isAnswered, 'Versions');
	assert.deepEqual(asked(service, isRemoval), []);
	assert.ok(includes('[3 Installed]')(await app.press('d', 'y').says('lamps is uninstalled.')));
	assert.deepEqual(asked(service, isRemoval), ['DELETE /uninstall-capability/301/']);
});
