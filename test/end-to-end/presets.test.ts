import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {openUi, says} from './open-ui.ts';

/** What the service keeps on, asked for past the screens. */
const namesOn = async ({env}: IsolatedHome): Promise<readonly string[]> => {
	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env});
	const records = JSON.parse(stdout) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
	return records.filter(({enabled}) => enabled).map(({name}) => name).toSorted();
};

const leave = async (ui: PseudoTerminal): Promise<void> => {
	ui.press('q');
	assert.equal((await ui.exited).exitCode, 0);
};

for (const [columns, rows, env] of [[80, 24, {}], [40, 10, {NO_COLOR: '1'}]] as const) {
	test(`a preset is saved, outlives the program and other changes, and is applied and taken back at ${columns} by ${rows}`, async () => {
		const home = createIsolatedHome();
		const size = {columns, rows, env};
		{
			await using ui = openUi(home, size);
			await ui.waitFor('12 installed, 9 on');
			ui.write('bs');
			await ui.waitFor('> Name');
			ui.write('day\r');
			await ui.waitFor('Saved the preset day: 9 on, 3 off.');
			await ui.waitFor('> day  no change     9 on, 3 off');
			ui.press('escape');
			await leave(ui);
		}

		assert.equal(statSync(path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard', 'presets.json')).mode % 0o1000, 0o600);
		const day = await namesOn(home);
		const {exitCode, stderr} = await runCommand(['disable', 'pantry', 'goodnight', 'shoppinglist', '--profile', 'local'], {env: home.env});
		assert.equal(exitCode, 0, stderr);
		const {exitCode: enabled} = await runCommand(['enable', 'deskmusic', '--profile', 'local'], {env: home.env});
		assert.equal(enabled, 0);
		const changed = await namesOn(home);
		assert.equal(changed.length, 7);

		await using ui = openUi(home, size);
		await ui.waitFor('12 installed, 7 on');
		ui.press('b');
		await ui.waitFor('> day  4 to change   9 on, 3 off');
		ui.press('enter');
		const lines = await ui.waitFor('y apply');
		assert.deepEqual(lines.filter(line => line.startsWith(' ~')), [
			' ~ deskmusic: on → off',
			' ~ goodnight: off → on',
			' ~ pantry: off → on',
			' ~ shoppinglist: off → on',
		]);
		ui.press('y');
		await ui.waitFor('Preset: 4 switched.');
		await ui.waitFor('12 installed, 9 on');
		assert.deepEqual(await namesOn(home), day);
		ui.press('u');
		await ui.waitFor('Undone: 4 switched back.');
		await ui.waitFor('12 installed, 7 on');
		assert.deepEqual(await namesOn(home), changed);
		await leave(ui);
		if ('NO_COLOR' in env) {
			assert.doesNotMatch(ui.output.toString(), /\u{1B}\[(?:\d*;)*3[1-7](?:;\d*)*m/u);
		}
	});
}

test('with --ascii presets are drawn in ASCII', async () => {
	const home = createIsolatedHome();
	await using ui = openUi(home, {args: ['--ascii']});
	await ui.waitFor('12 installed, 9 on');
	ui.write('bs');
	await ui.waitFor('> Name');
	ui.write('day\r');
	await ui.waitFor('> day  no change');
	ui.press('escape', 'space');
	await ui.waitFor(says('morninglights', 'off'));
	ui.press('b', 'enter');
	await ui.waitFor(' ~ morninglights: off > on');
	ui.press('n', 'd');
	await ui.waitFor('! Delete the preset day? This cannot be undone.');
	assert.doesNotMatch(ui.output.toString().replaceAll(/[\u{7}\r\u{1B}]/gu, ''), /[^\t\n -~]/);
});

test('a screen reader is told the presets, what one would change, and how to answer', async () => {
	const home = createIsolatedHome();
	await using ui = openUi(home, {rows: 60, env: {ACCESSIBLE: '1'}});
	await ui.waitFor('> on morninglights');
	ui.press('b');
	await ui.waitFor('No presets yet.');
	ui.press('s');
	await ui.waitFor('Save the present state as a preset');
	ui.write('day\r');
	await ui.waitFor('Saved the preset day: 9 on, 3 off.');
	await ui.waitFor('> day, no change, 9 on, 3 off');
	ui.press('escape', 'space');
	await ui.waitFor(/^> off morninglights, skill, .*, now$/m);
	ui.press('b');
	await ui.waitFor('> day, 1 to change, 9 on, 3 off');
	ui.press('enter');
	await ui.waitFor('Apply day?');
	await ui.waitFor('1 to change, 11 unchanged');
	await ui.waitFor('~ morninglights: off → on');
	await ui.waitFor('Keys: y apply, n no');
	ui.press('y');
	await ui.waitFor('Preset: morninglights is on.');
	await leave(ui);
});
