import {assert, existsSync, path, test} from '../helpers/node.ts';
import {startLocalService} from '../../source/service/local.ts';
import {createIsolatedHome, type IsolatedHome, runCommand, startLiveLikeService} from './kit.ts';

const deadlineMilliseconds = 120_000;

async function complete({env}: IsolatedHome, words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> {
	const {stdout, stderr, exitCode} = await runCommand(['__complete-zsh', ...words], {env: {...env, ...variables}});
	assert.deepEqual([exitCode, stderr], [0, '']);
	return stdout;
}

test('in a fresh home a look at the service of the current profile completes names, once in ten minutes', async () => {
	const home = createIsolatedHome();
	const service = await startLiveLikeService();
	service.installed = [{id: 4, name: 'pantry', category: 'skill', enabled: true}];
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work'], {
		env: home.env,
		stdin: service.apiKey,
	});
	const before = service.requests.length;
	const looks = (): number => service.requests.length - before;
	const deadline = performance.now() + deadlineMilliseconds;
	// The machine may be too busy for a look, which says nothing: the next Tab looks again.
	while ((await complete(home, ['enable', 'pan'])) !== 'pantry\tskill\n') {
		assert.ok(performance.now() < deadline);
	}

	const known = looks();
	assert.equal(await complete(home, ['enable', 'pan']), 'pantry\tskill\n');
	assert.equal(looks(), known);
	assert.ok(service.requests.slice(before).every(({method}) => method === 'GET'));

	// Never with a key that was set for a program, nor for an address that is only named.
	const key = {SWITCHBOARD_API_KEY: service.apiKey};
	assert.equal(await complete(home, ['agents', 'get', ''], {...key, SWITCHBOARD_BASE_URL: service.baseAddress}), '');
	assert.equal(await complete(home, ['--base-url', service.baseAddress, 'agents', 'get', ''], key), '');
	assert.equal(looks(), known);

	// A service that is silent or gone costs a moment and no word.
	const release = service.hold();
	assert.equal(await complete(home, ['abilities', 'get', '']), '');
	release();
	await service.close();
	assert.equal(await complete(home, ['abilities', 'get', '']), '');
});

test('the home of this machine is looked at where there is one, and none is made', async () => {
	const home = createIsolatedHome();
	const data = path.join(home.env['XDG_DATA_HOME']!, 'switchboard');
	assert.equal(await complete(home, ['--profile', 'local', 'enable', 'pan']), '');
	assert.equal(existsSync(data), false);
	const service = await startLocalService({dataFolder: data, isMigrationAllowed: true});
	await service.close();
	const deadline = performance.now() + deadlineMilliseconds;
	while ((await complete(home, ['--profile', 'local', 'enable', 'pan'])) !== 'pantry\tbrain\n') {
		assert.ok(performance.now() < deadline);
	}
});
