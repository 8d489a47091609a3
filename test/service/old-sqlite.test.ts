import {assert, DatabaseSync, path, spawnSync, test} from '../helpers/node.ts';
import {migrateStore} from '../../source/service/store/open-store.ts';
import {earlierHomes} from '../helpers/earlier-homes.ts';

/** The sqlite3 of this machine: Debian 12 has 3.40, in which octet_length is unknown. */
const sqlite3 = (...words: readonly string[]) => spawnSync('sqlite3', words, {encoding: 'utf8'});

const version = sqlite3('--version').stdout?.split(' ', 1)[0];

const openEarlierHome = async (): Promise<string> => {
	const folder = await earlierHomes[0]!.createLocation();
	await migrateStore(folder);
	return path.join(folder, 'switchboard.db');
};

test('the schema of a database, brought forward too, has no function that the SQLite of Debian 12 lacks', async () => {
	using database = new DatabaseSync(await openEarlierHome());
	const schema = database.prepare('select group_concat(sql, char(10)) as sql from sqlite_schema').get()!['sql'];
	const functions = new Set([...String(schema).matchAll(/\b(?<name>[_a-z]+)\s*\(/g)].map(({groups}) => groups!['name']!));
	for (const name of ['octet_length', 'unixepoch', 'fold_name']) {
		assert.ok(!functions.has(name), name);
	}

	assert.ok(functions.has('length'));
});

test(`sqlite3 ${version ?? ''} checks the file, changes it and writes it anew`, {
	skip: version === undefined ? 'sqlite3 is not installed' : false,
}, async () => {
	const file = await openEarlierHome();
	const run = (sql: string): string => {
		const {status, stdout, stderr} = sqlite3(file, sql);
		assert.deepEqual([status, stderr], [0, '']);
		return stdout.trim();
	};

	assert.equal(run('pragma integrity_check'), 'ok');
	const before = run('select sum(bytes) from accounts');
	assert.equal(
		run("update agents set description = description || 'ä' where id = (select min(id) from agents); select sum(bytes) from accounts"),
		String(Number(before) + 2),
	);
	assert.equal(run('vacuum; pragma integrity_check'), 'ok');
});
