import {assert, assertNone, Buffer, DatabaseSync, mkdirSync, path, test} from '../helpers/node.ts';
import {copyFileSync, openSync, closeSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeSync} from 'node:fs';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Trouble} from '../../source/service/store-errors.ts';
import type {ServiceOptions} from '../../source/service/service.ts';
import {execute, named, newAbility, noAgent, paths, startTestService, temporaryDataFolder, type TestService, waitUntil} from './kit.ts';

/** A service that ends without touching the files of its database, whose close says why. */
async function startLostService(trouble: Trouble, options?: Partial<ServiceOptions>): Promise<TestService> {
	const service = await startTestService(options);
	return {
		...service,
		async [Symbol.asyncDispose]() {
			await assert.rejects(service.close(), {trouble});
		},
	};
}

for (const name of ['switchboard.db', 'switchboard.db-wal', 'switchboard.db-shm']) {
	test(`a ${name} that is deleted while the service runs is told without a request, and nothing is acknowledged any more`, async () => {
		await using service = await startLostService('moved', {checkIntervalMilliseconds: 20});
		const pantry = named(await service.read(paths.installed), 'pantry');
		rmSync(path.join(service.dataFolder, name));
		const answer = await service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: false}});
		assert.equal(answer.status, 500);
		assert.match(answer.text, /deleted or replaced while it ran/);
		await waitUntil(() => service.told.length > 0);
		const [text] = service.told;
		assert.ok(text!.startsWith(`${path.join(service.dataFolder, name)} was deleted or replaced while it was in use`), text);
		assert.match(readFileSync(path.join(service.dataFolder, 'service.log'), 'utf8'), /deleted or replaced/);
	});
}

test('a database that is replaced by a copy is noticed, too: what is written to the old one would be lost', async () => {
	await using service = await startLostService('moved');
	const pantry = named(await service.read(paths.installed), 'pantry');
	const file = path.join(service.dataFolder, 'switchboard.db');
	copyFileSync(file, `${file}.copy`);
	renameSync(`${file}.copy`, file);
	assert.equal((await service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: false}})).status, 500);
	assert.equal((await service.ask('GET', paths.installed)).status, 500);
});

test('who runs the service for himself alone is told to start it again, everyone else that its operator has to', async () => {
	for (const [options, advice] of [
		[{ephemeralKey: 'sb_of_this_run'}, 'Quit Switchboard and start it again.'],
		[{}, 'Its operator has to start it again.'],
	] as const) {
		await using service = await startLostService('moved', options);
		rmSync(path.join(service.dataFolder, 'switchboard.db'));
		const answer = await service.ask('GET', paths.installed);
		assert.deepEqual([answer.status, answer.text.includes(advice)], [500, true], answer.text);
	}
});

/** A database of more than 32 MB, which is made once. */
async function createLarge(): Promise<string> {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	const files = Array.from({length: 3}, (_, index) => ({path: `sound${index}.raw`, bytes: Buffer.alloc(12_000_000, index + 1)}));
	await store.abilities.add(await store.accounts.ensure('default'), newAbility({files}), noAgent);
	await store.close();
	const file = path.join(dataFolder, 'switchboard.db');
	assert.ok(statSync(file).size > 32 * 1024 * 1024);
	return file;
}

function overwrite(file: string, start: number, length: number): void {
	const descriptor = openSync(file, 'r+');
	writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, start);
	closeSync(descriptor);
}

const damages: Readonly<Record<string, (file: string) => void>> = {
	'whose header is overwritten'(file) {
		overwrite(file, 0, 100);
	},
	'with overwritten pages of records'(file) {
		overwrite(file, 4096 * 3, 4096 * 4);
	},
	'with overwritten pages of a source'(file) {
		overwrite(file, 20 * 1024 * 1024, 4096 * 3);
	},
	'that was cut off'(file) {
		truncateSync(file, 30 * 1024 * 1024);
	},
};

const large = createLarge();

for (const [what, damage] of Object.entries(damages)) {
	test(`a large database ${what} is refused with what to do, and not changed`, async () => {
		const dataFolder = temporaryDataFolder();
		mkdirSync(dataFolder, {mode: 0o700});
		const file = path.join(dataFolder, 'switchboard.db');
		copyFileSync(await large, file);
		damage(file);
		const before = readFileSync(file);
		await assert.rejects(openStore(dataFolder), {
			kind: 'unexpected',
			message: `The database ${file} is damaged.`,
			nextStep: /^Restore it from a backup\./,
		});
		assert.ok(readFileSync(file).equals(before));
	});
}

/** Where the page of a table's last row begins. */
function pageOfLast(file: string, table: string): number {
	using database = new DatabaseSync(file, {readOnly: true});
	const row = database.prepare("select max(pageno) as page from dbstat where name = ? and pagetype = 'leaf'").get(table);
	return (Number(row?.['page']) - 1) * 4096;
}

test('a database that is damaged while the service runs is told to the client and to the operator', async () => {
	await using service = await startLostService('damaged');
	// What is in memory and in the log of changes is read from there.
	const other = new DatabaseSync(path.join(service.dataFolder, 'switchboard.db'), {timeout: 5000});
	other.exec('update accounts set created_at = created_at; pragma wal_checkpoint(truncate)');
	const file = path.join(service.dataFolder, 'switchboard.db');
	overwrite(file, 4096, statSync(file).size - 4096);
	other.exec('pragma user_version = 1');
	other.close();
	const answer = await service.ask('GET', paths.abilities);
	assert.equal(answer.status, 500);
	assert.match(answer.text, /Its database is damaged\. Its operator has to restore it from a backup\./);
	assert.equal(service.told.length, 1);
	assert.match(service.told[0]!, /^The database \S+ is damaged\. Restore it from a backup\./);
});

test('once a list cannot be read because the database is damaged, nothing more is written', async () => {
	const dataFolder = temporaryDataFolder();
	const store = await openStore(dataFolder);
	const account = await store.accounts.ensure('default');
	const abilities = Array.from({length: 300}, (_, index) =>
		newAbility({name: `sound${index}`, description: 'Makes a sound. '.repeat(50), files: []}),
	);
	await store.accounts.fill('default', {abilities, agents: []});
	const {records} = await store.installed.list(account);
	await store.close();

	const again = await openStore(dataFolder);
	const file = path.join(dataFolder, 'switchboard.db');
	// What changes an installed ability reads nothing of the last pages of the abilities.
	overwrite(file, pageOfLast(file, 'abilities'), 4096);
	await assert.rejects(again.abilities.list(account), {trouble: 'damaged'});
	await assert.rejects(
		again.installed.change(account, records[0]!.id, () => ({enabled: false})),
		{trouble: 'damaged'},
	);
	await assert.rejects(again.close(), {trouble: 'damaged'});
});

for (const [title, keptBytes] of [
	['emptied', 0],
	['cut off', 3 * 4096],
] as const) {
	test(`a database that is ${title} while the service runs acknowledges nothing any more`, async () => {
		await using service = await startLostService('damaged');
		const pantry = named(await service.read(paths.installed), 'pantry');
		const file = path.join(service.dataFolder, 'switchboard.db');
		// So that the file is read again, and not what the service remembers of it.
		await execute(service.dataFolder, 'update accounts set created_at = created_at; pragma wal_checkpoint(truncate)');
		truncateSync(file, keptBytes);
		const answers = [];
		for (let count = 0; count < 3; count++) {
			answers.push(
				await service.ask('GET', paths.abilities),
				await service.ask('PUT', paths.editInstalled(pantry['id']), {body: {enabled: false}}),
			);
		}

		assertNone(answers, ({status}) => status < 500);
		assert.match(answers.at(-1)!.text, /Its database is damaged/);
	});
}
