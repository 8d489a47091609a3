import {assert, mkdir, path, test, writeFile} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openUi, says} from './open-ui.ts';

test('keys in the settings replace the defaults, also in the hints and the help; those that are not valid are reported with their line', async () => {
	const home = createIsolatedHome();
	const folder = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard');
	await mkdir(folder, {mode: 0o700});
	const file = path.join(folder, 'config.json');
	await writeFile(
		file,
		'{\n"keys": {\n"toglle": "x",\n"toggle": ["t", "ctrl+t"], "edit-phrases": null, "quit": "Q",\n"refresh": ["f5", "Q"]\n}\n}\n',
		{mode: 0o600},
	);
	await using ui = openUi(home, {columns: 200});
	const lines = await ui.waitFor('lists every action.');
	const said = lines.map(line => line.trim()).join(' ');
	assert.ok(
		said.includes(
			`! Ignored key bindings in ${file}: line 3: unknown action “toglle”; line 5: “refresh” cannot use Q, the key of “quit”. M shows`,
		),
		said,
	);
	assert.match((await ui.waitFor('live · 9 of 12 on')).at(-1)!, /^ t switch .* Q quit/);
	await ui.press('space', 't').waitFor(says('morninglights', 'off'));
	await ui.press('ctrl+t').waitFor(says('morninglights', 'on'));
	await ui.press('?', '?').waitFor(/ t, Ctrl\+T +switch the ability/);
	assert.equal((await ui.press('escape', 'q', 'Q').exited).exitCode, 0);
});
