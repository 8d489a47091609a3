import {assert, existsSync, once, path, process, spawn, spawnSync, suite, test, text, writeFileSync} from '../helpers/node.ts';
import {serviceUnit, sshUnit, timersUnit} from '../../source/commands/help/systemd-units.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';
import {createIsolatedHome, temporaryFolder} from './kit.ts';

function analyze(...words: readonly string[]) {
	const {status, stdout, stderr} = spawnSync('systemd-analyze', words, {
		encoding: 'utf8',
		env: {...process.env, LC_ALL: 'C.UTF-8', SYSTEMD_PAGER: 'cat'},
	});
	return {status, output: `${stdout}${stderr}`};
}

async function printedOf(topic: string, ...words: readonly string[]): Promise<string> {
	const {exitCode, stdout, stderr} = await runCommand(['help', topic, ...words], {env: createIsolatedHome().env});
	assert.deepEqual([exitCode, stderr], [0, '']);
	return stdout;
}

const printed = async (...words: readonly string[]): Promise<string> => printedOf('serving', ...words);

suite('the units of help serving and help ssh', {skip: spawnSync('systemd-analyze', ['--version']).error !== undefined}, () => {
	test('are what systemd takes, together and alone', async () => {
		const folder = temporaryFolder();
		const [service, socket] = ['switchboard.service', 'switchboard.socket'].map(name => path.join(folder, name)) as [string, string];
		writeFileSync(service, await printed('--unit'));
		assert.deepEqual(analyze('verify', '--man=no', service), {status: 0, output: ''});
		writeFileSync(socket, await printed('--socket-unit'));
		assert.deepEqual(analyze('verify', '--man=no', socket, service), {status: 0, output: ''});
		const ssh = path.join(folder, 'switchboard-ssh.service');
		writeFileSync(ssh, await printedOf('ssh', '--unit'));
		assert.deepEqual(analyze('verify', '--man=no', ssh), {status: 0, output: ''});
		const timers = path.join(folder, 'switchboard-timers.service');
		writeFileSync(timers, await printedOf('timers', 'run', '--unit'));
		assert.deepEqual(analyze('verify', '--man=no', timers), {status: 0, output: ''});
	});

	test('expose little', async () => {
		for (const topic of ['serving', 'ssh']) {
			const service = path.join(temporaryFolder(), 'switchboard.service');
			writeFileSync(service, await printedOf(topic, '--unit'));
			const {status, output} = analyze('security', '--offline=true', '--threshold=20', service);
			assert.equal(status, 0, output);
		}
	});

	test('may name folders with odd characters', () => {
		for (const unit of [serviceUnit, sshUnit, timersUnit]) {
			const service = path.join(temporaryFolder(), 'switchboard.service');
			writeFileSync(service, `${unit([process.execPath, String.raw`/opt/a b/50% "of" $HOME; 'x' \y/cli.js`])}\n`);
			assert.deepEqual(analyze('verify', '--man=no', service), {status: 0, output: ''});
		}
	});
});

test('the unit starts this installation, without npm or a shell in between', async () => {
	const unit = await printed('--unit');
	const words = /^ExecStart=(?<words>.+) serve$/m.exec(unit)!.groups!['words']!.replaceAll('%%', '%').split(' ');
	assert.deepEqual(words, [process.execPath, programFile]);
});

test('the command in the unit creates a key where the service of the unit looks for it', async () => {
	const unit = await printed('--unit');
	const [command] = /systemd-run (?:.*\\\n)+.*/.exec(unit.replaceAll(/^#/gm, ''))!;
	assert.match(command, / --uid=switchboard .*--property=EnvironmentFile=-\/etc\/switchboard\.env /s);
	assert.match(unit, /^Environment=XDG_DATA_HOME=%S /m);
	const home = createIsolatedHome();
	const script = `
		stand_in() {
			while :; do
				case "$1" in --setenv=*) export "\${1#--setenv=}";; --*) ;; *) break;; esac
				shift
			done
			"$@"
		}
		${command.replace('systemd-run', 'stand_in').replace('/var/lib', home.folder)}`;
	const run = (variables: Readonly<Record<string, string>> = {}) =>
		spawnSync('sh', ['-c', script], {encoding: 'utf8', env: {...home.env, ...variables}});
	assert.match(run().stdout, /^\S{20,}\n$/);
	assert.ok(existsSync(path.join(home.folder, 'switchboard', 'switchboard.db')));
	// That of the environment file.
	assert.match(
		run({SWITCHBOARD_DATABASE_URL: 'postgres://home:wh1sper@127.0.0.1:1/home'}).stderr,
		/postgres:\/\/home@127\.0\.0\.1:1\/home/,
	);
});

test('the unit of ssh-serve keeps keys and settings where its first lines say', async () => {
	const unit = await printedOf('ssh', '--unit');
	const home = createIsolatedHome();
	const environment = Object.fromEntries(
		[...unit.matchAll(/\b(?<name>XDG_\w+)=(?<value>%\S+)/g)].map(({groups}) => [
			groups!['name']!,
			groups!['value']!.replace('%S', path.join(home.folder, 'lib')).replace('%C', path.join(home.folder, 'cache')),
		]),
	);
	const words = /^ExecStart=(?<words>.+)$/m.exec(unit)!.groups!['words']!.replaceAll('%%', '%').split(' ');
	assert.deepEqual(words, [process.execPath, programFile, 'ssh-serve', '--host', '0.0.0.0']);
	const server = spawn(words[0]!, [programFile, 'ssh-serve', '--port', '0'], {
		env: {...home.env, ...environment},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(server, 'exit');
	const log = text(server.stderr);
	await once(server.stdout, 'data');
	server.kill('SIGTERM');
	assert.deepEqual(await exited, [0, null]);
	const keysFile = /cat anna\.pub >> (?<file>\S+)/.exec(unit)!.groups!['file']!;
	assert.ok((await log).includes(`${keysFile.replace('/var', home.folder)}: 0 keys`));
	const configFolder = /--setenv=XDG_CONFIG_HOME=(?<folder>\S+)/.exec(unit)!.groups!['folder']!;
	assert.equal(configFolder.replace('/var', home.folder), environment['XDG_CONFIG_HOME']);
});

test('the unit hides home folders, unless the program lies in one', () => {
	assert.match(serviceUnit(['/usr/bin/node', '/opt/switchboard/cli.js']), /^ProtectHome=yes$/m);
	assert.match(serviceUnit(['/home/anna/node', '/opt/switchboard/cli.js']), /^ProtectHome=read-only$/m);
});

test('no other topic has a unit', async () => {
	const {env} = createIsolatedHome();
	for (const [words, sentence] of [
		[['keys', '--unit'], 'Only serving, ssh and timers run have a unit.\nUse: switchboard help serving --unit\n'],
		[['--unit'], 'Only serving, ssh and timers run have a unit.\nUse: switchboard help serving --unit\n'],
		[['ssh', '--socket-unit'], 'Only serving has a socket unit.\nUse: switchboard help serving --socket-unit\n'],
		[['serve', '--socket-unit'], 'Only serving has a socket unit.\nUse: switchboard help serving --socket-unit\n'],
		[['serving', '--schema'], 'Only the state file has a schema.\nUse: switchboard help state --schema\n'],
		[['serving', '--unit', '--socket-unit'], '--unit and --socket-unit cannot be used together.\nUse: switchboard help serving --unit\n'],
	] as const) {
		const {exitCode, stdout, stderr} = await runCommand(['help', ...words], {env});
		assert.deepEqual([exitCode, stdout, stderr], [2, '', sentence]);
	}
});
