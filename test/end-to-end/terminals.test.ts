import {assert, process, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openUi, rowOf, says} from './open-ui.ts';

test('the UI draws under CI=1; under NO_COLOR without colours, but with attributes: a field shows its cursor', async () => {
	await using ui = openUi(createIsolatedHome(), {env: {CI: '1', NO_COLOR: '1'}});
	await ui.waitFor('live');
	const before = ui.mark();
	ui.press('P', 'j', 'enter');
	// Not the menu's line of that name: a key right after Enter looks like a pasted text.
	await ui.waitFor('> Address');
	await ui.press('a').waitFor('> Address  a');
	assert.match(ui.bytesSince(before).toString(), /\u{1B}\[(?:\d+;)*7m/u);
	assert.doesNotMatch(ui.output.toString(), /\u{1B}\[[\d;]*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)(?:;[\d;]*)?m/u);
});

test('40 columns and 10 rows are usable, and every resize ends with a correct screen', async () => {
	await using ui = openUi(createIsolatedHome(), {columns: 40, rows: 10});
	await ui.waitFor('morninglights');
	await ui.press('G', 'space').waitFor(says('printerqueue', 'on'));
	for (const [columns, rows] of [
		[80, 24],
		[60, 24],
		[40, 24],
		[100, 24],
		[80, 10],
		[200, 60],
		[80, 24],
	] as const) {
		await ui
			.resize(columns, rows)
			.waitFor(
				lines =>
					lines.length === rows &&
					/^ (?:Switchboard {2})?local/.test(lines[0]!) &&
					lines.every(line => line.length <= columns) &&
					rowOf(lines, 'printerqueue')?.startsWith(' >') === true &&
					(rows < 14 || lines.at(-1)!.includes(' space switch')),
			);
	}
});

test('a toggle sends few bytes, and an idle screen sends none', async () => {
	await using ui = openUi(createIsolatedHome());
	await ui.waitFor('live');
	// The first switch changes the age of the row as well.
	await ui.press('space').waitFor('8 of 12 on');
	// It is also the first of the changes beneath the list, which have a heading.
	await ui.waitFor('on → off');
	const before = ui.mark();
	await ui.press('space').waitFor('9 of 12 on');
	assert.ok(ui.bytesSince(before).length <= 300, `${ui.bytesSince(before).length} bytes`);
});

test('a signal ends the program cleanly: the selected row is remembered, and the exit code tells the signal', async () => {
	for (const [signal, exitCode] of [
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGQUIT', 131],
	] as const) {
		const home = createIsolatedHome();
		await using before = openUi(home);
		await before.waitFor(' of 12 on');
		await before.press('G').waitFor('> off  printerqueue');
		process.kill(before.pid, signal);
		assert.deepEqual(await before.exited, {exitCode, signal: undefined});
		await using after = openUi(home);
		await after.waitFor(' of 12 on');
		await after.waitFor('> off  printerqueue');
	}
});

test('a file of certificates that cannot be read is reported before the screen is drawn, not on it', async () => {
	await using ui = openUi(createIsolatedHome(), {env: {NODE_EXTRA_CA_CERTS: '/missing.pem'}});
	await ui.waitFor('live');
	const output = ui.output.toString();
	const warning = output.indexOf('missing.pem');
	assert.notEqual(warning, -1);
	assert.ok(warning < output.indexOf('\u{1B}[?1049h'), output.slice(0, 500));
	assert.equal(output.lastIndexOf('missing.pem'), warning);
	await ui.press('q').exited;
});
