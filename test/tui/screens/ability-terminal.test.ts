import assert from 'node:assert/strict';
import {test} from 'node:test';
import {abilityFolder} from '../../bundle/ability-folder.ts';
import {createIsolatedHome, type IsolatedHome} from '../../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../../helpers/pseudo-terminal.ts';
import {builtProgram} from '../../helpers/run-command.ts';
import {includes, says} from '../helpers/shown.ts';
import {pasteBytes} from '../../helpers/key-bytes.ts';

/** Opens the screens on the bundled service in a real terminal. */
const openAbilities = async (home: IsolatedHome, [columns, rows]: readonly [columns: number, rows: number]): Promise<PseudoTerminal> => {
	const terminal = openPseudoTerminal({
		...builtProgram,
		env: home.env,
		columns,
		rows,
	});
	await terminal.waitFor('live');
	terminal.press('2');
	await terminal.waitFor('[2 Abilities]');
	return terminal;
};

for (const size of [[80, 24], [40, 10]] as const) {
	test(`an ability is uploaded, opened and deleted in a terminal of ${size[0]} by ${size[1]}`, async () => {
		const home = createIsolatedHome();
		const folder = await abilityFolder({'main.py': 'print(1)\n', '__init__.py': '', 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'});
		await using terminal = await openAbilities(home, size);
		// A slow line brings many keys in one chunk: those after U are for the form, and Tab meets the path before it.
		terminal.write(`U${folder.slice(0, -2)}\t`);
		await terminal.waitFor('   Name      beacon');
		terminal.press('ctrl+s');
		await terminal.waitFor(lines => says('installed and on.')(lines) && includes(' > on   beacon')(lines));
		terminal.press('enter');
		await terminal.waitFor(includes('skill: runs on a'));
		terminal.write('d');
		await terminal.waitFor(says('! Delete beacon ('));
		terminal.write(pasteBytes('y') + '\r');
		await terminal.waitFor('Category');
		terminal.write('d');
		await terminal.waitFor(says('! Delete beacon ('));
		terminal.write('y');
		await terminal.waitFor(lines => says('beacon is deleted.')(lines) && !includes(' on   beacon')(lines));
		terminal.press('q');
		const {exitCode} = await terminal.exited;
		assert.equal(exitCode, 0);
	});
}
