import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {profileMarks} from '../../source/tui/widgets/profile-mark.ts';
import {openUi} from './open-ui.ts';

test('the header marks each profile with its own sign and colour, without colours with the sign alone', async () => {
	const home = createIsolatedHome();
	const folder = path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard');
	await mkdir(folder, {mode: 0o700});
	const names = ['office', 'workshop'];
	// Nothing listens there; the profile is shown all the same.
	const profiles = Object.fromEntries(names.map(name => [name, {baseAddress: 'http://127.0.0.1:1', apiKey: 'sk-0123456789abcdef'}]));
	await writeFile(path.join(folder, 'config.json'), JSON.stringify({profiles, currentProfile: names[0]}), {mode: 0o600});
	const marks = profileMarks(names);
	const codes: Readonly<Record<string, number>> = {
		magenta: 35, blueBright: 94, green: 32, redBright: 91, magentaBright: 95,
	};
	const seen = new Set<string>();
	for (const name of names) {
		const {sign, color} = marks.get(name)!;
		for (const env of [{}, {NO_COLOR: '1'}]) {
			await using ui = openUi(home, {args: ['--profile', name], env});
			const lines = await ui.waitFor('! unreachable');
			assert.ok(lines[0]!.startsWith(` Switchboard  ${sign} ${name} · 127.0.0.1:1  `), lines[0]);
			const isColored = ui.output.includes(`\u{1B}[;1;${codes[color]}m${sign} ${name}`) || ui.output.includes(`\u{1B}[1;${codes[color]}m${sign} ${name}`);
			assert.equal(isColored, Object.keys(env).length === 0, JSON.stringify(ui.output.toString().slice(0, 300)));
			seen.add(lines[0]!.slice(0, 16));
			ui.press('q');
			await ui.exited;
		}
	}

	assert.equal(seen.size, 2);
});
