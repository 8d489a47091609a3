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
async function openPrompt(home: IsolatedHome, options: Parameters<typeof openUi>[1] = {}): Promise<PseudoTerminal> {
	const terminal = openUi(home, options);
	await terminal.waitFor('live');
	await terminal.press('1').waitFor('> Hearth');
	await terminal.press('e').waitFor('Prompt of Hearth');
	return terminal;
}

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
	await terminal.press('ctrl+s').waitFor(says('Saved: the prompt of Hearth.'));
	terminal.press('escape', 'e');
	// The list shows the beginning of the prompt, too.
	await terminal.waitFor(shown => shown.slice(2, 5).join('\n') === lines.slice(2, 5).join('\n'));
	assert.equal((await terminal.press('ctrl+c').exited).exitCode, 0);
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
	await next.press('1').waitFor('> Hearth');
	await next.press('e').waitFor(' Half typed. You are Hearth');
	await next.press('ctrl+s').waitFor(says('Saved: the prompt of Hearth.'));
	assert.equal(keptTextIn(promptFolderOf(home)), undefined);
	assert.equal((await next.press('q').exited).exitCode, 0);
});

for (const [signal, exitCode] of [
	['SIGTERM', 143],
	['SIGHUP', 129],
] as const) {
	test(`${signal} keeps every character typed before it`, {skip}, async () => {
		const home = createIsolatedHome();
		await using terminal = await openPrompt(home, {columns: 120});
		await terminal.write('Half typed. ').waitFor(' Half typed. ');
		terminal.kill(signal);
		assert.equal((await terminal.exited).exitCode, exitCode);
		assert.match(keptTextIn(promptFolderOf(home))!, /^Half typed\. You are Hearth/);
		assert.match(terminal.screen().join(''), /Your text is kept in ~\/\S+\.md, not saved:\s?Switchboard ended before you saved it\./);
	});
}

test('for a screen reader the line under the cursor is read, and typing is echoed', async () => {
	await using terminal = openUi(createIsolatedHome(), {env: {TERM: 'dumb'}});
	await terminal.waitFor('live');
	await terminal.press('1').waitFor('> Hearth');
	await terminal.press('e').waitFor(/^Prompt of Hearth/m);
	await terminal.waitFor(/^> \|You are Hearth/m);
	await terminal.press('enter', 'up').waitFor(/^> empty line$/m);
	await terminal.write('Be brief.').waitFor(/^> Be brief\.$/m);
	await terminal.press('backspace').waitFor(/^> Be brief$/m);
	await terminal.press('left').waitFor(/^> Be brie\|f$/m);
	assert.equal((await terminal.press('ctrl+c').exited).exitCode, 0);
});
