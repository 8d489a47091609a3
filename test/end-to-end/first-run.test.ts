import {assert, existsSync, path, readdirSync, test} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {openUi, rowOf, says} from './open-ui.ts';

test('on a fresh machine the sample home is shown, Space switches, q leaves, and the next start shows the change', async () => {
	const home = createIsolatedHome();
	await using first = openUi(home);
	const lines = await first.waitFor('live · 9 of 12 on');
	assert.match(lines[0]!, /Switchboard {2}local · sample data/);
	assert.equal(lines.at(-3), ' Sample data. C connects your own.');
	assert.match(lines[1]!, /1 Agents {2}2 Abilities {2}3 Installed/);
	await first.waitFor(drawn => /^ {3}off {2}nightwatch +Hearth +– always listening/.test(rowOf(drawn, 'nightwatch') ?? ''));
	await first.press('j', 'space').waitFor(says('nightwatch', 'on'));
	await first.waitFor('10 of 12 on');
	assert.equal((await first.press('q').exited).exitCode, 0);
	assert.equal(first.isAlternateScreen, false);

	await using second = openUi(home);
	await second.waitFor(says('nightwatch', 'on'));
	const told = await second.waitFor('live · 10 of 12 on');
	// An existing sample home is not mentioned: no message is shown above the hints.
	assert.equal(told.at(-2), '');
	assert.equal((await second.press('q').exited).exitCode, 0);

	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env: home.env});
	const records = JSON.parse(stdout) as ReadonlyArray<{name: string; enabled: boolean}>;
	assert.equal(records.find(({name}) => name === 'nightwatch')?.enabled, true);
});

test('the first time the bundled service is left, a line says how commands use it too', async () => {
	const hint = 'To use this service in commands too, run: switchboard profiles use local';
	const leave = async (home: IsolatedHome, env: Readonly<Record<string, string>> = {}): Promise<boolean> => {
		await using ui = openUi(home, {env});
		await ui.waitFor('live');
		assert.equal((await ui.press('q').exited).exitCode, 0);
		assert.equal(ui.isAlternateScreen, false);
		return ui.screen().some(line => line.trimEnd() === hint);
	};

	const home = createIsolatedHome();
	// Commands are told by the variable, so there is nothing to say yet.
	assert.equal(await leave(home, {SWITCHBOARD_PROFILE: 'local'}), false);
	assert.equal(await leave(home), true);
	assert.equal(await leave(home), false);
	const other = createIsolatedHome();
	await runCommand(['profiles', 'use', 'local'], {env: other.env});
	assert.equal(await leave(other), false);
});

test('the bundled service is called sample data only while nothing else was chosen', async () => {
	const home = createIsolatedHome();
	const shows = async (text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<void> => {
		await using ui = openUi(home, {args, env});
		const lines = await ui.waitFor(shown => shown[0]!.includes(text) && shown[0]!.includes('live'));
		assert.equal(
			lines.some(line => line.includes('C connects your own.')),
			text === 'sample data',
		);
		await ui.press('q').exited;
	};

	await shows('sample data');
	await shows('this machine', ['--profile', 'local']);
	await shows('this machine', [], {SWITCHBOARD_PROFILE: 'local'});
	await runCommand(['profiles', 'use', 'local'], {env: home.env});
	await shows('this machine');
});

test('keys typed while the program loads are kept, keys in one chunk all act, and a split arrow key acts once', async () => {
	await using ui = openUi(createIsolatedHome());
	await ui.write('jj ').waitFor(says('pantry', 'off'));
	await ui.waitFor(lines => rowOf(lines, 'pantry')!.includes('>'));
	await ui.write('jj').waitFor(lines => rowOf(lines, 'shoppinglist')!.startsWith(' >'));
	// In places where no key can end, so that the rest is waited for.
	for (const part of ['\u{1B}[1', ';1', 'A']) {
		ui.write(part);
	}

	await ui.waitFor(lines => rowOf(lines, 'goodnight')!.startsWith(' >'));
	await ui.write('/light\r ').waitFor(says('morninglights', 'off'));
	await ui.waitFor('/light');
});

test('a first session that is cut off leaves compiled code for the next start', async () => {
	const {
		folder: homeFolder,
		env: {NODE_COMPILE_CACHE: _, ...env},
	} = createIsolatedHome();
	const home = {folder: homeFolder, env};
	const folder = path.join(env['XDG_CACHE_HOME']!, 'switchboard/compile-cache');
	await using first = openUi(home);
	await first.waitFor('live');
	await waitUntil(() => existsSync(folder) && readdirSync(folder, {recursive: true, withFileTypes: true}).some(entry => entry.isFile()));
	first.kill('SIGKILL');
	await first.exited;
	await using second = openUi(home);
	await second.waitFor('live');
});
