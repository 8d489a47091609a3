import {assert, path, test, writeFile} from '../helpers/node.ts';
import {inspect} from 'node:util';
import {startService} from '../../source/service/service.ts';
import {checkStore, copyStore, planCopy} from '../../source/service/store/maintenance.ts';
import {migrateStore, openStore} from '../../source/service/store/open-store.ts';
import {fieldsOf, newAbility, noAgent, setVariables, sharedPostgres, skip, temporaryFolder} from './kit.ts';

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

/** The error without any form of the password, also in what it was caused by. */
async function errorOf(url: string): Promise<Error> {
	try {
		await (await openStore(url)).close();
	} catch (error) {
		const {password} = new URL(url);
		const all = inspect(error, {depth: 10, showHidden: true});
		assert.ok(!all.includes(password), all);
		assert.ok(!all.includes(decodeURIComponent(password)), all);
		return error as Error;
	}

	throw new Error('It was opened');
}

test('a schema “switchboard” of another program is refused and gets no tables, and other tables are left alone', {skip}, async () => {
	const server = await sharedPostgres();
	const url = await server.createDatabase();
	await server.administer(
		'create schema switchboard; create table switchboard.accounts (phone text); grant all on schema switchboard to public; create table public.accounts (owner text)',
		url,
	);
	assert.match((await errorOf(url)).message, /^The schema “switchboard” of the database postgres:.* is of another program\.$/);
	const tables = "select schemaname || '.' || tablename as name from pg_tables where tablename = 'accounts' order by 1";
	assert.deepEqual(await server.administer(tables, url), [{name: 'public.accounts'}, {name: 'switchboard.accounts'}]);

	await server.administer('drop schema switchboard cascade', url);
	await (await openStore(url)).close();
	assert.deepEqual(await server.administer('select * from public.accounts', url), []);
});

const unicode = 'UTF8';

const copyOptions = {signal: new AbortController().signal, onProgress: () => undefined};

/** A database with tables of ours that an earlier program made in another encoding than UTF8. */
async function createFilled(encoding: string): Promise<string> {
	const server = await sharedPostgres();
	const url = await server.createEncoded(unicode);
	const store = await openStore(url);
	await store.accounts.ensure('default');
	await store.close();
	await server.administer(
		`update pg_database set encoding = pg_char_to_encoding('${encoding}') where datname = '${new URL(url).pathname.slice(1)}'`,
	);
	await server.administer(
		"insert into switchboard.identifiers (id) values (900); insert into switchboard.agents (id, account_id, name, description) select 900, id, 'Café', '' from switchboard.accounts",
		url,
	);
	return url;
}

test('tables are made in UTF8 only: in any other encoding nothing is created, with what to do', {skip}, async () => {
	const server = await sharedPostgres();
	const source = await createFilled(unicode);
	for (const encoding of ['LATIN1', 'SQL_ASCII', 'EUC_JP']) {
		const url = await server.createEncoded(encoding);
		const refusal = {
			kind: 'refused',
			message: new RegExp(`^The database postgres:.* has the encoding ${encoding}, which .*, so no tables are made in it`),
			nextStep: /createdb .*UTF8/,
		};
		await assert.rejects(openStore(url), refusal);
		await assert.rejects(planCopy(source, url, copyOptions), refusal);
		await assert.rejects(checkStore(url), refusal);
		assert.deepEqual(await server.administer("select 1 from pg_namespace where nspname = 'switchboard'", url), []);
	}
});

test('a database of ours in another encoding is read, checked and copied, and nothing else; the message says how to copy it', {
	skip,
}, async () => {
	const url = await createFilled('LATIN1');
	const refusal = {kind: 'refused', message: /has the encoding LATIN1, .*\. It is only read\.$/, nextStep: /UTF8.*switchboard copy --from/};
	await assert.rejects(openStore(url), refusal);
	await assert.rejects(migrateStore(url), refusal);
	await assert.rejects(copyStore(await createFilled(unicode), url, copyOptions), refusal);
	const {findings} = await checkStore(url);
	assert.deepEqual(fieldsOf(findings, 'severity', 'kind'), [['problem', 'encoding']]);
	assert.match(findings[0]!.message, /^It has the encoding LATIN1, which does not have all characters\. Copy it .*switchboard copy/);
	const target = await (await sharedPostgres()).createDatabase();
	await copyStore(url, target, copyOptions);
	const store = await openStore(target);
	assert.ok((await store.agents.list(await store.accounts.ensure('default'))).records.some(({name}) => name === 'Café'));
	await store.close();
});

test('a user that may not change all tables is found by the check, and no service says that it is ready', {skip}, async () => {
	const server = await sharedPostgres();
	const url = await server.createDatabase();
	const store = await openStore(url);
	assert.deepEqual((await checkStore(url)).findings, []);
	await server.administer('revoke update on switchboard.agents from switchboard', url);
	const {findings} = await checkStore(url);
	assert.deepEqual(fieldsOf(findings, 'severity', 'kind'), [['note', 'rights']]);
	assert.match(findings[0]!.message, /^The user of this URL may not read and change all tables/);
	await assert.rejects(store.ready(), {kind: 'unreachable', message: /permission denied|may not change all tables/});
	await store.close();
});

test('a database of ours in SQL_ASCII goes on, with a warning at each start and in the check', {skip}, async () => {
	const url = await createFilled('SQL_ASCII');
	const {findings} = await checkStore(url);
	assert.deepEqual(fieldsOf(findings, 'severity', 'kind'), [['note', 'encoding']]);
	const service = await startService({location: url});
	assert.match(service.notes.join('\n'), /^The database postgres:.* has the encoding SQL_ASCII, which checks no text\. Copy it/);
	await service.close();
	const store = await openStore(`${url}?client_encoding=latin1`);
	const account = await store.accounts.ensure('default');
	await store.abilities.add(account, newAbility({description: '„schön“'}), noAgent);
	const {records} = await store.abilities.list(account);
	assert.deepEqual(fieldsOf(records, 'description'), ['„schön“']);
	await store.close();
});

test('a database that refuses the user, or does not exist, is told with what to do and without the password', {skip}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	const wrong = new URL(url);
	wrong.password = 'another%20word';
	const missing = new URL(url);
	missing.pathname = '/missing';
	for (const [location, reason, nextStep] of [
		[wrong, /password authentication failed/, /PGPASSFILE/],
		[missing, /"missing" does not exist/, /createdb/],
	] as const) {
		const error = await errorOf(location.href);
		assert.match(error.message, reason);
		assert.match((error as Error & {nextStep: string}).nextStep, nextStep);
		assert.equal((error as Error & {kind: string}).kind, 'unreachable');
	}
});

test('a store opens through a Unix socket, with the password from PGPASSFILE', {skip}, async t => {
	const server = await sharedPostgres();
	const url = await server.createDatabase();
	const file = path.join(temporaryFolder(), 'pgpass');
	await writeFile(file, `*:*:*:*:${passwordOf(url).replaceAll(':', String.raw`\:`)}\n`, {mode: 0o600});
	setVariables(t, {PGPASSFILE: file});
	const store = await openStore(
		`postgresql://switchboard@${encodeURIComponent(server.socketFolder)}:${server.port}${new URL(url).pathname}`,
	);
	await store.ready();
	await store.close();
});

test('texts with any character come back as they were, and are sorted by their bytes whatever the locale of the database', {
	skip,
}, async () => {
	const server = await sharedPostgres();
	const base = await server.createDatabase();
	await server.administer("create database swedish owner switchboard template template0 locale_provider icu icu_locale 'sv'");
	const url = base.replace(/\/test_\w+$/, '/swedish');
	const store = await openStore(url);
	const accountId = await store.accounts.ensure('Ö');
	const name = 'ünï 𝒸öde 🦉 \u{10FFFF} \u{1} \'"\\ {} \u{FEFF}';
	const files = ['b', 'ä', 'a/ö', 'B', 'a_', 'a-', 'z', '🦉'].map(each => ({path: each, bytes: new Uint8Array([0, 255])}));
	const {result: id} = await store.abilities.add(
		accountId,
		{name, category: 'skill', description: '\u{1F989}', triggerPhrases: ['{"a"}', 'ß'], files, installedAs: true, changedAt: new Date()},
		() => undefined,
	);
	const ability = await store.abilities.get(accountId, id);
	assert.deepEqual([ability.name, ability.description, ability.trigger_words], [name, '\u{1F989}', ['{"a"}', 'ß']]);
	const source = await store.releases.readSource(accountId, id);
	assert.deepEqual(fieldsOf(source.files, 'path'), ['B', 'a-', 'a/ö', 'a_', 'b', 'z', 'ä', '🦉']);
	assert.deepEqual([...(await store.releases.readBytes(source, 'ä', 1, 5))], [255]);
	await store.close();
});
