import {assert, path, test, writeFileSync} from '../../helpers/node.ts';
import {startCommand} from '../running-command.ts';
import {createIsolatedHome, type IsolatedHome, runCommand} from '../kit.ts';

/** A home in which there can be no settings folder. */
function homeWithoutSettings(): IsolatedHome {
	const {folder, env} = createIsolatedHome();
	const file = path.join(folder, 'no-folder');
	writeFileSync(file, '');
	return {folder, env: {...env, XDG_CONFIG_HOME: file}};
}

test('where the settings folder cannot be made, ssh-serve names it and says what to do', async () => {
	const {folder, env} = homeWithoutSettings();
	for (const words of [[], ['--host-key', path.join(folder, 'host_key')], ['--authorized-keys', path.join(folder, 'keys')]]) {
		const {exitCode, stderr} = await runCommand(['ssh-serve', '--port', '0', ...words], {env});
		assert.equal(exitCode, 2);
		assert.match(
			stderr,
			/^The settings folder \S+\/no-folder\/switchboard cannot be used: not a directory\.\nGive both --authorized-keys and --host-key, or /,
		);
	}
});

test('ssh-serve needs no settings folder for files that are named', async () => {
	const {folder, env} = homeWithoutSettings();
	await using server = startCommand(
		['ssh-serve', '--port', '0', '--authorized-keys', path.join(folder, 'keys'), '--host-key', path.join(folder, 'host_key')],
		env,
	);
	await server.waitFor(({lines}) => lines().some(line => line.startsWith('listening on ssh://')));
	server.kill('SIGTERM');
	assert.equal(await server.exited, 0);
});
