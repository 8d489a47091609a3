import {assert, chmodSync, createHash, path, test, writeFileSync} from '../helpers/node.ts';
import type {LiveLikeService} from '../helpers/live-like-service.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {installedRecord, isToggle, startHome, togglesOf} from '../tui/helpers/homes.ts';
import {cursorLine} from '../tui/helpers/shown.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {startRemoteMachine, type RemoteMachine} from './open-over-ssh.ts';
import {says} from './open-ui.ts';
import {whyNoSsh} from './ssh-server.ts';

/*
A real SSH client and server, with a line between them that takes 150 ms each way. What the program does when that line is cut is in
`ssh-cut.test.ts`, and what it does inside tmux in `ssh-tmux.test.ts`.
*/

const skip = whyNoSsh ?? false;

/** What the service was asked for: each id with the state it shall have. */
const statesAskedFor = (service: LiveLikeService): ReadonlyArray<readonly [id: number, isEnabled: unknown]> =>
	togglesOf(service).map(({id, body}) => [id, (body as {readonly enabled: unknown}).enabled]);

/** Names that have nothing in common, so that a page of them is a whole screen of changes. */
const longName = (number: number): string => createHash('sha256').update(String(number)).digest('hex').slice(0, 16);

test('over SSH a row can be switched, and the terminal is restored on exit', {skip}, async () => {
	await using machine = await startRemoteMachine();
	await using ui = await machine.open();
	await ui.waitFor('live · 9 of 12 on');
	await ui.press('down', 'down', 'space').waitFor(says('pantry', 'off'));
	await ui.waitFor('8 of 12 on');
	await ui.resize(40, 12).waitFor(lines => lines.length === 12 && lines.every(line => line.length <= 40) && says('pantry', 'off')(lines));
	assert.equal((await ui.press('q').exited).exitCode, 0);
	assert.equal(ui.isAlternateScreen, false);
	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env: machine.home.env});
	assert.match(stdout, /"name": "pantry"[^}]*"enabled": false|"enabled": false[^}]*"name": "pantry"/);
});

test('the first bytes that come back after Space show the new state, before the service has answered', {skip}, async t => {
	await using machine = await startRemoteMachine();
	const service = await startHome(t);
	await using ui = await machine.open({service});
	await ui.waitFor('reads every 15 s · 2 of 3 on');
	// All of the first frames has arrived by then.
	await ui.press('j').waitFor(lines => cursorLine(lines)?.includes('pantry') === true);
	// What stands beneath the list follows after a pause.
	await ui.waitFor('── pantry');
	service.hold();
	const before = ui.mark();
	ui.press('space');
	const lines = await ui.waitFor(() => ui.outputLength > before);
	assert.ok(says('pantry', 'off~')(lines), lines.join('\n'));
	assert.deepEqual(statesAskedFor(service), [[302, false]]);
});

test('on a line that takes 1 kB a second frames are skipped, not queued, and a key is soon answered by the newest frame', {
	skip,
}, async t => {
	await using machine = await startRemoteMachine();
	const installed = Array.from({length: 1000}, (_, index) => installedRecord(1000 + index, longName(index), true));
	const service = await startHome(t, {home: {installed}});
	await using ui = await machine.open({service});
	machine.line.limit(1000);
	const pageCount = 30;
	for (let count = 1; count <= pageCount; count++) {
		ui.press('pagedown', 'space');
		// The program has drawn the page by then.
		await service.waitForRequests(count, isToggle);
	}

	const last = longName(togglesOf(service).at(-1)!.id - 1000);
	const atLastKey = machine.line.receivedBytes;
	await ui.waitFor(says(last, 'off'), {deadlineMilliseconds: 60_000});
	assert.ok(machine.line.receivedBytes - atLastKey <= 6000, `${machine.line.receivedBytes - atLastKey} bytes`);
});

/** Presses a key that changes most of the screen, and resolves when the server has sent that and the client has not seen it yet. */
async function pressAhead(ui: PseudoTerminal, {line}: RemoteMachine, key: string): Promise<void> {
	const before = line.sentBytes;
	ui.press(key);
	await waitUntil(() => line.sentBytes >= before + 600);
}

test('what the terminal still answers after the last frame is not typed into the shell', {skip}, async () => {
	await using machine = await startRemoteMachine();
	await using ui = await machine.open({wrap: program => `${program}; echo "left with $?"; read line; echo "got <$line>" | cat -v`});
	await pressAhead(ui, machine, 'ctrl+l');
	await ui.press('q').waitFor('left with 0');
	await ui.write('wanted\r').waitFor('got <wanted>');
});

test('nor into the editor', {skip}, async () => {
	await using machine = await startRemoteMachine();
	const editor = path.join(machine.home.folder, 'editor');
	writeFileSync(editor, '#!/bin/sh\necho ready; read line; echo "got <$line>" | cat -v; read line\n');
	chmodSync(editor, 0o755);
	await using ui = await machine.open({env: {VISUAL: editor}});
	await ui.press('1').waitFor('> Hearth');
	await pressAhead(ui, machine, '2');
	await ui.press('1', 'e').waitFor('ready');
	await ui.write('wanted\r').waitFor('got <wanted>');
});
