import {assert, test, type TestContext} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {installedRecord, isToggle, startHome} from '../tui/helpers/homes.ts';
import {openUi, says} from './open-ui.ts';

const notAscii = /[^\t\n -~]/;

test('with --ascii only ASCII is drawn, and every screen is readable', async () => {
	await using ui = openUi(createIsolatedHome(), {args: ['--ascii', '--no-color']});
	const lines = await ui.waitFor('live . 9 of 12 on');
	assert.match(lines[0]!, /^ Switchboard {2}local \. sample data +live \. 9 of 12 on$/);
	assert.match(lines.join('\n'), /^ {3}off {2}nightwatch .* - always listening +5 days$/m);
	assert.match(lines.join('\n'), /^ {3}on {3}shoppinglist .* shopping list, we need to b\.\.\. \d+ hours$/m);
	await ui.press('space').waitFor(says('morninglights', 'off'));
	for (const key of ['?', 'M', '!', ':', 'P']) {
		await ui.press(key).waitFor(shown => !shown[1]!.includes('[3 Installed]'));
		await ui.press('escape').waitFor('[3 Installed]');
	}

	await ui.press('2').waitFor('[2 Abilities]');
	await ui.press('1').waitFor('[1 Agents]');
	assert.equal((await ui.press('q').exited).exitCode, 0);
	// Shift-in, which ends another character set, is a control character of ASCII.
	assert.doesNotMatch(ui.output.toString().replaceAll(/[\u{7}\r\u{F}\u{1B}]/gu, ''), notAscii);
});

test('with LANG=C unknown outcomes are reported in ASCII on exit', async (t: TestContext) => {
	const home = createIsolatedHome();
	const service = await startHome(t, {home: {installed: [installedRecord(301, 'lämpchen – “one”', true)]}});
	await using ui = openUi(home, {env: {LANG: 'C', SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey}});
	await ui.waitFor('reads every 15 s . 1 of 1 on');
	service.hold({when: isToggle});
	await ui.press('space').waitFor('off~');
	await ui.press('q', 'q').exited;
	assert.match(ui.screen().join(' '), /It is not known whether lampchen - "one" is off now/);
});

test('with --ascii commands print only ASCII, but leave JSON unchanged', async () => {
	const home = createIsolatedHome();
	const table = await runCommand(['abilities', '--profile', 'local', '--ascii'], {env: home.env});
	assert.equal(table.exitCode, 0);
	assert.match(table.stdout, /pantry/);
	assert.doesNotMatch(table.stdout + table.stderr, notAscii);
	const failure = await runCommand(['enable', 'Ünknown', '--profile', 'local', '--ascii'], {env: home.env});
	assert.equal(failure.exitCode, 4);
	assert.match(failure.stderr, /"Unknown"/);
	assert.match((await runCommand(['enable', 'Ünknown', '--profile', 'local', '--ascii', '--json'], {env: home.env})).stderr, /“Ünknown”/);
});
