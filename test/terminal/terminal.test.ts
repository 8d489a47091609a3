import {assert, delay, describe, process, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {fixtureCommand, openFixture} from '../helpers/terminal/open-fixture.ts';
import {keyBytes} from '../helpers/key-bytes.ts';

const home = createIsolatedHome();

const ready = 'the last row';

const frameOf = (columns: number, rows: number, pid: number, events = ''): readonly string[] => [
	`pid ${pid}, size ${columns}x${rows}`,
	`got ${events}.`,
	`${'='.repeat(columns - 1)}…`,
	...Array.from({length: rows - 4}, (_, index) => `${index === 3 ? '>' : ' '} on  row ${index} – 漢字 and so on`),
	'the last row',
];

const pidOn = (lines: readonly string[]): number => Number(/pid (?<pid>\d+)/.exec(lines.join('\n'))?.groups?.['pid']);

/** Asserts the shell's modes: keys are echoed and buffered by line, the main screen and the cursor are shown. */
async function assertGivenBack(terminal: PseudoTerminal, exitCode: number): Promise<void> {
	const lines = await terminal.waitFor(/exit code \d[\s\S]*echoctl|exit code \d[\s\S]* icanon/);
	assert.match(lines.join('\n'), new RegExp(`exit code ${exitCode}$`, 'm'));
	await terminal.exited;
	const settings = terminal.screen().join('\n');
	assert.match(settings, /(?<!-)icanon/);
	assert.match(settings, /(?<!-)echo /);
	assert.match(settings, /(?<!-)isig/);
	assert.match(settings, /(?<!-)icrnl/);
	assert.equal(terminal.isAlternateScreen, false);
	assert.equal(terminal.cursor.isHidden, false);
	const output = terminal.output.toString();
	// Bracketed paste is off and lines wrap again, and clicks are the terminal's own.
	for (const mode of [1000, 1006]) {
		assert.ok(output.lastIndexOf(`\u{1B}[?${mode}l`) >= output.lastIndexOf(`\u{1B}[?${mode}h`));
	}

	assert.ok(output.lastIndexOf('\u{1B}[?2004l') >= output.lastIndexOf('\u{1B}[?2004h'));
	assert.ok(output.lastIndexOf('\u{1B}[?7h') >= output.lastIndexOf('\u{1B}[?7l'));
}

/** Waits until the screen shows exactly the frame of the fixture for this. */
async function shows(terminal: PseudoTerminal, ...frame: Parameters<typeof frameOf>): Promise<void> {
	const expected = JSON.stringify(frameOf(...frame));
	await terminal.waitFor(lines => JSON.stringify(lines) === expected);
}

describe('the terminal is restored', () => {
	test('when the person leaves the UI', async () => {
		await using terminal = openFixture('list.tsx', home.env, 'mouse');
		await terminal.waitFor(ready);
		assert.equal(terminal.isAlternateScreen, true);
		assert.equal(terminal.cursor.isHidden, true);
		terminal.press('q');
		await assertGivenBack(terminal, 0);
	});

	for (const [signal, exitCode] of [
		['SIGTERM', 143],
		['SIGHUP', 129],
		['SIGQUIT', 131],
		['SIGXCPU', 152],
	] as const) {
		test(`on ${signal}, with exit code ${exitCode}`, async () => {
			await using terminal = openFixture('list.tsx', home.env, 'mouse');
			process.kill(pidOn(await terminal.waitFor(ready)), signal);
			await assertGivenBack(terminal, exitCode);
			assert.match(terminal.screen().join('\n'), /^ended by a (?:signal|hangup)$/m);
		});
	}

	for (const [key, what, message] of [
		['x', 'an error while drawing', 'broken while drawing'],
		['t', 'an uncaught error', 'thrown from a timer'],
	] as const) {
		test(`on ${what}, with a readable message`, async () => {
			await using terminal = openFixture('list.tsx', home.env, 'mouse');
			await terminal.waitFor(ready);
			terminal.press(key);
			await assertGivenBack(terminal, 1);
			assert.match(terminal.screen().join('\n'), new RegExp(`^failed: ${message}$`, 'm'));
		});
	}

	test('when the program calls process.exit', async () => {
		await using terminal = openFixture('list.tsx', home.env, 'mouse');
		await terminal.waitFor(ready);
		terminal.press('p');
		await assertGivenBack(terminal, 7);
		assert.doesNotMatch(terminal.screen().join('\n'), /ended by|failed/);
	});

	for (const interrupt of ['\u{3}', '\u{1B}[99;5u']) {
		test(`when Ctrl+C is pressed while the program loads, with exit code 0 (${JSON.stringify(interrupt)})`, async () => {
			await using terminal = openFixture('loading.ts', home.env);
			await terminal.waitFor('loading');
			terminal.write('jj');
			terminal.write(interrupt);
			await assertGivenBack(terminal, 0);
			assert.doesNotMatch(terminal.output.toString(), /jj/);
		});
	}

	test('when no UI is started', async () => {
		await using terminal = openPseudoTerminal({
			command: '/bin/sh',
			args: ['-c', `${fixtureCommand('loading.ts', 'release')}; echo "exit code $?"`],
			env: home.env,
		});
		assert.deepEqual((await terminal.waitFor('exit code')).slice(0, 3), ['loading', 'raw false', 'exit code 0']);
	});
});

test('the mouse is on while the UI has the terminal, if the person wants it', async () => {
	const modesOf = (terminal: PseudoTerminal): readonly string[] =>
		terminal.output
			.toString()
			.match(/\u{1B}\[\?100\d[hl]/gu)
			?.map(mode => mode.slice(3)) ?? [];
	const [on, off] = [
		['1000h', '1006h'],
		['1006l', '1000l'],
	] as const;
	await using terminal = openFixture('list.tsx', home.env, 'mouse');
	await terminal.waitFor(ready);
	assert.deepEqual(modesOf(terminal), on);
	await terminal.press('e').waitFor('your turn');
	assert.deepEqual(modesOf(terminal), [...on, ...off], 'the program that borrows it does not want it');
	await terminal.write('words\n').waitFor('shell:words');
	assert.deepEqual(modesOf(terminal), [...on, ...off, ...on]);
	terminal.press('q');
	await assertGivenBack(terminal, 0);
	assert.deepEqual(modesOf(terminal), [...on, ...off, ...on, ...off]);

	await using without = openFixture('list.tsx', home.env);
	await without.waitFor(ready);
	without.press('q');
	await assertGivenBack(without, 0);
	assert.deepEqual(modesOf(without), []);
});

test('a hangup ends the program', async () => {
	await using terminal = openPseudoTerminal({
		command: process.execPath,
		args: ['--import', 'tsx', 'test/terminal/fixtures/list.tsx'],
		env: home.env,
	});
	const pid = pidOn(await terminal.waitFor(ready));
	terminal.hangUp();
	const isRunning = (): boolean => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	};

	for (const deadline = Date.now() + 10_000; isRunning() && Date.now() < deadline; ) {
		await delay(20);
	}

	assert.equal(isRunning(), false);
});

describe('drawing', () => {
	test('is correct after any resize', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		const pid = pidOn(await terminal.waitFor(ready));
		for (const [columns, rows] of [
			[60, 24],
			[40, 24],
			[100, 24],
			[80, 10],
			[80, 24],
		] as const) {
			terminal.resize(columns, rows);
			await shows(terminal, columns, rows, pid);
		}
	});

	test('is correct after many resizes at once, including back to the first size', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		const pid = pidOn(await terminal.waitFor(ready));
		for (const [columns, rows] of [
			[60, 20],
			[30, 10],
			[120, 40],
			[50, 12],
			[80, 24],
		] as const) {
			terminal.resize(columns, rows);
		}

		terminal.press('j');
		await shows(terminal, 80, 24, pid, 'j');
	});

	test('follows a size that nobody announces with Ctrl+L, and with a key after a second without one', async () => {
		// A session of its own has no terminal whose changes are signalled.
		await using terminal = openPseudoTerminal({
			command: 'setsid',
			args: ['--wait', '/bin/sh', '-c', fixtureCommand('list.tsx')],
			env: home.env,
		});
		const pid = pidOn(await terminal.waitFor(ready));
		terminal.resize(70, 20);
		terminal.press('ctrl+l');
		await shows(terminal, 70, 20, pid);
		terminal.resize(60, 16);
		await delay(1000);
		terminal.press('j');
		await shows(terminal, 60, 16, pid, 'j');
	});

	test('is right in whatever modes another program left the terminal, also with Ctrl+L', async () => {
		// Insert mode, a region that scrolls, an origin in it, line drawing in place of letters, margins, and an underline.
		const left = String.raw`\033[4h\033[5;9r\033[?6h\033(0\016\033)0\033[?69h\033[5;40s\033=\033[4m`;
		await using terminal = openPseudoTerminal({
			command: '/bin/sh',
			args: ['-c', `printf '${left}'; ${fixtureCommand('list.tsx')}`],
			env: {...home.env, NODE_ENV: 'production'},
		});
		const pid = pidOn(await terminal.waitFor(ready));
		await shows(terminal, 80, 24, pid);
		await using intruder = openPseudoTerminal({
			command: '/bin/sh',
			args: ['-c', String.raw`printf '${left}\033[H\033[41mBroadcast\033[42m' > "/dev/$(ps -o tty= -p ${pid} | tr -d ' ')"`],
			env: home.env,
		});
		await intruder.exited;
		// In line drawing its letters are lines.
		await terminal.waitFor(lines => JSON.stringify(lines) !== JSON.stringify(frameOf(80, 24, pid)));
		terminal.press('ctrl+l');
		await shows(terminal, 80, 24, pid);
	});

	test('again replaces what another program has written', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		const pid = pidOn(await terminal.waitFor(ready));
		await using intruder = openPseudoTerminal({
			command: '/bin/sh',
			args: ['-c', String.raw`printf '\033[H\033[41mBroadcast message\033[5;10H!!!' > "/dev/$(ps -o tty= -p ${pid} | tr -d ' ')"`],
			env: home.env,
		});
		await intruder.exited;
		await terminal.waitFor('Broadcast message');
		terminal.press('ctrl+l');
		await shows(terminal, 80, 24, pid);
	});

	test('is not disturbed by warnings, which are printed afterwards', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		const pid = pidOn(await terminal.waitFor(ready));
		terminal.press('w', 'j');
		await shows(terminal, 80, 24, pid, 'w j');
		assert.doesNotMatch(terminal.output.toString(), /odd/);
		assert.match((await terminal.press('q').waitFor('exit code 0')).join('\n'), /Warning: this is odd/);
	});
});

describe('keys', () => {
	test('typed while the program loads are kept, in their order', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		await terminal.write(keyBytes(...'abc', 'down')).waitFor('got a b c down.');
		assert.match((await terminal.write('d').waitFor('down d'))[1]!, /^got a b c down d\.$/);
	});

	test('go to a program that the terminal is lent to, and back to the UI afterwards', async () => {
		await using terminal = openFixture('list.tsx', home.env);
		await terminal.waitFor(ready);
		await terminal.write('ej').waitFor('your turn');
		assert.equal(terminal.isAlternateScreen, false);
		assert.equal(terminal.cursor.isHidden, false);
		await terminal.write('q for the shell\r').waitFor('got shell:q for the shell j.');
		assert.equal(terminal.isAlternateScreen, true);
		await terminal.press('k').waitFor('got shell:q for the shell j k.');
	});
});

describe('under a shell with job control', () => {
	const openShell = (): PseudoTerminal => openPseudoTerminal({command: '/bin/sh', args: ['-i'], env: {...home.env, PS1: 'prompt> '}});

	test('the UI suspends with the terminal restored, and continues with keys and screen working', async () => {
		await using terminal = openShell();
		terminal.write(`${fixtureCommand('list.tsx')}\r`);
		const pid = pidOn(await terminal.waitFor(ready));
		await terminal.press('z').waitFor(/Stopped[\s\S]*prompt>/);
		assert.equal(terminal.isAlternateScreen, false);
		await terminal.write("stty -a | grep -Eo ' icanon| echo '; echo done\r").waitFor(/^ icanon\n echo\ndone$/m);
		terminal.resize(70, 20);
		terminal.write('fg\r');
		await shows(terminal, 70, 20, pid);
		await terminal.press('j').waitFor('got j.');
		await terminal.press('q').waitFor(/prompt> $|prompt>$/m);
	});

	for (const signal of ['SIGSTOP', 'SIGTSTP'] as const) {
		test(`a ${signal} from another process does no harm`, async () => {
			await using terminal = openShell();
			terminal.write(`${fixtureCommand('list.tsx')}\r`);
			const pid = pidOn(await terminal.waitFor(ready));
			process.kill(pid, signal);
			await terminal.waitFor('Stopped');
			// The shell's terminal may still be raw: then only a line feed ends a line.
			terminal.write('stty sane\n');
			terminal.write('fg\n');
			await shows(terminal, 80, 24, pid);
			await terminal.press('j').waitFor('got j.');
		});
	}

	test('without a shell to continue it the UI keeps running', async () => {
		await using terminal = openPseudoTerminal({
			command: process.execPath,
			args: ['--import', 'tsx', 'test/terminal/fixtures/list.tsx'],
			env: home.env,
		});
		await terminal.waitFor(ready);
		const pid = pidOn(terminal.screen());
		terminal.write('zj');
		await shows(terminal, 80, 24, pid, 'j');
		assert.equal(terminal.isAlternateScreen, true);
	});
});

describe('styles', () => {
	for (const [what, env, expected] of [
		['are the same without any word about colours', {TERM: 'xterm'}, ['1', '32', '2']],
		['have no colours under NO_COLOR, but all else', {NO_COLOR: '1'}, ['1', '2']],
		['are none on a dumb terminal', {TERM: 'dumb'}, []],
	] as const) {
		test(what, async () => {
			await using terminal = openFixture('styled.ts', {...home.env, ...env});
			await terminal.waitFor(ready);
			const sent = [...terminal.output.toString().matchAll(/\u{1B}\[;?(?<parameters>[\d;]+)m/gu)].map(({groups}) => groups!['parameters']!);
			assert.deepEqual(new Set(sent), new Set(expected));
		});
	}
});
