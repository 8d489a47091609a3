import {assert, path, process, suite, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';

const open = (...words: readonly string[]): PseudoTerminal =>
	openPseudoTerminal({
		command: process.execPath,
		args: [path.join(import.meta.dirname, 'fixtures/early-screen.ts'), ...words],
		env: createIsolatedHome().env,
	});

function assertGivenBack(terminal: PseudoTerminal): void {
	assert.equal(terminal.isAlternateScreen, false);
	assert.equal(terminal.cursor.isHidden, false);
	assert.match(terminal.output.toString(), /\[\?2004l/);
}

suite('a screen that is shown before the UI is loaded', () => {
	test('ends with the program by a signal, and gives the terminal back', async () => {
		await using terminal = open();
		await terminal.waitFor('early');
		assert.equal(terminal.isAlternateScreen, true);
		terminal.kill('SIGTERM');
		assert.equal((await terminal.exited).exitCode, 143);
		assertGivenBack(terminal);
	});

	test('gives the terminal back if no UI opens', async () => {
		await using terminal = open('release');
		assert.equal((await terminal.exited).exitCode, 0);
		assertGivenBack(terminal);
	});
});
