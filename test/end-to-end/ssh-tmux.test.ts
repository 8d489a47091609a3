import {assert, assertMapped, Buffer, execFileSync, path, spawnSync, test} from '../helpers/node.ts';
import {isToggle, startHome, storedState, togglesOf} from '../tui/helpers/homes.ts';
import {cursorLine} from '../tui/helpers/shown.ts';
import {quoted, startRemoteMachine, type SessionOptions} from './open-over-ssh.ts';
import {says} from './open-ui.ts';
import {whyNoSsh} from './ssh-server.ts';

const skip = whyNoSsh ?? (spawnSync('tmux', ['-V']).status === 0 ? false : 'there is no tmux on this machine');

async function startTmuxMachine() {
	const machine = await startRemoteMachine();
	const socket = path.join(machine.home.folder, 'tmux');
	const {env} = machine.home;
	const command = ['tmux', '-f', '/dev/null', '-S', quoted(socket)].join(' ');
	const tmux = (...words: readonly string[]): void => {
		execFileSync('tmux', ['-S', socket, ...words], {env, stdio: 'ignore'});
	};

	return {
		...machine,
		/** Opens an ssh session that attaches to the tmux session with the program in it, and starts both if there are none. */
		attach: async (options?: SessionOptions) =>
			machine.open({...options, wrap: program => `LC_ALL=C.UTF-8 exec ${command} new-session -A -s main ${quoted(program)}`}),
		tmux,
		async [Symbol.asyncDispose]() {
			try {
				tmux('kill-server');
			} catch {}

			await machine.waitForNoProcess(20_000);
			await machine[Symbol.asyncDispose]();
		},
	};
}

test('in tmux one round trip shows the new state after Space, and ten fast keys are applied in order', {skip}, async t => {
	await using machine = await startTmuxMachine();
	const service = await startHome(t);
	await using ui = await machine.attach({service});
	await ui.waitFor('reads every 15 s · 2 of 3 on');
	const release = service.hold();
	const before = machine.line.clientSendCount;
	await ui.press('space').waitFor(says('lamps', 'off~'));
	assert.equal(machine.line.clientSendCount, before + 1);
	release();
	await ui.waitFor('1 of 3 on');
	await ui
		.press('j', 'space', 'j', 'space', 'k', 'k', 'space', 'j', 'space', 'j')
		.waitFor(
			shown => says('lamps', 'on')(shown) && says('pantry', 'on')(shown) && cursorLine(shown)?.startsWith(' > on   nightwatch') === true,
		);
	await ui.waitFor('3 of 3 on');
	assertMapped([301, 302, 303], id => storedState(service, id), [true, true, true]);
});

test('in tmux the program outlives a line that is cut, and attaching again shows the newest state', {skip}, async t => {
	await using machine = await startTmuxMachine();
	const service = await startHome(t);
	await using before = await machine.attach({service});
	await before.waitFor('reads every 15 s · 2 of 3 on');
	await before.press('j').waitFor(lines => cursorLine(lines)?.includes('pantry') === true);
	const [program] = machine.processes();
	machine.line.cut();
	await before.exited;
	machine.tmux('send-keys', '-t', 'main', 'Space', 'j');
	await service.waitForRequests(1, isToggle);
	await using after = await machine.attach({service});
	await after.waitFor('1 of 3 on');
	assert.deepEqual(machine.processes(), [program]);
	assert.ok(says('pantry', 'off')(after.screen()));
	assert.ok(cursorLine(after.screen())?.includes('nightwatch'));
	assert.equal(togglesOf(service).length, 1);
	await after.press('q').exited;
	await machine.waitForNoProcess(20_000);
});

test("what is copied in tmux arrives at the client's terminal, whatever tmux lets programs do", {skip}, async t => {
	await using machine = await startTmuxMachine();
	const service = await startHome(t);
	await using ui = await machine.attach({service});
	await ui.waitFor('of 3 on');
	machine.tmux('set-option', '-g', 'set-clipboard', 'external');
	ui.press('j', 'y');
	const sequence = new RegExp(String.raw`\u{1B}\]52;c?;${Buffer.from('302').toString('base64')}\u{7}`, 'u');
	await ui.waitFor(() => sequence.test(ui.output.toString('latin1')));
	await ui.waitFor('Copied 302, the id of pantry.');
});
