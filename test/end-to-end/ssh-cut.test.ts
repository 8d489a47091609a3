import {assert, chmodSync, path, test, writeFileSync} from '../helpers/node.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {isToggle, startHome} from '../tui/helpers/homes.ts';
import {startRemoteMachine, type RemoteMachine} from './open-over-ssh.ts';
import {says} from './open-ui.ts';
import {whyNoSsh} from './ssh-server.ts';

const skip = whyNoSsh ?? false;

/** Two seconds, and what a busy machine may add. */
const endMilliseconds = 2000 * 3;

/** Cuts the line, and expects nothing of the session to be left on the server. */
async function cut(machine: RemoteMachine, ui: PseudoTerminal): Promise<void> {
	assert.notDeepEqual(machine.processes(), []);
	machine.line.cut();
	await machine.waitForNoProcess(endMilliseconds);
	await ui.exited;
}

test('cutting the line ends the program and its bundled service', {skip}, async () => {
	await using machine = await startRemoteMachine();
	await using ui = await machine.open();
	await ui.press('space').waitFor(says('morninglights', 'off'));
	await cut(machine, ui);
	// The data are free for the next program.
	const switched = await runCommand(['disable', 'pantry', '--profile', 'local', '--json'], {env: machine.home.env});
	assert.equal(switched.exitCode, 0, switched.stderr);
});

test('cutting the line while the editor is open ends both, and keeps the text', {skip}, async () => {
	await using machine = await startRemoteMachine();
	const editor = path.join(machine.home.folder, 'editor');
	writeFileSync(editor, '#!/bin/sh\necho "You are half edited." > "$1"\necho ready\nwhile :; do sleep 0.05; done\n');
	chmodSync(editor, 0o755);
	await using ui = await machine.open({env: {VISUAL: editor}});
	await ui.press('1').waitFor('> Hearth');
	await ui.press('e').waitFor('ready');
	assert.ok(machine.processes().some(words => words.includes(editor)));
	await cut(machine, ui);
	await using next = await machine.open();
	await next.waitFor('Your unsaved text for the prompt of Hearth is kept.');
});

test('cutting the line while it takes no output ends the program', {skip}, async t => {
	await using machine = await startRemoteMachine();
	const service = await startHome(t);
	await using ui = await machine.open({service});
	machine.line.limit(1);
	for (let count = 1; count <= 20; count++) {
		ui.press('tab', 'tab', 'tab', 'space');
		await service.waitForRequests(count, isToggle);
	}

	await cut(machine, ui);
});
