import {assert, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {openUi, says} from './open-ui.ts';
import {startServe} from './start-serve.ts';

test('keys create, serve and the UI pointed at it by the environment work over the network', async () => {
	const home = createIsolatedHome();
	const created = await runCommand(['keys', 'create'], {env: home.env});
	assert.equal(created.exitCode, 0);
	const apiKey = created.stdout.trim();
	await using serve = await startServe(home, ['--port', '0', '--sample']);
	const env = {SWITCHBOARD_BASE_URL: serve.baseAddress, SWITCHBOARD_API_KEY: apiKey};
	await using ui = openUi(home, {env});
	await ui.waitFor('live · 9 of 12 on');
	await ui.press('space').waitFor(says('morninglights', 'off'));
	await ui.waitFor('8 of 12 on');
	const listed = await runCommand(['installed', '--json'], {env: {...home.env, ...env}});
	const records = JSON.parse(listed.stdout) as ReadonlyArray<{name: string; enabled: boolean}>;
	assert.equal(records.find(({name}) => name === 'morninglights')?.enabled, false);
	assert.equal((await ui.press('q').exited).exitCode, 0);
});
