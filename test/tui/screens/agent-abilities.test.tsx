import {assert, test, type TestContext} from '../../helpers/node.ts';
import {isInstallation} from '../helpers/abilities.ts';
import {escapeKeys, includes} from '../helpers/shown.ts';
import {isToggle, jsonAnswer, openApp, openHome, small, startHome, storedState, togglesOf, wide} from '../helpers/kit.ts';

const prompt = ['You look after a house.', ...Array.from({length: 9}, (_, index) => `Rule ${index + 1}.`)].join('\n');

/** Lamps and pantry are on, nightwatch is off, desk is not installed, and 99 is no ability that the service lists. */
const agents = [
	{id: 1, name: 'Hearth', description: prompt, matching_capabilities: [21, 23, 24, 22, 99]},
	{id: 2, name: 'Porch', description: 'You greet guests.', matching_capabilities: []},
];

/** The agent on the screens, opened. */
async function openHearth(t: TestContext, size = wide) {
	const {service, app} = await openHome(t, {home: {agents}, screen: 'agents', size});
	return {service, app, lines: await app.press('enter').shows(' Abilities  2 of 5 on')};
}

test('Space switches the ability under the cursor of an opened agent, and shows it as pending until the answer', async (t: TestContext) => {
	const {service, app} = await openHearth(t);
	const release = service.hold({when: isToggle});
	assert.deepEqual(
		await app.write('j ').shows('on~'),
		[
			' Hearth  #1                                                         environment',
			'',
			' Abilities  3 of 5 on',
			'   on   lamps               skill      lamps please, it is dark       2 days',
			' > on~  nightwatch          daemon     – always listening             2 days',
			'   –    desk                local      open the desk                  2 days',
			'   on   pantry              brain      – the agent decides            2 days',
			'   –    #99                 –          –',
			'',
			' Prompt',
			...prompt.split('\n').map(line => ` ${line}`),
			'',
			'',
			'',
			' esc back  space switch  enter open  c rename  e prompt  t abilities  ? keys',
		].slice(0, 24),
	);
	release();
	await app.shows(' > on   nightwatch');
	assert.deepEqual(
		togglesOf(service).map(({id, body}) => [id, (body as {readonly enabled: boolean}).enabled]),
		[[303, true]],
	);
	assert.equal(storedState(service, 303), true);
	await app.press('D').shows(' > off  nightwatch');
	await app.press('E').shows(' > on   nightwatch');
	await app.until(() => togglesOf(service).length === 3);
	await app.press('u').shows(' > off  nightwatch');
	await app.until(() => storedState(service, 303) === false);
});

test('at 40×10 the abilities come first, and J and K scroll the prompt below them', async (t: TestContext) => {
	const {app, lines} = await openHearth(t, small);
	const head = ' Hearth  #1                 environment';
	const hints = ' esc back  space switch  enter open  ?';
	assert.deepEqual(lines, [
		head,
		' Abilities  2 of 5 on',
		' > on   lamps                skill',
		'   off  nightwatch           daemon',
		'   –    desk                 local',
		' Prompt  1–3 of 10',
		' You look after a house.',
		' Rule 1.',
		' Rule 2.',
		hints,
	]);
	assert.deepEqual(await app.press('J', 'G').shows(' > –    #99'), [
		head,
		' Abilities  2 of 5 on',
		'   –    desk                 local',
		'   on   pantry               brain',
		' > –    #99                  –',
		' Prompt  2–4 of 10',
		' Rule 1.',
		' Rule 2.',
		' Rule 3.',
		hints,
	]);
	await app.press('K').shows(' Prompt  1–3 of 10');
});

test('Enter opens the ability under the cursor, and Escape returns to the agent with the cursor where it was', async (t: TestContext) => {
	const {service, app} = await openHearth(t);
	await app.write('j\r').shows(lines => lines[0]!.startsWith(' nightwatch') && includes(' Agents       Hearth')(lines));
	assert.deepEqual(
		app.state().overlays.map(({kind}) => kind),
		['agent', 'ability'],
	);
	// What is done there is seen here.
	await app.press('space').shows(' State        on');
	await app.until(() => storedState(service, 303) === true);
	assert.ok(includes(' > on   nightwatch')(await app.press('escape').shows('3 of 5 on')));
	// The keys of an installed ability act there as well.
	await app.press('enter').shows(' State        on');
	await app.press('d').shows('Uninstall nightwatch');
	await app.press('escape').shows(' State        on');
});

test('an ability that is not installed names the keys that install it, and they work', async (t: TestContext) => {
	const {service, app} = await openHearth(t);
	await app.write('jj ').says('desk is not installed: Enter opens it, then i installs it.');
	await app.press('E').says('desk is not installed: Enter opens it, then i installs it.');
	assert.deepEqual(togglesOf(service), []);
	await app.press('enter').shows(' State        not installed');
	await app.press('i').until(() => service.requests.some(request => isInstallation(request)));
	await app.shows(' State         on');
	await app.press(...escapeKeys(app)).shows(' > on   desk');
	await app.write('G ').says('#99 cannot be switched: this service does not list it.');
	await app.press('enter').says("This service doesn't list the ability #99.");
	assert.deepEqual(
		app.state().overlays.map(({kind}) => kind),
		['agent'],
	);
});

test("an agent without abilities says so, and so does one whose service doesn't show them", async (t: TestContext) => {
	const {service, app} = await openHome(t, {
		home: {agents: [agents[1], {id: 3, name: 'Cellar', description: 'You are quiet.'}]},
		screen: 'agents',
		size: wide,
	});
	await app.press('enter').shows(' Abilities  none');
	for (const key of ['space', 'E', 'enter']) {
		await app.press(key).says('There is no ability to');
	}

	await app.press('>').shows(lines => lines[0]!.startsWith(' Cellar') && includes(' Abilities  not shown by this service')(lines));
	await app.press('space').says("This service doesn't show which abilities an agent has.");
	assert.deepEqual(togglesOf(service), []);
});

test('unread states are shown as unknown, and are not switched', async (t: TestContext) => {
	const service = await startHome(t, {home: {agents}});
	service.failNext({
		...jsonAnswer({detail: 'out of order'}, 500),
		when: ({path}) => path.endsWith('/get-installed-capabilities/'),
		times: 20,
	});
	const app = await openApp(t, {service, screen: 'agents', size: wide});
	const lines = await app.press('enter').shows(' Abilities  ? of 5 on  ! could not be read');
	assert.ok(includes(' > ?    lamps')(lines), lines.join('\n'));
	await app.press('space').says('! It is not known yet whether lamps is installed: the installed abilities could not be read.');
	assert.deepEqual(togglesOf(service), []);
});

test('the help of an opened agent has its keys, and that of an ability opened from it those of the ability', async (t: TestContext) => {
	const {app} = await openHearth(t, {columns: 99, rows: 110});
	const helpLine = async (text: string): Promise<string> => {
		const lines = await app.press('?', '?').shows(frame => frame[0]!.startsWith(' All keys'));
		await app.press('escape').shows(frame => !frame[0]!.startsWith(' All keys'));
		return lines
			.find(line => line.includes(text))!
			.trim()
			.replace(/^> /, '')
			.replaceAll(/ {2,}/g, ' ');
	};

	assert.equal(await helpLine('switch the ability under the cursor'), 'Space switch the ability under the cursor, or all marked ones');
	await app.press('enter').shows(lines => lines[0]!.startsWith(' lamps'));
	assert.equal(await helpLine('edit the trigger phrases'), 't edit the trigger phrases');
});
