import {assert, process, test, type TestContext} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {isToggle, startHome, storedState} from '../tui/helpers/homes.ts';
import {pasteBytes} from '../helpers/key-bytes.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {says} from './open-ui.ts';

test('keys typed while leaving waits reach neither the screens nor the shell', {
	skip: process.platform === 'win32',
}, async (t: TestContext) => {
	const service = await startHome(t);
	await using terminal = openPseudoTerminal({
		command: '/bin/sh',
		args: ['-c', `'${process.execPath}' '${programFile}'; echo "left with $?"; read line; echo "got <$line>"`],
		env: {...createIsolatedHome().env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey},
	});
	await terminal.waitFor(isFresh);
	const release = service.hold({when: isToggle});
	await terminal.press('space').waitFor(says('lamps', 'off~'));
	await terminal.write('q').waitFor(' Quitting once 1 change finishes.');
	terminal.write('jx echo harmful\r');
	terminal.write(pasteBytes('pasted\r'));
	terminal.press('down', 'ctrl+l');
	// The last of them has been read once the screens respond to Escape.
	await terminal.press('escape').waitFor('Quitting was cancelled.');
	await terminal.press('q').waitFor(' Quitting once 1 change finishes.');
	terminal.write('jx echo harmful\r');
	release();
	await terminal.waitFor('left with 0');
	assert.equal(storedState(service, 301), false);
	await terminal.write('wanted\r').waitFor('got <wanted>');
	assert.equal((await terminal.exited).exitCode, 0);
});
