import {assert, before, execFileSync, existsSync, path, test, writeFileSync} from '../helpers/node.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {isShellHere} from './shells.ts';
import {createIsolatedHome, type IsolatedHome, runCommand} from './kit.ts';

let home: IsolatedHome;
let service: LiveLikeService;

before(async () => {
	home = createIsolatedHome();
	service = await startLiveLikeService();
	const names = ['Pantry light', 'pantry', 'Twin', 'twin', 'Twin', 'Straight', 'strasse', 'STRAße', '-dash', '1'];
	const category = 'background_daemon';
	service.installed = names.map((name, id) => ({id: id + 1, name, category, enabled: true}));
	service.abilities.push({id: 77, name: 'salt, pepper', category: 'skill'});
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work'], {
		env: home.env,
		stdin: service.apiKey,
	});
	await runCommand(['installed'], {env: home.env});
	await runCommand(['abilities'], {env: home.env});
	await runCommand(['agents'], {env: home.env});
	await runCommand(['presets', 'save', 'evening'], {env: home.env});
	// From here on nothing may be asked.
	await service.close();
});

/** The lines that the script of a shell gets. */
async function answer(shell: string, ...words: readonly string[]): Promise<readonly string[]> {
	const {stdout} = await runCommand([shell === '' ? '__complete' : `__complete-${shell}`, ...words], {env: home.env});
	return stdout.split('\n').filter(line => line !== '');
}

/** The candidates for the last of the words, without their meanings. */
const complete = async (...words: readonly string[]): Promise<readonly string[]> =>
	(await answer('', ...words)).map(line => line.split('\t', 1)[0]!);

test('commands, subcommands, topics and options are completed', async () => {
	assert.deepEqual(await complete('pro'), ['profiles']);
	assert.deepEqual(await complete('profiles', 'u'), ['use']);
	assert.deepEqual(await complete('--profile', 'work', 'keys', 're'), ['revoke']);
	assert.deepEqual(await complete('enable', '--al'), ['--all']);
	assert.deepEqual(await complete('completion', ''), ['bash', 'zsh', 'fish']);
	assert.deepEqual(await complete('help', 'abilities', 'u'), ['upload']);
	assert.deepEqual(await complete('api', 'P'), ['POST', 'PUT', 'PATCH']);
	assert.deepEqual(await complete('api', 'GET', '/api/capabilities/install'), ['/api/capabilities/install-capability/']);
	assert.deepEqual(await complete('serve', '--port', ''), []);
	assert.deepEqual(await complete('keys', 'create', '--only', ''), ['switch']);
	assert.deepEqual(await complete('installed', '--filter', 'is:o'), ['is:on', 'is:off']);
	assert.deepEqual(await complete('abilities', '--filter', 'pan !is:of'), ['pan !is:off']);
	assert.deepEqual(await complete('abilities', '--filter=agent:h'), ['--filter=agent:Hearth']);
	assert.deepEqual(await complete('history', '--since', 'y'), ['yesterday']);
	assert.deepEqual(await complete('disable', '--until', ''), ['tomorrow']);
	assert.deepEqual(await complete('disable', '--for=2'), ['--for=2h']);
	assert.deepEqual(await complete('timers', 'set', 'pantry', 'o'), ['on', 'off']);
	assert.deepEqual(await complete('history', 're'), ['revert']);
	assert.deepEqual(await complete('history', '--kind', ''), ['installed', 'ability', 'agent', 'key']);
	assert.deepEqual(await complete('history', 'salt'), ['salt, pepper']);
});

test('names come from the stored lists, with ids for ambiguous names, none twice', async () => {
	assert.deepEqual(await complete('toggle', 'pan'), ['pantry light', 'pantry']);
	assert.deepEqual(await complete('toggle', 'pantry', ''), ['Pantry light', '3', 'twin', '5', 'Straight', 'strasse', 'STRAße', '10', '--']);
	assert.deepEqual(await complete('abilities', 'get', 'desk'), ['desk']);
	assert.deepEqual(await complete('agents', 'get', 'h'), ['Hearth']);
	assert.deepEqual(await complete('agents', 'get', 'Hearth', '--pro'), ['--prompt', '--profile']);
	assert.deepEqual(await complete('abilities', 'pull', 'desk'), ['desk']);
	assert.deepEqual(await complete('abilities', 'diff', 'desk'), ['desk']);
	assert.deepEqual(await complete('abilities', 'diff', 'desk', ''), []);
	assert.deepEqual(await complete('abilities', 'push', ''), []);
	assert.deepEqual(await complete('--profile', ''), ['work', 'local']);
	assert.deepEqual(await complete('profiles', 'use', ''), ['work', 'local']);
	assert.deepEqual(await complete('toggle', '--profile', 'local', ''), []);
	assert.deepEqual(await complete('toggle', '--profile', 'nobody', ''), []);
});

test('the columns and formats of a list are completed, for the list alone', async () => {
	assert.deepEqual(await complete('agents', '--columns', ''), ['id', 'name', 'abilities', 'prompt']);
	assert.deepEqual(await complete('agents', 'list', '--columns', 'id,na'), ['id,name']);
	assert.deepEqual(await complete('keys', 'list', '--format=js'), ['--format=json', '--format=jsonl']);
	assert.deepEqual(await complete('profiles', '--form'), ['--format']);
	assert.deepEqual(await complete('agents', 'edit', '--form'), []);
});

test('wait completes what is installed and the states, and the commands that talk complete agents', async () => {
	assert.deepEqual(await complete('wait', 'pan'), ['pantry light', 'pantry']);
	assert.deepEqual(await complete('wait', 'pantry', '--for', ''), ['on', 'off']);
	for (const words of [['chat'], ['logs'], ['say', 'hello', '--agent']]) {
		assert.deepEqual(await complete(...words, 'h'), ['Hearth']);
	}

	assert.deepEqual(await complete('logs', '--level', 'w'), ['warning']);
	assert.deepEqual(await complete('watch', '--in'), ['--interval', '--insecure-http']);
});

test('a value after = is completed', async () => {
	assert.deepEqual(await complete('--profile=wo'), ['--profile=work']);
	assert.deepEqual(await complete('abilities', 'upload', 'x', '--category=br'), ['--category=brain', '--category=brain_skill']);
	assert.deepEqual(await complete('--json=t'), []);
	assert.deepEqual(await complete('enable', '--', '--profile=wo'), []);
});

test('candidates in another case keep what is typed', async () => {
	assert.deepEqual(await complete('toggle', 'Stra'), ['Straight', 'Strasse', 'Straße']);
	assert.deepEqual(await complete('toggle', 'STRAI'), ['Straight']);
	// One takes what is typed as it is: the name of a profile.
	assert.deepEqual(await complete('--profile', 'W'), ['work']);
	assert.deepEqual(await complete('--P'), ['--profile']);
});

test('a name that starts with “-” is offered after “--”', async () => {
	assert.deepEqual(await complete('toggle', '--', '-'), ['-dash']);
	assert.equal((await complete('toggle', '-')).at(-1), '--');
	assert.ok(!(await complete('toggle', '')).includes('-dash'));
	assert.deepEqual(await answer('zsh', 'toggle', '-d'), ['-- -dash\tdaemon']);
	assert.deepEqual(await answer('bash', '-d', 'toggle', '-d'), ['-- -dash']);
});

test('an id replaces a name that looks like an id or holds a comma', async () => {
	assert.deepEqual(await answer('zsh', 'toggle', '10'), ['10\t1']);
	assert.deepEqual(await complete('agents', 'edit', 'Hearth', '--abilities', 'pantry,salt'), []);
	assert.deepEqual(await complete('agents', 'edit', 'Hearth', '--abilities', 'pantry,7'), ['pantry,77']);
});

test('what narrows --all down is completed: a list of exceptions, categories and agents', async () => {
	assert.deepEqual(await complete('disable', '--all', '--except', 'pantry,Stra'), ['pantry,Straight', 'pantry,Strasse', 'pantry,Straße']);
	assert.deepEqual(await complete('disable', '--all', '--except=3,Pantry l'), ['--except=3,Pantry light']);
	assert.deepEqual(await complete('toggle', '--all', '--category', 'b'), ['brain', 'brain_skill', 'background_daemon']);
	assert.deepEqual(await complete('toggle', '--all', '--agent', 'h'), ['Hearth']);
	assert.ok((await complete('abilities', 'push', '--ability', 'pan')).includes('pantry'));
});

test('install completes abilities; uninstall and installed edit complete installed ones', async () => {
	assert.deepEqual(await complete('install', 'de'), ['desk']);
	assert.deepEqual(await complete('install', 'desk', 'sal'), ['salt, pepper']);
	assert.deepEqual(await complete('uninstall', '--yes', 'STRAI'), ['Straight']);
	assert.deepEqual(await complete('installed', 'edit', 'pan'), ['pantry light', 'pantry']);
	assert.deepEqual(await complete('installed', 'edit', 'pantry', '--no'), ['--no-triggers', '--no-color']);
	assert.deepEqual(await complete('uninstall', '--dr'), ['--dry-run']);
});

test('presets are completed by name, those of the chosen profile', async () => {
	assert.deepEqual(await complete('presets', 'apply', ''), ['evening']);
	assert.deepEqual(await complete('presets', 'apply', '--profile', 'local', ''), []);
});

test('keys revoke offers the keys of the data folder without creating it', async () => {
	const elsewhere = path.join(home.folder, 'elsewhere');
	assert.deepEqual(await complete('keys', 'revoke', '--data', elsewhere, ''), []);
	assert.ok(!existsSync(elsewhere));
	await runCommand(['keys', 'create', '--name', 'ci'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'laptop'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'ci', '--account', 'guest'], {env: home.env});
	assert.deepEqual(await answer('zsh', 'keys', 'revoke', ''), ['1\tci', 'laptop\taccount default', '3\tci']);
	assert.deepEqual(await complete('keys', 'revoke', 'LAP'), ['laptop']);
	await runCommand(['keys', 'create', '--name', 'other', '--data', elsewhere], {env: home.env});
	assert.deepEqual(await complete('keys', 'revoke', '--data', elsewhere, ''), ['other']);
});

test('candidates come with their meaning', async () => {
	assert.deepEqual(await answer('fish', 'abilities', 'upload', 'x', '--category', 'd'), ['daemon\truns all session']);
	assert.deepEqual(await answer('zsh', '--profile', 'w'), [`work\t${service.baseAddress}`]);
	assert.deepEqual(await answer('zsh', 'versio'), ['version\tprint the version']);
});

test('the script of an earlier version still works', async () => {
	assert.deepEqual(await complete('toggle', '"Pantry l'), ['Pantry light']);
	assert.deepEqual(await complete('toggle', String.raw`Pantry\ l`), ['Pantry light']);
});

test('the installed shells accept their scripts', async () => {
	for (const shell of (['bash', 'zsh', 'fish'] as const).filter(name => isShellHere(name))) {
		const file = path.join(home.folder, `completion.${shell}`);
		writeFileSync(file, (await runCommand(['completion', shell], {env: home.env})).stdout);
		assert.equal(execFileSync(shell, ['-n', file], {env: home.env, encoding: 'utf8'}), '');
	}
});
