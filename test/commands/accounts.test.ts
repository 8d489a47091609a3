import {assert, process, test} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {ended, json, lastError, openPseudoTerminal, parseJson, programFile, runCommand} from './kit.ts';

const createHome = async () => {
	const home = createIsolatedHome();
	const run = async (...words: readonly string[]) => runCommand(words, {env: home.env});
	for (const account of ['default', 'guests']) {
		await run('keys', 'create', '--account', account);
	}

	const list = async () =>
		parseJson((await run('accounts', '--json')).stdout) as ReadonlyArray<{name: string; keys: number; bytes: number}>;
	return {home, run, list};
};

/** Answers the question of accounts delete on a terminal. */
const answer = async ({env}: IsolatedHome, typed: string, ...words: readonly string[]) => {
	await using terminal = openPseudoTerminal({
		command: process.execPath,
		args: [programFile, 'accounts', 'delete', ...words],
		env,
		columns: 200,
	});
	await terminal.waitFor('[y/N]');
	terminal.write(typed);
	const {exitCode} = await terminal.exited;
	return [exitCode, ...terminal.screen().filter(line => line !== '')];
};

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

test('accounts delete asks on a terminal, and deletes nothing without a yes', async () => {
	const {home, list} = await createHome();
	const {bytes} = (await list())[0]!;
	const question = `Delete the account “guests” with all that it holds (${bytes} bytes) and its 1 key? This cannot be undone. [y/N]`;
	assert.deepEqual(await answer(home, 'n\r', 'guests'), [2, `${question} n`, 'Nothing was deleted.']);
	assert.equal((await list()).length, 2);
	assert.deepEqual(await answer(home, 'y\r', 'guests'), [0, `${question} y`, 'Deleted the account guests.']);
	assert.deepEqual(
		(await list()).map(({name}) => name),
		['default'],
	);
});

test('elsewhere accounts delete needs --yes; a dry run and --read-only delete nothing; an unknown name is told with those that are near', async () => {
	const {run, list} = await createHome();
	const [, guests] = await list();
	const refused = await run('accounts', 'delete', 'guests', '--json');
	assert.deepEqual(
		[refused.exitCode, refused.stdout, lastError(refused)],
		[2, '', {kind: 'usage', message: 'Cannot ask for confirmation without a terminal. Use --yes to delete without confirmation.'}],
	);
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
