import {assert, Buffer, createHash, DatabaseSync, path, randomBytes, test, type TestContext} from '../helpers/node.ts';
import {closeSync, existsSync, openSync, writeSync} from 'node:fs';
import {readSampleHome} from '../../source/service/sample/read-sample-home.ts';
import {copyStore} from '../../source/service/store/maintenance.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import {copiedTables} from '../../source/service/store/sql/copy-records.ts';
import type {Store} from '../../source/service/store/store.ts';
import {
	fieldsOf,
	openTestStore,
	readRows,
	sharedPostgres,
	skipWithoutPostgres,
	temporaryDataFolder,
	type TestedDatabase,
	testedDatabases,
} from './kit.ts';

const quiet = {
	signal: new AbortController().signal,
	onProgress() {
		/* Nobody looks. */
	},
};

const hash = createHash('sha256').update('a key').digest();

/** Larger than what is read at once. */
const largeFile = {path: 'sound.bin', bytes: randomBytes(1024 * 1024)};

async function fill(store: Store): Promise<void> {
	await store.accounts.fill('default', await readSampleHome());
	await store.accounts.addKey('default', hash, () => 'ci');
	await store.accounts.addKey('Gäste', createHash('sha256').update('another').digest(), () => 'Schlüssel');
	await store.accounts.addKey('Gäste', createHash('sha256').update('gone').digest(), () => 'gone');
	await store.accounts.removeKeys(keys => keys.filter(({name}) => name === 'gone'));
	const {id} = (await store.accounts.find('Gäste'))!;
	const {result: ability} = await store.abilities.add(
		id,
		{
			name: 'Küche',
			category: 'skill',
			description: 'mit Ton',
			triggerPhrases: ['Küche an'],
			files: [largeFile, {path: 'empty.txt', bytes: Buffer.alloc(0)}, {path: 'main.py', bytes: Buffer.from('pass\n')}],
			installedAs: true,
			changedAt: new Date(0),
			image: {name: 'küche.png', bytes: randomBytes(1000)},
		},
		agents => [...agents][0],
	);
	const {result: gone} = await store.abilities.add(
		id,
		{name: 'gone', category: 'skill', description: '', triggerPhrases: [], files: [], installedAs: undefined, changedAt: new Date(0)},
		() => undefined,
	);
	await store.abilities.remove(id, [gone]);
	const {releaseId} = await store.releases.readSource(id, ability);
	await store.releases.save(id, releaseId, {isCommitted: false, commitMessage: 'louder', createdAt: new Date(1), files: [largeFile]});
	const [agent] = (await store.agents.list(id)).records;
	await store.agents.change(id, agent!.id, () => ({description: 'Long\n'.repeat(500)}));
}

/** The history of an account, with the whole texts of its newest entry. */
async function historyOf({history}: Store, id: number) {
	const page = await history!.read(id, {limit: 1000});
	return [page, await history!.read(id, {limit: 1, entry: page.entries[0]!.id})];
}

/** All that clients could see of an account. */
async function seenOf(store: Store, account: string) {
	const {id} = (await store.accounts.find(account))!;
	const {records: abilities} = await store.abilities.list(id);
	const sources = [];
	for (const ability of abilities) {
		const source = await store.releases.readSource(id, ability.id);
		const contents = await Promise.all(
			source.files
				.filter(({size}) => size > 0)
				.map(async file =>
					createHash('sha256')
						.update(await store.releases.readBytes(source, file.path, 0, file.size))
						.digest('hex'),
				),
		);
		// The rows of `node:sqlite` have no prototype.
		sources.push({...source, files: source.files.map(file => ({...file})), contents});
	}

	const [{records: agents}, {records: installed}] = [await store.agents.list(id), await store.installed.list(id)];
	return {id, abilities, sources, agents, installed, history: await historyOf(store, id)};
}

const homeOf = async (store: Store) => ({
	keys: await store.accounts.listKeys(),
	key: await store.accounts.findKey(hash).then(found => found && [found.id, found.account.name, Buffer.from(found.hash).toString('hex')]),
	accounts: [await seenOf(store, 'default'), await seenOf(store, 'Gäste')],
});

const [sqlite, postgres] = testedDatabases as readonly [TestedDatabase, TestedDatabase];

for (const [from, to] of [
	[sqlite, sqlite],
	[sqlite, postgres],
	[postgres, sqlite],
] as const) {
	const skip = from.skip || to.skip;

	test(`a home copied from ${from.name} to ${to.name} is the same: ids, keys, texts, files, sizes and history; ids of what is gone stay gone`, {
		skip,
	}, async (t: TestContext) => {
		const [source, target] = [await from.createLocation(), await to.createLocation()];
		const store = await openTestStore(t, source);
		await fill(store);
		const counts = await copyStore(source, target, quiet);
		const copy = await openTestStore(t, target);
		assert.deepEqual(await homeOf(copy), await homeOf(store));
		assert.deepEqual([counts['accounts'], counts['api_keys'], counts['abilities'], counts['releases']], [2, 2, 15, 16]);
		assert.deepEqual(fieldsOf(await copy.accounts.list(), 'name', 'bytes'), fieldsOf(await store.accounts.list(), 'name', 'bytes'));

		const [versions, copied] = await Promise.all([store, copy].map(async each => (await each.accounts.find('default'))!.versions));
		assert.equal(new Set([...Object.values(versions!), ...Object.values(copied!)]).size, 6);

		const added = await Promise.all(
			[store, copy].map(async each => [
				(await each.accounts.addKey('Gäste', randomBytes(32), () => 'new')).id,
				await each.accounts.ensure('new'),
				(await each.history!.read((await each.accounts.find('Gäste'))!.id, {limit: 1})).entries[0]!.id,
			]),
		);
		assert.deepEqual(added[1], added[0]);
	});

	test(`a copy from ${from.name} to ${to.name} that is ended in its midst leaves the target empty, and can be made again`, {
		skip,
	}, async () => {
		const [source, target] = [await from.createLocation(), await to.createLocation()];
		const store = await openStore(source);
		await fill(store);
		await store.close();
		for (const doing of ['copying', 'comparing']) {
			const ending = new AbortController();
			await assert.rejects(
				copyStore(source, target, {
					signal: ending.signal,
					onProgress(what, table) {
						if (what === doing && table === 'releases') {
							ending.abort(new Error('stopped'));
						}
					},
				}),
				{message: 'stopped'},
			);
			for (const {name} of copiedTables) {
				assert.deepEqual(await readRows(target, `select 1 from ${name} limit 1`), [], name);
			}
		}

		assert.equal((await copyStore(source, target, quiet))['accounts'], 2);
	});
}

for (const to of testedDatabases) {
	test(`a target on ${to.name} that is not empty is refused, and stays as it is`, {skip: to.skip}, async () => {
		const [source, target] = [temporaryDataFolder(), await to.createLocation()];
		for (const location of [source, target]) {
			const store = await openStore(location);
			await store.accounts.ensure(location === source ? 'default' : 'mine');
			await store.close();
		}

		await assert.rejects(copyStore(source, target, quiet), {kind: 'conflict', message: 'The target is not empty. Nothing was copied.'});
		assert.deepEqual(await readRows(target, 'select name from accounts'), [{name: 'mine'}]);
	});
}

for (const from of testedDatabases) {
	test(`a copy from ${from.name} holds the state of one moment, whatever is written meanwhile`, {
		skip: from.skip,
	}, async (t: TestContext) => {
		const [source, target] = [await from.createLocation(), temporaryDataFolder()];
		const store = await openTestStore(t, source);
		await fill(store);
		const before = await homeOf(store);
		const changes: Array<Promise<unknown>> = [];
		await copyStore(source, target, {
			...quiet,
			onProgress() {
				changes.push(store.accounts.ensure(`account ${changes.length}`));
			},
		});
		await Promise.all(changes);
		assert.ok(changes.length > 0);
		const copy = await openTestStore(t, target);
		assert.deepEqual(await homeOf(copy), before);
		assert.deepEqual(await readRows(target, 'select name from accounts order by id'), [{name: 'default'}, {name: 'Gäste'}]);
	});
}

test('every column is copied, or kept by triggers, or computed', async () => {
	const folder = temporaryDataFolder();
	await (await openStore(folder)).close();
	using database = new DatabaseSync(path.join(folder, 'switchboard.db'));
	const tables = database
		.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
		.all()
		.map(({name}) => String(name));
	// Uploads that are under way are not copied.
	assert.deepEqual(tables.toSorted(), [...copiedTables.map(({name}) => name), 'staged_releases'].toSorted());
	const kept = new Set(['accounts.bytes', 'accounts.agents_version', 'accounts.abilities_version', 'accounts.installed_version']);
	for (const {name, columns} of copiedTables) {
		// Computed ones are not listed here.
		const all = database
			.prepare('select name from pragma_table_info(?)')
			.all(name)
			.map(row => String(row['name']));
		assert.deepEqual(all.filter(column => !kept.has(`${name}.${column}`)).toSorted(), columns.toSorted());
	}
});

test('what an upload that is under way has stored is not copied', async () => {
	const [source, target] = [temporaryDataFolder(), temporaryDataFolder()];
	const store = await openStore(source);
	await fill(store);
	await store.close();
	{
		using database = new DatabaseSync(path.join(source, 'switchboard.db'), {enableForeignKeyConstraints: false});
		database.exec("insert into release_files (release_id, path, content) values (99999, 'main.py', x'00')");
	}

	await copyStore(source, target, quiet);
	assert.deepEqual(await readRows(target, 'select release_id from release_files where release_id = 99999'), []);
});

test('a copy that differs from the original is an error, and nothing is kept of it', {skip: skipWithoutPostgres}, async () => {
	const server = await sharedPostgres();
	const [source, target] = [temporaryDataFolder(), await server.createDatabase()];
	for (const location of [source, target]) {
		const store = await openStore(location);
		await (location === source ? fill(store) : Promise.resolve());
		await store.close();
	}

	await server.administer(
		`
		create function odd() returns trigger language plpgsql as $$ begin new.category := 'odd'; return new; end $$;
		create trigger odd before insert on switchboard.abilities for each row when (new.name = 'Küche') execute function odd()`,
		target,
	);

	await assert.rejects(copyStore(source, target, quiet), {
		kind: 'unexpected',
		message: 'The copy of the table abilities differs from the original, so nothing was kept of the copy.',
	});
	assert.deepEqual(await readRows(target, 'select id from accounts'), []);
});

test('a damaged source is refused, and nothing is copied', async () => {
	const [source, target] = [temporaryDataFolder(), temporaryDataFolder()];
	const store = await openStore(source);
	await fill(store);
	await store.close();
	const file = openSync(path.join(source, 'switchboard.db'), 'r+');
	writeSync(file, randomBytes(300), 0, 300, 8192);
	closeSync(file);
	await assert.rejects(copyStore(source, target, quiet), {name: 'SwitchboardError', message: /is damaged\.$/});
	assert.equal(existsSync(path.join(target, 'switchboard.db')), false);
});
