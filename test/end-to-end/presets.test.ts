import {assert, path, statSync, test} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {openUi} from './open-ui.ts';

/** What the service keeps on, asked for past the screens. */
async function namesOn({env}: IsolatedHome): Promise<readonly string[]> {
	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env});
	const records = JSON.parse(stdout) as ReadonlyArray<{readonly name: string; readonly enabled: boolean}>;
	return records
		.filter(({enabled}) => enabled)
		.map(({name}) => name)
		.toSorted();
}

async function leave(ui: PseudoTerminal): Promise<void> {
	assert.equal((await ui.press('q').exited).exitCode, 0);
}

test('a preset is saved, outlives the program and other changes, and is applied and taken back, at 40 by 10 without colours', async () => {
	const home = createIsolatedHome();
	const size = {columns: 40, rows: 10, env: {NO_COLOR: '1'}};
	{
		await using ui = openUi(home, size);
		await ui.waitFor('9 of 12 on');
		await ui.write('bs').waitFor('> Name');
		await ui.write('day\r').waitFor('Saved the preset day: 9 on, 3 off.');
		await ui.waitFor('> 1 day  no change     9 on, 3 off');
		ui.press('escape');
		await leave(ui);
	}

	assert.equal(statSync(path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard', 'presets.json')).mode % 0o1000, 0o600);
	const day = await namesOn(home);
	const {exitCode, stderr} = await runCommand(['disable', 'pantry', 'goodnight', 'shoppinglist', '--profile', 'local'], {env: home.env});
	assert.equal(exitCode, 0, stderr);
	assert.equal((await runCommand(['enable', 'deskmusic', '--profile', 'local'], {env: home.env})).exitCode, 0);
	const changed = await namesOn(home);
	assert.equal(changed.length, 7);

	await using ui = openUi(home, size);
	await ui.waitFor('7 of 12 on');
	await ui.press('b').waitFor('> 1 day  4 to change   9 on, 3 off');
	ui.press('enter');
	const lines = await ui.waitFor('y apply');
	assert.deepEqual(
		lines.filter(line => line.startsWith(' ~')),
		[' ~ deskmusic: on → off', ' ~ goodnight: off → on', ' ~ pantry: off → on', ' ~ shoppinglist: off → on'],
	);
	await ui.answer('y', ': 4 switched. u undoes');
	await ui.waitFor('9 of 12 on');
	assert.deepEqual(await namesOn(home), day);
	await ui.press('u').waitFor('Undone: 4 switched back.');
	await ui.waitFor('7 of 12 on');
	assert.deepEqual(await namesOn(home), changed);
	await leave(ui);
	assert.doesNotMatch(ui.output.toString(), /\u{1B}\[(?:\d*;)*3[1-7](?:;\d*)*m/u);
});
