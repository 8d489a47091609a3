import {setImmediate} from 'node:timers/promises';
import type {PackageFile} from '../../../interface/ability-package/write-zip.ts';
import {accountGone, StoreFailure} from '../../store-errors.ts';
import type {Writer, Written} from '../changes.ts';
import {allocateId, type Database, type Engine, idsOf, removeIds} from './database.ts';
import {accountOf, announced, type Note, withinAccount, writeAccount} from './write-account.ts';

/** Files of this size together, and no more than a hundred, are written in a few milliseconds. */
const batchBytes = 1024 * 1024;

/** Stores files under the id of a release. */
export async function insertFiles(database: Database, releaseId: number, files: readonly PackageFile[]): Promise<void> {
	for (const {path, bytes} of files) {
		await database.insertInto('release_files').values({release_id: releaseId, path, content: bytes}).execute();
	}
}

/** An upload touches its row with each step. A step takes a few seconds at most, even if others hold the database. */
const abandonedSeconds = 120;

/** Removes the files that uploads of an account have stored so far, within a transaction; they then store no more. */
export async function removeStagedFilesOf(database: Database, accountId: number): Promise<void> {
	const rows = await database.selectFrom('staged_releases').select('id').where('account_id', '=', accountId).execute();
	await removeStaged(database, idsOf(rows));
}

async function removeStaged(database: Database, ids: readonly number[]): Promise<void> {
	if (ids.length === 0) {
		return;
	}

	await database.deleteFrom('release_files').where('release_id', 'in', ids).execute();
	await database.deleteFrom('staged_releases').where('id', 'in', ids).execute();
	await removeIds(database, ids);
}

/** Removes the files that a killed process has left, and not those that another process is storing. */
export async function removeAbandonedFiles(database: Database): Promise<void> {
	const rows = await database
		.selectFrom('staged_releases')
		.select('id')
		.where('touched_at', '<', now() - abandonedSeconds)
		.execute();
	await removeStaged(database, idsOf(rows));
}

const now = (): number => Math.floor(Date.now() / 1000);

/** Given the id of a release under which the files are stored; `undefined` if there are few, and the work stores them itself. */
type WorkWithFiles<Result> = (database: Database, accountId: number, note: Note, stagedId: number | undefined) => Promise<Result>;

/**
Does work on an account that stores a release with its files, in a short transaction. A large package would make that transaction long, and
hold up every other request, or every other change of the account: its files are stored before, under the id of a release that does not
exist yet.
*/
export async function writeWithFiles<Result>(
	engine: Engine,
	writer: Writer,
	files: readonly PackageFile[],
	work: WorkWithFiles<Result>,
): Promise<Written<Result>> {
	const batches = inBatches(files);
	if (batches.length <= 1) {
		return writeAccount(engine, writer, async (transaction, accountId, note) => work(transaction, accountId, note, undefined));
	}

	if (engine.writeAhead !== undefined) {
		return stageAhead(engine, engine.writeAhead, writer, batches, work);
	}

	// In the same transaction, but before the account is locked. The reference to the release is checked at the end of it.
	const account = accountOf(writer, engine.quotaBytes);
	const writing = engine.write(async transaction => {
		const releaseId = await allocateId(transaction);
		await insertFiles(transaction, releaseId, files);
		return withinAccount(engine, transaction, account, async (_, accountId, note) => work(transaction, accountId, note, releaseId));
	});
	return announced(engine, account.accountId, writing);
}

function inBatches(files: readonly PackageFile[]): readonly PackageFile[][] {
	const batches: PackageFile[][] = [];
	let room = 0;
	for (const file of files) {
		if (batches.length === 0 || room < file.bytes.length || batches.at(-1)!.length === 100) {
			batches.push([]);
			room = batchBytes;
		}

		batches.at(-1)!.push(file);
		room -= file.bytes.length;
	}

	return batches;
}

/** Stores files a few at a time, before the work and in separate transactions. */
async function stageAhead<Result>(
	engine: Engine,
	writeAhead: NonNullable<Engine['writeAhead']>,
	writer: Writer,
	batches: readonly PackageFile[][],
	work: WorkWithFiles<Result>,
): Promise<Written<Result>> {
	const {accountId} = accountOf(writer);
	const releaseId = await engine.write(async transaction => {
		await removeAbandonedFiles(transaction);
		return beginStaging(transaction, accountId);
	});
	try {
		for (const batch of batches) {
			await writeAhead(async transaction => {
				await touch(transaction, releaseId, accountId);
				await insertFiles(transaction, releaseId, batch);
			});
			await setImmediate();
		}

		return await writeAccount(engine, writer, async (transaction, _, note) => {
			await touch(transaction, releaseId, accountId);
			const result = await work(transaction, accountId, note, releaseId);
			await transaction.deleteFrom('staged_releases').where('id', '=', releaseId).execute();
			return result;
		});
	} catch (error) {
		await engine.write(async transaction => removeStaged(transaction, [releaseId]));
		throw error;
	}
}

/** Records the account whose files are going to be stored, and that they are not abandoned; returns the id of their release. */
async function beginStaging(database: Database, accountId: number): Promise<number> {
	await requireAccount(database, accountId);
	const id = await allocateId(database);
	await database.insertInto('staged_releases').values({id, account_id: accountId, touched_at: now()}).execute();
	return id;
}

/** @throws SwitchboardError `key-refused` if the account was removed, or StoreFailure if the files were removed as abandoned. */
async function touch(database: Database, releaseId: number, accountId: number): Promise<void> {
	const row = await database
		.updateTable('staged_releases')
		.set({touched_at: now()})
		.where('id', '=', releaseId)
		.returning('id')
		.executeTakeFirst();
	if (row !== undefined) {
		return;
	}

	await requireAccount(database, accountId);
	throw new StoreFailure('busy', 'The staged files of a release were removed.', {nextStep: 'Try again in a moment.'});
}

async function requireAccount(database: Database, accountId: number): Promise<void> {
	await database
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', accountId)
		.executeTakeFirstOrThrow(() => accountGone());
}
