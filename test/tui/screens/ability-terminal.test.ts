import {assert, test} from '../../helpers/node.ts';
import {createIsolatedHome} from '../../helpers/isolated-home.ts';
import {openPseudoTerminal} from '../../helpers/pseudo-terminal.ts';
import {builtProgram} from '../../helpers/run-command.ts';
import {keyBytes, pasteBytes} from '../../helpers/key-bytes.ts';
import {abilityFolder, includes, says} from '../helpers/kit.ts';

test('an ability is uploaded, opened and deleted in a real terminal', async () => {
	const folder = await abilityFolder({
		'main.py': 'print(1)\n',
		'__init__.py': '',
		'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}',
	});
	await using terminal = openPseudoTerminal({...builtProgram, env: {...createIsolatedHome().env, NO_COLOR: '1'}, columns: 40, rows: 10});
	await terminal.waitFor('live');
	terminal.press('2');
	await terminal.waitFor('[2 Abilities]');
	terminal.press('U');
	await terminal.waitFor('Path');
	// A slow line brings many keys in one chunk: Tab meets the path before it.
	terminal.write(`${folder.slice(0, -2)}\t`);
	await terminal.waitFor('   Name      beacon');
	terminal.press('ctrl+s');
	await terminal.waitFor(lines => says('installed and on.')(lines) && includes(' > on   beacon')(lines));
	terminal.press('enter');
	await terminal.waitFor(includes('skill: runs on a'));
	// Keys that came with d, a paste, and another word are no answer.
	terminal.write('ddelete\r');
	await terminal.waitFor(lines => says('! Delete beacon?')(lines) && includes(' type delete: _ ')(lines));
	terminal.write(`${pasteBytes('delete\r')}dell\r`);
	await terminal.waitFor(lines => says('? Type delete, then press Enter.')(lines) && includes(' type delete: dell_ ')(lines));
	terminal.write(`${keyBytes('backspace')}ete`);
	await terminal.waitFor(' type delete: delete_  enter  esc no');
	await terminal.answer('enter', lines => says('beacon is deleted.')(lines) && !includes(' on   beacon')(lines));
	terminal.press('q');
	const {exitCode} = await terminal.exited;
	assert.equal(exitCode, 0);
});
