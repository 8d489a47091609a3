import {assert, delay, path, process, suite, test} from '../helpers/node.ts';
import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {openUi} from './open-ui.ts';
import {startProgram} from './start-serve.ts';

/** Milliseconds after the program was started: while Node.js starts, the last screen is painted, the UI loads, draws and runs. */
const moments = [20, 90, 150, 220, 350];

/** The UI in a shell, which says afterwards how the program ended and what the terminal is like. */
async function openInShell(home: IsolatedHome): Promise<{readonly terminal: PseudoTerminal; readonly processId: number}> {
	const file = path.join(home.folder, 'process-id');
	rmSync(file, {force: true});
	const terminal = openPseudoTerminal({
		command: 'sh',
		args: ['-c', `sh -c 'echo $$ > "${file}"; exec "${process.execPath}" "${programFile}"'; echo "exit code $?"; stty -a`],
		env: home.env,
		columns: 120,
	});
	await waitUntil(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
	return {terminal, processId: Number(readFileSync(file, 'utf8'))};
}

suite('signals while the program starts', () => {
	const home = createIsolatedHome();

	test('a last screen is there to be painted', async () => {
		await using ui = openUi(home);
		await ui.waitFor('live');
		const folder = path.join(home.env['XDG_CACHE_HOME']!, 'switchboard/last-seen');
		await waitUntil(() => existsSync(folder) && readdirSync(folder).some(name => name.endsWith('-screen.json')));
		await ui.press('q').exited;
	});

	for (const [signal, exitCode] of [
		['SIGHUP', 129],
		['SIGUSR2', 140],
	] as const) {
		test(`${signal} gives the terminal back at any moment`, async () => {
			for (const moment of moments) {
				const {terminal, processId} = await openInShell(home);
				await using open = terminal;
				await delay(moment);
				process.kill(processId, signal);
				await open.exited;
				const output = open.output.toString();
				const state = `${signal} after ${moment} ms:\n${output}`;
				assert.ok(output.includes(`exit code ${exitCode}`), state);
				assert.match(output, /(?<!-)\bicanon\b/, state);
				assert.match(output, /(?<!-)\becho\b/, state);
				assert.deepEqual([open.isAlternateScreen, open.cursor.isHidden], [false, false], state);
				assert.equal(output.includes('[?2004h'), output.includes('[?2004l'), state);
			}
		});
	}

	test('a stop while it loads leaves a terminal that reads single keys', async () => {
		const file = path.join(home.folder, 'process-id');
		rmSync(file, {force: true});
		await using shell = openPseudoTerminal({
			command: 'bash',
			args: ['--norc', '--noprofile', '-i'],
			env: {...home.env, PS1: '$ ', TERM: 'xterm-256color'},
			columns: 120,
		});
		shell.write(`sh -c 'echo $$ > "${file}"; exec "${process.execPath}" "${programFile}"'\r`);
		// The last screen is painted first, while the rest loads.
		await waitUntil(() => shell.output.includes('[?1049h'));
		process.kill(Number(readFileSync(file, 'utf8')), 'SIGSTOP');
		await shell.waitFor('Stopped');
		await shell.write('fg\r').waitFor(lines => lines.some(line => line.includes('live')) && lines.every(line => !line.includes('Stopped')));
		shell.press('q');
		await waitUntil(() => !shell.isAlternateScreen);
		await shell.write('echo "exit code $?"\r').waitFor('exit code 0\n$');
	});

	test('SIGUSR1 opens no debugger and writes nothing on the screen', async () => {
		await using ui = openUi(home);
		await ui.waitFor('live');
		const before = ui.screen();
		process.kill(ui.pid, 'SIGUSR1');
		process.kill(ui.pid, 'SIGUSR1');
		await ui.press('?').waitFor(lines => lines.join('\n') !== before.join('\n'));
		await ui.press('escape').waitFor('live');
		assert.doesNotMatch(ui.output.toString(), /debugger/i);
		assert.deepEqual(await ui.press('q').exited, {exitCode: 0, signal: undefined});
	});

	test('SIGUSR1 is ignored by serve as well', async () => {
		await using serving = await startProgram(home, ['serve', '--port', '0']);
		serving.child.kill('SIGUSR1');
		assert.equal((await fetch(`${serving.baseAddress}/openapi.json`)).status, 200);
		assert.doesNotMatch((await serving.stop('SIGTERM')).stderr, /debugger/i);
	});
});
