import {assert, test} from '../helpers/node.ts';
import {createIsolatedHome, ended, json, lastError, parseJson, runCommand} from './kit.ts';

async function createHome() {
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env});
	for (const account of ['default', 'guests']) {
		await run('keys', 'create', '--account', account);
	}

	const list = async () =>
		parseJson((await run('accounts', '--json')).stdout) as ReadonlyArray<{name: string; keys: number; bytes: number}>;
	return {home, run, list};
}

test('accounts lists name, keys and bytes of each account', async () => {
	const {run, list} = await createHome();
	const accounts = await list();
	assert.deepEqual(
		accounts.map(account => [Object.keys(account).join(' '), account.name, account.keys]),
		[
			['name keys bytes', 'default', 1],
			['name keys bytes', 'guests', 1],
		],
	);
	const {bytes} = accounts[0]!;
	assert.ok(bytes > 500, String(bytes));
	assert.deepEqual(await run('accounts'), ended(0, `default\t1\t${bytes}\nguests\t1\t${bytes}\n`));
	assert.deepEqual(await run('accounts', '--columns', 'name'), ended(0, 'default\nguests\n'));
	assert.equal((await runCommand(['accounts'], {env: createIsolatedHome().env})).exitCode, 4);
});

test('a dry run and --read-only delete nothing; an unknown name is told with those that are near', async () => {
	const {run, list} = await createHome();
	const [, guests] = await list();
	const readOnly = await run('accounts', 'delete', 'guests', '--yes', '--read-only', '--json');
	assert.deepEqual([readOnly.exitCode, lastError(readOnly).kind], [2, 'read-only']);
	const unknown = await run('accounts', 'delete', 'geusts', '--yes', '--json');
	assert.deepEqual(
		[unknown.exitCode, lastError(unknown)],
		[4, {kind: 'not-found', message: 'There is no account “geusts”. Did you mean: guests'}],
	);
	const note = 'Nothing was changed: this was a dry run.\n';
	assert.deepEqual(await run('accounts', 'delete', 'guests', '--dry-run', '--json'), ended(0, json([{...guests, deleted: true}]), note));
	assert.equal((await list()).length, 2);
	assert.deepEqual(await run('accounts', 'delete', 'Guests', '--yes', '--json'), ended(0, json([{...guests, deleted: true}])));
	assert.deepEqual(await run('accounts', 'delete', 'default', '--yes'), ended(0, 'default\tdeleted\n'));
	assert.deepEqual(await run('accounts', '--json'), ended(0, '[]\n'));
});
