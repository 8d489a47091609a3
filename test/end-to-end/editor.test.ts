import {assert, chmodSync, existsSync, path, process, readdirSync, readFileSync, test, writeFileSync} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {keptTextIn, promptFolderOf} from '../helpers/kept-text.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {says} from '../tui/helpers/shown.ts';
import {openUi} from './open-ui.ts';

const skip = process.platform === 'win32';

const editorOf = (home: IsolatedHome): string => path.join(home.folder, 'my editor');

const open = (home: IsolatedHome): PseudoTerminal => openUi(home, {env: {VISUAL: `'${editorOf(home)}'`}, columns: 120});

/** Sets a shell script as the editor. */
function useEditor(home: IsolatedHome, script: string): void {
	writeFileSync(editorOf(home), `#!/bin/sh\n${script}\n`);
	chmodSync(editorOf(home), 0o755);
}

/** An editor that stores a text, and records when a signal ends it. */
const patientEditor = `
	trap 'echo TERM > "$HOME/told"; exit 0' TERM
	trap 'echo HUP > "$HOME/told"; exit 0' HUP
	echo "You are half edited." > "$1"
	echo ready
	while :; do sleep 0.05; done
`;

async function openEditor(home: IsolatedHome, script: string): Promise<PseudoTerminal> {
	useEditor(home, script);
	const terminal = open(home);
	await terminal.waitFor('live');
	await terminal.press('1').waitFor('> Hearth');
	await terminal.press('e').waitFor('ready');
	return terminal;
}

function told(home: IsolatedHome): string | undefined {
	const file = path.join(home.folder, 'told');
	return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** The next start offers the text, and the key that it names opens it again. */
async function goOn(home: IsolatedHome): Promise<void> {
	useEditor(home, 'cat "$1" > "$HOME/found"; echo "You are whole." > "$1"');
	await using next = open(home);
	await next.waitFor(says('Your unsaved text for the prompt of Hearth is kept. On Agents, e edits it again.'));
	await next.press('1').waitFor('> Hearth');
	await next.press('e').waitFor(says('Saved: the prompt of Hearth.'));
	assert.equal(readFileSync(path.join(home.folder, 'found'), 'utf8'), 'You are half edited.\n');
	assert.equal(keptTextIn(promptFolderOf(home)), undefined);
	assert.equal((await next.press('q').exited).exitCode, 0);
}

test('SIGTERM ends the editor without waiting, keeps the text, and the next start offers it', {skip}, async () => {
	const home = createIsolatedHome();
	await using terminal = await openEditor(home, patientEditor);
	terminal.kill('SIGTERM');
	assert.equal((await terminal.exited).exitCode, 143);
	assert.equal(told(home), 'TERM');
	assert.equal(keptTextIn(promptFolderOf(home)), 'You are half edited.\n');
	assert.match(
		terminal.screen().join(' '),
		/Your text is kept in ~\/\S+\.md, not saved: Switchboard was terminated while the editor was open\. Switchboard reminds you of it at the next start\./,
	);
	await goOn(home);
});

test('if nothing was changed in the editor, nothing is kept or offered', {skip}, async () => {
	const home = createIsolatedHome();
	await using terminal = await openEditor(home, patientEditor.replace(/echo "You.*\n/, '\n'));
	terminal.kill('SIGTERM');
	assert.equal((await terminal.exited).exitCode, 143);
	assert.deepEqual(readdirSync(promptFolderOf(home)), []);
	await using next = open(home);
	const lines = await next.waitFor('live');
	assert.ok(!says('Your unsaved text')(lines), lines.join('\n'));
	await next.press('q').exited;
});

test('a key typed ahead to quit waits for the open editor and the save that follows', {skip}, async () => {
	const home = createIsolatedHome();
	useEditor(home, 'echo ready; read line; echo "You are $line." > "$1"');
	await using terminal = open(home);
	await terminal.waitFor('live');
	await terminal.press('1').waitFor('> Hearth');
	await terminal.press('enter').waitFor('esc back');
	// The first q goes back from the opened agent, the second one leaves.
	await terminal.write('eqq').waitFor('ready');
	assert.equal((await terminal.write('done\r').exited).exitCode, 0);
	assert.equal(keptTextIn(promptFolderOf(home)), undefined, 'it was saved');
});
