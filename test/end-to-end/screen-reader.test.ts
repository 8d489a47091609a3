import {assert, assertSome, test, type TestContext} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {startLiveLikeService} from '../helpers/live-like-service.ts';
import {startHome} from '../tui/helpers/homes.ts';
import {openUi} from './open-ui.ts';

/** Waits until the terminal's cursor is on this line. */
async function cursorOn(ui: PseudoTerminal, line: RegExp): Promise<void> {
	await ui.waitFor(lines => line.test(lines[ui.cursor.row] ?? ''));
}

test("with ACCESSIBLE=1 text is only appended, and the terminal's cursor is on the selected row", async () => {
	const home = createIsolatedHome();
	await using ui = openUi(home, {rows: 40, env: {ACCESSIBLE: '1'}});
	await cursorOn(ui, /^> on morninglights, skill/);
	const lines = ui.screen();
	assert.ok(lines.includes('1 Agents, 2 Abilities, [3 Installed]'), lines.join('\n'));
	assert.ok(lines.includes('  off nightwatch, daemon, 5 days'), lines.join('\n'));
	assertSome(lines, line => line.startsWith('Keys: space switch, / filter, enter open'));
	assert.equal(ui.cursor.isHidden, false);
	ui.press('j');
	await cursorOn(ui, /^> off nightwatch, daemon, 5 days$/);
	ui.press('space');
	await cursorOn(ui, /^> on nightwatch, daemon, now$/);
	assert.ok(ui.screen().includes('> on nightwatch, not confirmed yet, daemon, 5 days'));
	ui.press('/', 'p', 'a', 'n');
	await cursorOn(ui, /^> \/pan$/);
	await ui.waitFor(/, 1 of 12$/m);
	ui.press('enter');
	await cursorOn(ui, /^> on pantry, brain, 1 week$/);
	assert.equal(ui.isAlternateScreen, false);
	assert.equal((await ui.press('q').exited).exitCode, 0);
	// Bracketed paste and the restored modes at the end: no other sequence is sent.
	const sequences = new Set(ui.output.toString().match(/\u{1B}(?:\[[\d;?]*[@-~]|.)/gu));
	assert.deepEqual([...sequences].toSorted(), ['\u{1B}[?2004h', '\u{1B}[?2004l', '\u{1B}[?25h', '\u{1B}[?7h', '\u{1B}[m']);

	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env: home.env});
	const records = JSON.parse(stdout) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
	assert.equal(records.find(({name}) => name === 'nightwatch')?.enabled, true);
});

test('details, questions, the help and forms are read in words, and Ctrl+L reads the whole screen again', async () => {
	await using ui = openUi(createIsolatedHome(), {columns: 120, rows: 100, env: {ACCESSIBLE: '1'}});
	await cursorOn(ui, /^> on morninglights/);
	// News comes after the row under the cursor, and is delayed.
	await ui.waitFor('sample data, live');
	await ui.press('J').waitFor('No details beside the list in a screen reader. Enter opens them.');
	await cursorOn(ui, /^> on morninglights/);
	assert.ok(ui.screen().every(line => !line.includes('columns')));

	// A question is on its own lines, without a box or the screen below.
	const beforeQuestion = ui.mark();
	await ui.press('d').waitFor('Keys: y uninstall morninglights, n no');
	await ui.waitFor('The ability itself stays.');
	const said = ui
		.bytesSince(beforeQuestion)
		.toString()
		.replaceAll('\r', '')
		.split('\n')
		.filter(line => line.trim() !== '');
	assert.deepEqual(said.toSorted(), [
		'It is on.',
		'Keys: y uninstall morninglights, n no',
		'The ability itself stays.',
		'Uninstall morninglights?',
	]);
	ui.press('n');
	await cursorOn(ui, /^> on morninglights/);
	const counts = (): number => ui.screen().filter(line => line.startsWith('  off nightwatch')).length;
	const countBefore = counts();
	await ui.press('ctrl+l').waitFor(() => counts() === countBefore + 1);
	await cursorOn(ui, /^> on morninglights/);

	// The help is read once, in one column; then only the key under the cursor is.
	await ui.press('?').waitFor('  Ctrl+D: move down half a page');
	await cursorOn(ui, /^> j or Down: move down one row$/);
	ui.press('j');
	await cursorOn(ui, /^> k or Up: move up one row$/);
	ui.press('?');
	// Longer than a line of the visual UI.
	const long = 'd: on Abilities: delete the ability under the cursor, or all marked ones, after confirmation';
	await ui.waitFor('  E: switch on the ability under the cursor or all marked ones');
	await cursorOn(ui, /^> Space: switch the ability under the cursor, or all marked ones$/);
	ui.press('G');
	await cursorOn(ui, /^> f: on Agents: show the agent's abilities on the Installed screen$/);
	await ui.write('/abilities: delete\r').waitFor(`> ${long}`);
	ui.press('escape');
	await cursorOn(ui, /^> Space: switch the ability/);
	ui.press('escape');
	await cursorOn(ui, /^> on morninglights/);

	// Text typed into a form is echoed on its line, the API key as stars.
	ui.press('P', 'j', 'enter');
	await cursorOn(ui, /^> Address https:\/\/app\.openhome\.com$/);
	ui.press('ctrl+u');
	await cursorOn(ui, /^> Address/);
	const beforeForm = ui.mark();
	ui.write('http://127.0.0.1:1');
	await cursorOn(ui, /^> Address http:\/\/127\.0\.0\.1:1$/);
	ui.press('enter');
	ui.write('secret-key-0123');
	await cursorOn(ui, /^> API key \*{15}$/);
	await ui.press('enter').waitFor('could not be reached');
	assert.ok(!ui.bytesSince(beforeForm).includes('secret'));
	const beforeLeaving = ui.mark();
	await ui.press('escape').waitFor(() => ui.bytesSince(beforeLeaving).includes('Leave without'));
	ui.press('n');
	await cursorOn(ui, /^> Address/);
});

test('an unreachable service is reported once', async (t: TestContext) => {
	const home = createIsolatedHome();
	const service = await startHome(t);
	const {apiKey, installed} = service;
	const port = Number(new URL(service.baseAddress).port);
	await using ui = openUi(home, {
		rows: 40,
		env: {ACCESSIBLE: '1', SWITCHBOARD_BASE_URL: `http://127.0.0.1:${port}`, SWITCHBOARD_API_KEY: apiKey},
	});
	await cursorOn(ui, /^> on lamps/);
	await service.close();
	ui.press('r');

	await ui.waitFor('! unreachable');
	await ui.waitFor('> on lamps');
	const mark = ui.mark();
	await ui.press('r').waitFor(() => ui.bytesSince(mark).includes('Refreshing the list'));
	const revived = await startLiveLikeService({port, apiKey, home: {installed}});
	t.after(async () => revived.close());
	await ui.waitFor(() => ui.bytesSince(mark).includes(', reads every 15 s'));
	await cursorOn(ui, /^> on lamps/);
	assert.doesNotMatch(ui.bytesSince(mark).toString(), /retrying|unreachable|could not be read/);
});
