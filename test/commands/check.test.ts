import {assert, DatabaseSync, mkdirSync, path, readdirSync, readFileSync, statSync, test, writeFileSync} from '../helpers/node.ts';
import {cpSync} from 'node:fs';
import {checkSpace} from '../../source/service/store/sqlite/check-database.ts';
import {createIsolatedHome, ended, type IsolatedHome, json, lastError, parseJson, startServe, startTestService, runIn} from './kit.ts';

const dataFolderOf = (home: IsolatedHome): string => path.join(home.env['XDG_DATA_HOME']!, 'switchboard');

const databaseOf = (home: IsolatedHome): string => path.join(dataFolderOf(home), 'switchboard.db');

function change(home: IsolatedHome, sql: string): void {
	const database = new DatabaseSync(databaseOf(home), {enableForeignKeyConstraints: false});
	database.enableDefensive(false);
	database.exec(sql);
	database.close();
}

/** A home with the sample data, whose service has ended. */
const filled = createIsolatedHome();
const service = await startTestService({dataFolder: dataFolderOf(filled)});
await service.close();

function createFilledHome(): IsolatedHome {
	const home = createIsolatedHome();
	cpSync(dataFolderOf(filled), dataFolderOf(home), {recursive: true});
	return home;
}

const inOrder = ended(0, json({ok: true, findings: []}));

test('a database is in order while the service runs, after it has ended and after it was killed; nothing is changed', async () => {
	const home = createFilledHome();
	const run = runIn(home);
	// SQLite's index of the WAL is made anew by whoever opens it.
	const look = () =>
		readdirSync(dataFolderOf(home))
			.filter(name => !name.endsWith('-shm'))
			.map(name => {
				const file = path.join(dataFolderOf(home), name);
				return [name, readFileSync(file), statSync(file).mtimeMs];
			});
	const before = look();
	assert.deepEqual(await run('check', '--json'), inOrder);
	assert.deepEqual(look(), before);
	const {stdout} = await run('check');
	assert.deepEqual(stdout.replaceAll(/[\d.]+ (?:KB|MB|GB|bytes)/g, 'N').split('\n'), [
		`The database in ${dataFolderOf(home)} is in order.`,
		'It holds 1 account, 1 key, 3 agents, 14 abilities (12 installed) and 14 releases. Its history has 1 entry.',
		'The file has N (N unused); its disk has N free.',
		'',
	]);
	const service = await startServe(home, ['--port', '0']);
	await run('keys', 'create');
	assert.deepEqual(await run('check', '--json'), inOrder);
	service.kill();
	await service.exited;
	const afterKill = look();
	assert.deepEqual(await run('check', '--json'), inOrder);
	assert.deepEqual(look(), afterKill);
});

test('a folder without a database is an error, and none is created', async () => {
	const home = createIsolatedHome();
	mkdirSync(path.join(home.folder, 'empty'), {mode: 0o700});
	for (const words of [[], ['--data', 'empty'], ['--data', 'missing/folder']]) {
		const result = await runIn(home)('check', '--json', ...words);
		assert.deepEqual([result.exitCode, result.stdout, lastError(result).kind], [4, '', 'not-found']);
		assert.match(lastError(result).message, /^There is no database in .*\. Name the data folder of the service\.$/);
	}

	assert.deepEqual([readdirSync(path.join(home.folder, 'empty')), readdirSync(home.env['XDG_DATA_HOME']!)], [[], []]);
});

type Report = {
	readonly ok: boolean;
	readonly findings: ReadonlyArray<{readonly severity: string; readonly kind: string; readonly message: string}>;
};

async function reportOf(home: IsolatedHome) {
	const result = await runIn(home)('check', '--json');
	const {ok, findings} = parseJson(result.stdout) as Report;
	return {result, ok, findings};
}

const loseIdentifier = 'delete from identifiers where id = (select min(id) from abilities)';

const leaveFile = "insert into release_files (release_id, path, content) values (9999, 'main.py', x'00')";

const loseIndex = `
	create index other on api_keys (account_id);
	pragma writable_schema = on;
	update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'other') where name = 'agents_by_account'`;

for (const [title, sql, kind, expected] of [
	[
		'an account that counts as holding too little',
		'update accounts set bytes = bytes - 1000000',
		'sizes',
		/^The account “default” counts as .* for its limit, but holds .*\.$/,
	],
	[
		'a history that counts wrong',
		'update history set bytes = bytes + 5000',
		'sizes',
		/^The history of the account “default” counts as .*, but holds .*\.$/,
	],
	[
		'an entry of the history with the number of a later one',
		'update history set number = 7',
		'references',
		/^The history of the account “default” has entries whose numbers do not follow each other\.$/,
	],
	[
		'a row that refers to nothing',
		loseIdentifier,
		'references',
		/^In the table abilities, 1 of the rows refer to .* in the table identifiers\. Restore it from a backup\.$/,
	],
	[
		'a name that is stored wrong',
		"update abilities set folded_name = 'elsewhere' where name = 'pantry'",
		'names',
		/^The ability “pantry” \(id \d+\) is stored under a name that does not match\.$/,
	],
	// Not a whole character, where a text ends, either.
	[
		'a text that is not UTF-8',
		"update agents set description = cast(x'41c3' as text) where id = (select min(id) from agents)",
		'damage',
		/^In the table agents, 1 of the texts of description are damaged: not UTF-8\. /,
	],
	['a newer version', 'pragma user_version = 99', 'migration', /^It was written by a newer Switchboard: it has version 99, /],
	['an index that lost its rows', loseIndex, 'damage', /^It is damaged: .* Restore it from a backup\.$/],
] as const) {
	test(`${title} is a problem: exit 1, and it is told`, async () => {
		const home = createFilledHome();
		change(home, sql);
		const before = readFileSync(databaseOf(home));
		const {result, ok, findings} = await reportOf(home);
		assert.deepEqual(
			[result.exitCode, ok, findings[0]?.severity, findings[0]?.kind],
			[1, false, 'problem', kind],
			result.stdout + result.stderr,
		);
		assert.match(findings[0]!.message, expected);
		assert.deepEqual(lastError(result), {
			kind: 'unexpected',
			message: `The check found ${findings.length === 1 ? '1 problem' : `${findings.length} problems`}.`,
		});
		assert.deepEqual(readFileSync(databaseOf(home)), before);
	});
}

for (const [title, sql, kind, expected] of [
	[
		'an earlier version',
		'pragma user_version = 3',
		'migration',
		/^It has version 3\. “switchboard serve” or “switchboard migrate” of this program brings it to version \d+; make a backup first\. /,
	],
	[
		'the files of an upload that was cut off',
		leaveFile,
		'references',
		/^It holds 1 of the files of uploads that are under way or were cut off\. /,
	],
] as const) {
	test(`${title} is told, and no problem`, async () => {
		const home = createFilledHome();
		change(home, sql);
		const {result, ok, findings} = await reportOf(home);
		assert.deepEqual([result.exitCode, result.stderr, ok, findings.map(({severity}) => severity)], [0, '', true, ['note']]);
		assert.equal(findings[0]!.kind, kind);
		assert.match(findings[0]!.message, expected);
	});
}

test('a damaged file is described, and stays as it is', async () => {
	const home = createFilledHome();
	const bytes = readFileSync(databaseOf(home));
	for (const [from, to, file] of [
		[8192, 20_000, bytes],
		[0, bytes.length, bytes],
	] as const) {
		file.fill(7, from, to);
		writeFileSync(databaseOf(home), file);
		const {result, ok, findings} = await reportOf(home);
		assert.deepEqual([result.exitCode, ok, findings[0]?.kind], [1, false, 'damage'], result.stderr);
		assert.deepEqual(readFileSync(databaseOf(home)), file);
	}
});

test('the database of another program is refused', async () => {
	const home = createIsolatedHome();
	await runIn(home)('keys', 'create');
	change(home, 'pragma application_id = 7');
	const result = await runIn(home)('check', '--json');
	assert.deepEqual([result.exitCode, result.stdout], [1, '']);
	assert.match(lastError(result).message, /is the database of another program/);
});

test('a disk that is nearly full is a problem', () => {
	assert.deepEqual(checkSpace(1024 * 1024 * 1024), []);
	assert.deepEqual(
		checkSpace(5 * 1024 * 1024).map(({severity, kind, message}) => [severity, kind, message]),
		[['problem', 'space', 'Its disk has only 5 MB free, and no change can be stored on a full disk. Make room on it.']],
	);
});
