import {assert, existsSync, path, readdirSync, test} from '../helpers/node.ts';
import {createIsolatedHome, lastError, runCommand} from './kit.ts';

const secret = 'wh1sper%40home';

const elsewhere = `postgres://home:${secret}@127.0.0.1:1/home`;

async function run(words: readonly string[], variable?: string) {
	const home = createIsolatedHome();
	const result = await runCommand([...words, '--json'], {
		env: {...home.env, ...(variable !== undefined && {SWITCHBOARD_DATABASE_URL: variable})},
		cwd: home.folder,
	});
	return {...result, home, error: result.exitCode === 0 ? undefined : lastError(result)};
}

/** The commands that take one; all read it by the same function. */
const commands: ReadonlyArray<readonly string[]> = [
	['serve', '--port', '0'],
	['keys', 'create'],
	['keys', 'list'],
	['keys', 'revoke', 'ci'],
	['check'],
];

const urlsWithPassword = [
	elsewhere,
	'postgresql://127.0.0.1/home?user=home&password=wh1sper%40home',
	`postgres://:${secret}@localhost/home`,
];

test('no password is taken on the command line; it is said where it belongs, and repeated nowhere', async () => {
	for (const [words, url] of [
		...commands.map(each => [each, elsewhere] as const),
		...urlsWithPassword.map(each => [['check'], each] as const),
	]) {
		const {exitCode, stdout, stderr, error, home} = await run([...words, '--database-url', url, '--debug']);
		assert.deepEqual([exitCode, stdout, error?.kind], [2, '', 'insecure'], words.join(' '));
		assert.match(error!.message, /SWITCHBOARD_DATABASE_URL.*PGPASSFILE/);
		assert.doesNotMatch(stderr, /wh1sper/);
		assert.deepEqual(readdirSync(home.env['XDG_DATA_HOME']!), []);
	}
});

test('a URL of another kind or with a mistake, an empty one, and one beside a folder are refused', async () => {
	for (const [options, expected] of [
		[
			['--database-url', `mysql://home:${secret}@127.0.0.1/home`],
			/is not the URL of a PostgreSQL database\. Use a URL such as postgres:\/\//,
		],
		[['--database-url', 'home'], /is not the URL of a PostgreSQL database/],
		[['--database-url', `postgres://home:${secret}#x@127.0.0.1/home`], /is not a valid URL/],
		[['--database-url', 'postgres://home:wh1/sper@127.0.0.1/home'], /is not a valid URL\. .* as in %40 for @ and %2F for \/\.$/],
		[['--database-url', 'postgres://home:12#wh1sper@127.0.0.1/home'], /is not a valid URL\. /],
		[['--database-url', ''], /^The value for --database-url is empty\. Use a URL/],
		[['--database-url', 'postgres://127.0.0.1:1/home', '--data', 'elsewhere'], /^--data and --database-url cannot be used together\. /],
	] as const) {
		const {exitCode, stderr, error, home} = await run(['check', ...options]);
		assert.deepEqual([exitCode, error?.kind], [2, 'usage'], options.join(' '));
		assert.match(error!.message, expected);
		assert.doesNotMatch(stderr, /wh1|sper/);
		assert.equal(existsSync(path.join(home.folder, 'elsewhere')), false);
	}
});

test('what is wrong with SWITCHBOARD_DATABASE_URL is said without repeating its password', async () => {
	for (const [words, variable, expected] of [
		...commands.map(each => [each, '', /^SWITCHBOARD_DATABASE_URL is empty\. Set it to a URL such as .*, or unset it/] as const),
		[
			['check'],
			`mysql://home:${secret}@127.0.0.1/home`,
			/^The value of SWITCHBOARD_DATABASE_URL is not the URL of a PostgreSQL database\. /,
		],
		[['check'], `postgres://home:${secret}@127.0.0.1:port/home`, /^The value of SWITCHBOARD_DATABASE_URL is not a valid URL\. /],
	] as const) {
		const {exitCode, stdout, stderr, error, home} = await run(words, variable);
		assert.deepEqual([exitCode, stdout, error?.kind], [2, '', 'usage'], variable);
		assert.match(error!.message, expected);
		assert.doesNotMatch(stderr, /wh1sper/);
		assert.deepEqual(readdirSync(home.env['XDG_DATA_HOME']!), []);
	}
});

test('--data beats SWITCHBOARD_DATABASE_URL, and the profile “local” ignores it', async () => {
	for (const variable of [elsewhere, '']) {
		const created = await run(['keys', 'create', '--data', 'folder'], variable);
		assert.equal(created.exitCode, 0, created.stderr);
		assert.ok(existsSync(path.join(created.home.folder, 'folder', 'switchboard.db')));
		const listed = await run(['installed', '--profile', 'local'], variable);
		assert.deepEqual([listed.exitCode, listed.stderr], [0, '']);
		assert.match(listed.stdout, /"name": "pantry"/);
	}
});

test('a password in a URL is not repeated, wherever it was written', async () => {
	for (const words of [['keys', 'list', elsewhere], [elsewhere], ['serve', elsewhere], ['keys', 'revoke', elsewhere]]) {
		const {exitCode, stderr} = await run(words);
		assert.ok(exitCode === 2 || exitCode === 4, stderr);
		assert.doesNotMatch(stderr, /wh1sper/);
	}
});
