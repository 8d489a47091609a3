import {assert, mkdirSync, path, test, writeFileSync, type TestContext} from '../../helpers/node.ts';
import {openKeptTimers} from '../../../source/changes/kept-timers.ts';
import {openLog} from '../../../source/changes/log.ts';
import {presetAccountOfProfile} from '../../../source/settings/account.ts';
import {createIsolatedHome, runCommand, startLiveLikeService, startProgram, waitUntil} from '../kit.ts';
import {makeKey} from '../../ssh/ssh-client.ts';

/** A service without timers, and ssh-serve with a key for its profile. */
async function start(t: TestContext, ...words: readonly string[]) {
	const service = await startLiveLikeService();
	t.after(async () => service.close());
	const {env, folder} = createIsolatedHome();
	const login = ['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'default'];
	assert.equal((await runCommand(login, {env, stdin: service.apiKey})).exitCode, 0);
	const keys = path.join(env['XDG_CONFIG_HOME']!, 'switchboard', 'authorized_keys');
	mkdirSync(path.dirname(keys), {recursive: true, mode: 0o700});
	writeFileSync(keys, `${makeKey(folder, 'ada').line}\n`, {mode: 0o600});
	const server = await startProgram({env}, ['ssh-serve', '--port', '0', ...words]);
	t.after(async () => server[Symbol.asyncDispose]());
	const account = presetAccountOfProfile({baseAddress: service.baseAddress, profileName: 'default'});
	return {service, server, keys, kept: openKeptTimers(openLog(account, {stateFolder: path.join(env['XDG_STATE_HOME']!, 'switchboard')}))};
}

test('ssh-serve keeps the timers of a profile for as long as a key is listed for it', async t => {
	const {service, server, keys, kept} = await start(t);
	await waitUntil(() => kept.isKept());
	const timer = {
		enabled: true,
		at: new Date().toISOString(),
		by: 'anna',
		note: '',
		overdue: undefined,
		tries: 0,
		triedAt: 0,
		isSent: false,
	};
	await kept.set({...timer, record: 303, name: 'nightwatch'});
	await waitUntil(() => (service.installed[2] as {readonly enabled: boolean}).enabled);
	await waitUntil(() => kept.peek().length === 0);
	writeFileSync(keys, '');
	await waitUntil(() => !kept.isKept());
	assert.equal((await server.stop('SIGTERM')).exitCode, 0);
});

test('a read-only ssh-serve keeps none', async t => {
	const {server, kept} = await start(t, '--read-only');
	await server.told('1 key');
	assert.equal(kept.isKept(), false);
	assert.equal((await server.stop('SIGTERM')).exitCode, 0);
});
