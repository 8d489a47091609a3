import {assert, process, test} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {keptTextIn, promptFolderOf} from '../helpers/kept-text.ts';
import {pasteBytes} from '../helpers/key-bytes.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {says} from '../tui/helpers/shown.ts';
import {openUi} from './open-ui.ts';

const skip = process.platform === 'win32';

/** Opens the prompt of the first agent of the sample home, with no editor set. */
const openPrompt = async (home: IsolatedHome, options: Parameters<typeof openUi>[1] = {}): Promise<PseudoTerminal> => {
	const terminal = openUi(home, options);
	await terminal.waitFor('live');
	terminal.press('1');
	await terminal.waitFor('> Hearth');
	terminal.press('e');
	await terminal.waitFor('Prompt of Hearth');
	return terminal;
};

test('the prompt is edited without another program, and saved', async () => {
	const home = createIsolatedHome();
	await using terminal = await openPrompt(home);
	// Wide characters, then a paste, then ten keys at once; Home goes back before all of them.
	terminal.write('漢字 ');
	terminal.write(pasteBytes('Be brief.\nAlways.\n'));
	terminal.write('0123456789\r\u{1B}[A\u{1B}[H.');
	const lines = await terminal.waitFor('.0123456789');
	assert.deepEqual(lines.slice(2, 5), [' 漢字 Be brief.', ' Always.', ' .0123456789']);
	assert.ok(terminal.isAlternateScreen);
	terminal.press('ctrl+s');
	await terminal.waitFor(says('Saved: the prompt of Hearth.'));
	terminal.press('escape', 'e');
	// The list shows the beginning of the prompt, too.
	await terminal.waitFor(shown => shown.slice(2, 5).join('\n') === lines.slice(2, 5).join('\n'));
	terminal.press('ctrl+c');
	assert.equal((await terminal.exited).exitCode, 0);
	assert.equal(keptTextIn(promptFolderOf(home)), undefined);
});

test('a program that is killed leaves the text, and the next one offers it', {skip}, async () => {
	const home = createIsolatedHome();
	const terminal = await openPrompt(home);
	terminal.write('Half typed. ');
	await waitUntil(() => keptTextIn(promptFolderOf(home))?.startsWith('Half typed. You are Hearth') === true);
	terminal.kill('SIGKILL');
	await terminal.exited;
	const next = openUi(home);
	await next.waitFor(says('Your unsaved text for the prompt of Hearth is kept. On Agents, e edits it again.'));
	next.press('1');
	await next.waitFor('> Hearth');
	next.press('e');
	await next.waitFor(' Half typed. You are Hearth');
	next.press('ctrl+s');
	await next.waitFor(says('Saved: the prompt of Hearth.'));
	assert.equal(keptTextIn(promptFolderOf(home)), undefined);
	next.press('q');
	assert.equal((await next.exited).exitCode, 0);
});

for (const [signal, exitCode] of [
	['SIGTERM', 143],
	['SIGHUP', 129],
] as const) {
	test(`${signal} keeps every character typed before it`, {skip}, async () => {
		const home = createIsolatedHome();
		await using terminal = await openPrompt(home, {columns: 120});
		terminal.write('Half typed. ');
		await terminal.waitFor(' Half typed. ');
		terminal.kill(signal);
		assert.equal((await terminal.exited).exitCode, exitCode);
		assert.match(keptTextIn(promptFolderOf(home))!, /^Half typed\. You are Hearth/);
		assert.match(terminal.screen().join(''), /Your text is kept in ~\/\S+\.md, not saved:\s?Switchboard ended before you saved it\./);
	});
}

test('for a screen reader the line under the cursor is read, and typing is echoed', async () => {
	const home = createIsolatedHome();
	await using terminal = openUi(home, {env: {TERM: 'dumb'}});
	await terminal.waitFor('live');
	terminal.press('1');
	await terminal.waitFor('> Hearth');
	terminal.press('e');
	await terminal.waitFor(/^Prompt of Hearth/m);
	await terminal.waitFor(/^> \|You are Hearth/m);
	terminal.press('enter', 'up');
	await terminal.waitFor(/^> empty line$/m);
	terminal.write('Be brief.');
	await terminal.waitFor(/^> Be brief\.$/m);
	terminal.press('backspace');
	await terminal.waitFor(/^> Be brief$/m);
	terminal.press('left');
	await terminal.waitFor(/^> Be brie\|f$/m);
	terminal.press('ctrl+c');
	assert.equal((await terminal.exited).exitCode, 0);
});
