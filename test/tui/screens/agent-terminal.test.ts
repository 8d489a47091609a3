import {assert, chmodSync, path, process, test, writeFileSync} from '../../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../../helpers/pseudo-terminal.ts';
import {builtProgram} from '../../helpers/run-command.ts';
import {says} from '../helpers/shown.ts';

/** Opens the screens on the bundled service in a real terminal, with a shell script as the person's editor. */
async function openAgent(home: IsolatedHome, script: string): Promise<PseudoTerminal> {
	const editor = path.join(home.folder, 'my editor');
	writeFileSync(editor, `#!/bin/sh\n${script}\n`);
	chmodSync(editor, 0o755);
	const terminal = openPseudoTerminal({...builtProgram, env: {...home.env, VISUAL: `'${editor}' -x`, NO_COLOR: '1'}});
	await terminal.waitFor('live');
	terminal.press('1');
	await terminal.waitFor('> Hearth');
	terminal.press('enter');
	await terminal.waitFor(/Abilities {2}5 of 6 on$/m);
	return terminal;
}

const describeTerminal = String.raw`stty -a | tr " ;" "\n\n" | grep -x -e "-\{0,1\}icanon" -e "-\{0,1\}echo" | tr "\n" " "`;

test('the screens step aside for the editor, which has the terminal as a shell has it, and come back as they were', {
	skip: process.platform === 'win32',
}, async () => {
	const home = createIsolatedHome();
	await using terminal = await openAgent(home, `${describeTerminal}; echo ready; read line; echo "$line" >> "$2"`);
	terminal.press('J');
	const before = await terminal.waitFor('6–16 of 19');
	terminal.press('e');
	const lines = await terminal.waitFor('ready');
	assert.deepEqual(lines[0]!.split(' ').toSorted(), ['echo', 'icanon', 'ready']);
	assert.equal(terminal.isAlternateScreen, false);
	terminal.write('Be brief, always.\r');
	const after = await terminal.waitFor('Saved: the prompt of Hearth.');
	assert.equal(terminal.isAlternateScreen, true);
	assert.deepEqual(
		after.map(line => line.replace('of 20', 'of 19').replace(' Saved: the prompt of Hearth.', '')),
		before,
	);
	terminal.write('JJJ');
	await terminal.waitFor('Be brief, always.');
	// Keys of one chunk reach the field that the first of them opens.
	terminal.write('c II\r');
	await terminal.waitFor('Saved: the agent is called Hearth II.');
	terminal.press('ctrl+c');
	assert.equal((await terminal.exited).exitCode, 0);
});

test('Ctrl+C in the editor ends the editor alone', {skip: process.platform === 'win32'}, async () => {
	const home = createIsolatedHome();
	await using terminal = await openAgent(home, 'echo ready; read line');
	terminal.press('e');
	await terminal.waitFor('ready');
	terminal.press('ctrl+c');
	await terminal.waitFor(says('my editor ended with SIGINT. e tries again.'));
	terminal.press('escape');
	await terminal.waitFor(lines => !says('SIGINT')(lines));
	terminal.press('escape');
	await terminal.waitFor('[1 Agents]');
});
