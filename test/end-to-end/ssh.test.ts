import assert from 'node:assert/strict';
import process from 'node:process';
import {test} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';
import {says} from './open-ui.ts';
import {startSshServer, whyNoSsh, type SshServer} from './ssh-server.ts';

const quoted = (word: string): string => `'${word.replaceAll('\'', String.raw`'\''`)}'`;

const openOverSsh = (home: IsolatedHome, server: SshServer) => openPseudoTerminal({
	command: 'ssh',
	args: [
		...server.clientWords,
		['exec', 'env', '-i', ...Object.entries({...home.env, SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 2'}).map(([name, value]) => quoted(`${name}=${value}`)), quoted(process.execPath), quoted(programFile)].join(' '),
	],
	env: home.env,
});

test('over SSH a row can be switched, and the terminal is restored on exit', {skip: whyNoSsh ?? false}, async () => {
	const home = createIsolatedHome();
	await using server = await startSshServer(home);
	await using ui = openOverSsh(home, server);
	await ui.waitFor('live · 12 installed, 9 on');
	ui.press('down', 'down', 'space');
	await ui.waitFor(says('pantry', 'off'));
	await ui.waitFor('12 installed, 8 on');
	ui.resize(40, 12);
	await ui.waitFor(lines => lines.length === 12 && lines.every(line => line.length <= 40) && says('pantry', 'off')(lines));
	ui.press('q');
	assert.equal((await ui.exited).exitCode, 0);
	assert.equal(ui.isAlternateScreen, false);
	const {stdout} = await runCommand(['installed', '--profile', 'local', '--json'], {env: home.env});
	assert.match(stdout, /"name": "pantry"[^}]*"enabled": false|"enabled": false[^}]*"name": "pantry"/);
});

test('losing the SSH connection ends the program on the server', {skip: whyNoSsh ?? false}, async () => {
	const home = createIsolatedHome();
	await using server = await startSshServer(home);
	await using ui = openOverSsh(home, server);
	await ui.waitFor('live');
	ui.kill('SIGKILL');
	await ui.exited;
	// The bundled service ends too: the next one can open and write its data.
	const switched = await runCommand(['disable', 'morninglights', '--profile', 'local', '--json'], {env: home.env});
	assert.equal(switched.exitCode, 0, switched.stderr);
});
