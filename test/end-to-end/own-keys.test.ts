import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {openUi, says} from './open-ui.ts';

const writeSettings = async (home: IsolatedHome, text: string): Promise<string> => {
	const folder = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard');
	await mkdir(folder, {mode: 0o700});
	const file = path.join(folder, 'config.json');
	await writeFile(file, text, {mode: 0o600});
	return file;
};

test('keys in the settings replace the defaults, also in the hints and the help', async () => {
	const home = createIsolatedHome();
	await writeSettings(home, '{"keys": {"toggle": ["t", "ctrl+t"], "edit-phrases": null, "quit": "Q"}}');
	await using ui = openUi(home);
	const lines = await ui.waitFor('live · 12 installed, 9 on');
	assert.match(lines.at(-1)!, /^ t switch .* Q quit/);
	ui.press('space');
	ui.press('t');
	await ui.waitFor(says('morninglights', 'off'));
	ui.press('ctrl+t');
	await ui.waitFor(says('morninglights', 'on'));
	ui.press('?');
	await ui.waitFor(/ t, Ctrl\+T +switch the ability/);
	ui.press('escape', 'q', 'Q');
	assert.equal((await ui.exited).exitCode, 0);
});

test('invalid key bindings are reported at start-up with their line, and the rest are used', async () => {
	const home = createIsolatedHome();
	const file = await writeSettings(home, '{\n\t"keys": {\n\t\t"toglle": "t",\n\t\t"help": "h",\n\t\t"refresh": ["f5", "h"],\n\t\t"quit": null\n\t}\n}\n');
	await using ui = openUi(home, {columns: 200});
	const lines = await ui.waitFor('lists every action.');
	const said = lines.map(line => line.trim()).join(' ');
	assert.ok(said.includes(`! Ignored key bindings in ${file}: line 3: unknown action “toglle”; line 5: “refresh” cannot use h, the key of “help”. M shows all of this; the palette (:) lists every action.`), said);
	await ui.waitFor('live');
	ui.press('space');
	await ui.waitFor(says('morninglights', 'off'));
	ui.press('h');
	await ui.waitFor(' Keys');
	ui.press('escape', 'ctrl+c');
	assert.equal((await ui.exited).exitCode, 0);
});

test('a default key that is bound to another action does that, and the help says so', async () => {
	const home = createIsolatedHome();
	await writeSettings(home, '{"keys": {"toggle": ["x", "k"]}}');
	await using ui = openUi(home);
	const lines = await ui.waitFor('live · 12 installed, 9 on');
	assert.match(lines.at(-1)!, /^ x switch /);
	assert.doesNotMatch(lines.join('\n'), /Ignored|mark/);
	ui.press('x');
	await ui.waitFor(says('morninglights', 'off'));
	// `up` keeps its other key.
	ui.press('down', 'up', 'k');
	await ui.waitFor(says('morninglights', 'on'));
	ui.press('?');
	await ui.waitFor(/ x, k +switch the ability/);
	ui.press('escape', 'q');
	assert.equal((await ui.exited).exitCode, 0);
});
