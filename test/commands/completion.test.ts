import {execFileSync} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
	after,
	before,
	test,
	type TestContext,
} from 'node:test';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {programFile, runCommand} from '../helpers/run-command.ts';
import {isShellHere} from './shells.ts';

let home: IsolatedHome;
let service: LiveLikeService;

before(async () => {
	home = await createIsolatedHome();
	service = await startLiveLikeService();
	const names = ['Pantry light', 'pantry', 'Twin', 'twin', 'Straight', 'strasse', 'STRAße', '-dash', '1'];
	const category = 'background_daemon';
	service.installed = names.map((name, id) => ({id: id + 1, name, category}));
	service.abilities.push({id: 77, name: 'salt, pepper', category: 'skill'});
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work'], {env: home.env, stdin: service.apiKey});
	await runCommand(['installed'], {env: home.env});
	await runCommand(['abilities'], {env: home.env});
	// From here on nothing may be asked.
	await service.close();
});

after(async () => {
	await home[Symbol.asyncDispose]();
});

/** The lines that the script of a shell gets. */
const answer = async (shell: string, ...words: readonly string[]): Promise<readonly string[]> => {
	const {stdout} = await runCommand([shell === '' ? '__complete' : `__complete-${shell}`, ...words], {env: home.env});
	return stdout.split('\n').filter(line => line !== '');
};

/** The candidates for the last of the words, without their meanings. */
const complete = async (...words: readonly string[]): Promise<readonly string[]> =>
	(await answer('', ...words)).map(line => line.split('\t', 1)[0]!);

test('commands, subcommands and flags are completed', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('pro'), ['profiles']);
	t.assert.deepStrictEqual(await complete('profiles', 'u'), ['use']);
	t.assert.deepStrictEqual(await complete('--profile', 'work', 'keys', 're'), ['revoke']);
	t.assert.deepStrictEqual(await complete('enable', '--al'), ['--all']);
	t.assert.deepStrictEqual(await complete('completion', ''), ['bash', 'zsh', 'fish']);
	t.assert.deepStrictEqual(await complete('help', 'abilities', 'u'), ['upload']);
	t.assert.deepStrictEqual(await complete('serve', '--port', ''), []);
});

test('names come from the lists last seen, an id where a name does not say which, none twice', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('toggle', 'pan'), ['pantry light', 'pantry']);
	t.assert.deepStrictEqual(await complete('toggle', 'pantry', ''), ['Pantry light', '3', '4', 'Straight', 'strasse', 'STRAße', '9', '--']);
	t.assert.deepStrictEqual(await complete('abilities', 'get', 'desk'), ['desk']);
	t.assert.deepStrictEqual(await complete('--profile', ''), ['work', 'local']);
	t.assert.deepStrictEqual(await complete('toggle', '--profile', 'local', ''), []);
	t.assert.deepStrictEqual(await complete('toggle', '--profile', 'nobody', ''), []);
});

test('a value in one word with its option is completed as that word', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('--profile=wo'), ['--profile=work']);
	t.assert.deepStrictEqual(await complete('abilities', 'upload', 'x', '--category=br'), ['--category=brain', '--category=brain_skill']);
	t.assert.deepStrictEqual(await complete('--json=t'), []);
	t.assert.deepStrictEqual(await complete('enable', '--', '--profile=wo'), []);
});

test('candidates in another case go on from what is typed: what a shell puts in begins with that', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('toggle', 'Stra'), ['Straight', 'Strasse', 'Straße']);
	t.assert.deepStrictEqual(await complete('toggle', 'STRAI'), ['Straight']);
	// One takes what is typed as it is: the name of a profile.
	t.assert.deepStrictEqual(await complete('--profile', 'W'), ['work']);
	t.assert.deepStrictEqual(await complete('--P'), ['--profile']);
});

test('a name that begins with “-” comes after “--”', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('toggle', '--', '-'), ['-dash']);
	t.assert.strictEqual((await complete('toggle', '-')).at(-1), '--');
	t.assert.ok(!(await complete('toggle', '')).includes('-dash'));
	t.assert.deepStrictEqual(await answer('zsh', 'toggle', '-d'), ['-- -dash\tdaemon']);
	t.assert.deepStrictEqual(await answer('bash', '-d', 'toggle', '-d'), ['-- -dash']);
});

test('an id stands for a name that is an id itself, or cannot stand in a list', async (t: TestContext) => {
	t.assert.deepStrictEqual(await answer('zsh', 'toggle', '9'), ['9\t1']);
	t.assert.deepStrictEqual(await complete('agents', 'edit', 'Hearth', '--abilities', 'pantry,salt'), []);
	t.assert.deepStrictEqual(await complete('agents', 'edit', 'Hearth', '--abilities', 'pantry,7'), ['pantry,77']);
});

test('keys revoke offers the keys of the data folder, and makes none', async (t: TestContext) => {
	const elsewhere = path.join(home.folder, 'elsewhere');
	t.assert.deepStrictEqual(await complete('keys', 'revoke', '--data', elsewhere, ''), []);
	t.assert.ok(!existsSync(elsewhere));
	await runCommand(['keys', 'create', '--name', 'ci'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'laptop'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'ci', '--account', 'guest'], {env: home.env});
	t.assert.deepStrictEqual(await answer('zsh', 'keys', 'revoke', ''), ['1\tci', 'laptop\tof the account default', '3\tci']);
	t.assert.deepStrictEqual(await complete('keys', 'revoke', 'LAP'), ['laptop']);
	await runCommand(['keys', 'create', '--name', 'other', '--data', elsewhere], {env: home.env});
	t.assert.deepStrictEqual(await complete('keys', 'revoke', '--data', elsewhere, ''), ['other']);
});

test('what a candidate means comes with it', async (t: TestContext) => {
	t.assert.deepStrictEqual(await answer('fish', 'abilities', 'upload', 'x', '--category', 'd'), ['daemon\truns all session']);
	t.assert.deepStrictEqual(await answer('zsh', '--profile', 'w'), [`work\t${service.baseAddress}`]);
	t.assert.deepStrictEqual(await answer('zsh', 'versio'), ['version\tprint the version']);
});

test('the script of an earlier version still gets words, and passes them as they are typed', async (t: TestContext) => {
	t.assert.deepStrictEqual(await complete('toggle', '"Pantry l'), ['Pantry light']);
	t.assert.deepStrictEqual(await complete('toggle', String.raw`Pantry\ l`), ['Pantry light']);
});

test('the shells that are here understand their scripts', (t: TestContext) => {
	const shellsHere = (['bash', 'zsh', 'fish'] as const).filter(shell => isShellHere(shell));
	const complaints = shellsHere.map(shell => {
		const file = path.join(home.folder, `completion.${shell}`);
		writeFileSync(file, execFileSync(process.execPath, [programFile, 'completion', shell], {env: home.env, encoding: 'utf8'}));
		return execFileSync(shell, ['-n', file], {env: home.env, encoding: 'utf8'});
	});
	t.assert.deepStrictEqual(complaints, shellsHere.map(() => ''));
});
