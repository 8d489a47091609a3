import {assert, path, test, type TestContext} from '../helpers/node.ts';
import {lastError, startServedHome} from './served-home.ts';
import {codeFiles, ended, readFolderTexts, startLiveLike, writeFolder} from './kit.ts';

test('the source of an earlier version is read and released anew as the next version', async () => {
	await using served = await startServedHome();
	const folder = path.join(served.home.folder, 'attic');
	for (const code of ['one', 'two']) {
		writeFolder(folder, codeFiles(`print("${code}")\n`));
		assert.equal((await served.run(['abilities', 'push', folder])).exitCode, 0);
	}

	assert.deepEqual(await served.run(['abilities', 'versions', 'attic']), ended(0, '2\tyes\n1\tno\n'));
	assert.deepEqual(await served.runJson(['abilities', 'versions', 'attic']), [
		{version: '2', in_use: true},
		{version: '1', in_use: false},
	]);

	const earlier = path.join(served.home.folder, 'earlier');
	assert.equal((await served.run(['abilities', 'pull', 'attic', earlier, '--version', '1'])).exitCode, 0);
	assert.equal(readFolderTexts(earlier)['main.py'], 'print("one")\n');

	const unknown = await served.run(['abilities', 'restore', 'attic', '--version', '7', '--yes']);
	assert.deepEqual(
		unknown,
		ended(4, '', 'There is no version 7 of attic. Nothing was done.\nList them with: switchboard abilities versions attic\n'),
	);
	const unasked = await served.run(['abilities', 'restore', 'attic', '--version', '1', '--json']);
	assert.equal(lastError(unasked).message, 'Cannot ask for confirmation without a terminal. Use --yes to restore without confirmation.');
	assert.equal((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes', '--read-only'])).exitCode, 2);
	assert.equal((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--dry-run'])).exitCode, 0);
	assert.equal((await served.run(['abilities', 'versions', 'attic'])).stdout, '2\tyes\n1\tno\n');

	const {exitCode, stdout} = await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes']);
	assert.deepEqual([exitCode, stdout.split('\t').slice(1)], [0, ['attic', 'updated', '3\n']]);
	assert.equal((await served.run(['abilities', 'pull', 'attic', earlier])).stdout, '__init__.py\tunchanged\nmain.py\tunchanged\n');
	assert.match((await served.run(['abilities', 'restore', 'attic', '--version', '1', '--yes'])).stdout, /\tattic\tunchanged\t3\n$/);
});

test('a service that ignores the version offers no earlier source, and nothing is done', async (t: TestContext) => {
	const {run, service} = await startLiveLike(t);
	const lamps = (service.abilities as Array<{id: number; capability_versions?: unknown}>).find(({id}) => id === 21)!;
	lamps.capability_versions = [
		{id: 1, version: '1'},
		{id: 2, version: '2', is_user_enabled: true},
	];
	assert.equal((await run(['abilities', 'versions', 'lamps'])).stdout, '1\t?\n2\tyes\n');
	for (const words of [
		['pull', 'lamps', '--version', '1'],
		['restore', 'lamps', '--version', '1', '--yes'],
	]) {
		const refused = await run(['abilities', ...words]);
		assert.deepEqual([refused.exitCode, refused.stdout], [4, '']);
		assert.match(refused.stderr, /^Not offered: the service sends no source but that in use, so none of version 1 of lamps\./);
	}

	assert.ok(service.requests.every(({method}) => method === 'GET'));
	assert.equal((await run(['abilities', 'pull', 'lamps', '--version', '2'])).exitCode, 0, 'the one in use is the one that is sent');
});
