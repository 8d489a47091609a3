import {setImmediate} from 'node:timers/promises';
import {type PackageFile} from '../../../interface/ability-package/write-zip.ts';
import {accountGone, StoreBusyError} from '../store-errors.ts';
import {type Written} from '../store.ts';
import {type Engine} from './engine.ts';
import {allocateId, removeIds} from './ids.ts';
import {type Database} from './tables.ts';
import {type AccountToWrite, withinAccount, writeAccount} from './write-account.ts';

/** Files that are stored already, under the id of a release that does not exist yet. */
export type StagedFiles = {
	readonly releaseId: number;
	readonly fileCount: number;
};

/** So many files, of this size together, are written in a few milliseconds. */
const batchBytes = 1024 * 1024;
const batchFiles = 100;

const inBatches = (files: readonly PackageFile[]): readonly PackageFile[][] => {
	const batches: PackageFile[][] = [];
	let room = 0;
	for (const file of files) {
		if (batches.length === 0 || room < file.bytes.length || batches.at(-1)!.length === batchFiles) {
			batches.push([]);
			room = batchBytes;
		}

		batches.at(-1)!.push(file);
		room -= file.bytes.length;
	}

	return batches;
};

/** Stores files under the id of a release. */
export const insertFiles = async (database: Database, releaseId: number, files: readonly PackageFile[]): Promise<void> => {
	for (const {path, bytes} of files) {
		await database.insertInto('release_files').values({release_id: releaseId, path, content: bytes}).execute();
	}
};

/** An upload touches its row with each of its steps, of which each takes a few seconds at most, even if others hold the database. */
const abandonedSeconds = 120;

const filesRemoved = (): StoreBusyError => new StoreBusyError('The staged files of a release were removed.');

const now = (): number => Math.floor(Date.now() / 1000);

/** Says whose files are going to be stored, and that they are not left behind. */
const beginStaging = async (database: Database, accountId: number): Promise<number> => {
	const account = await database.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst();
	if (account === undefined) {
		throw accountGone();
	}

	const id = await allocateId(database);
	await database.insertInto('staged_releases').values({id, account_id: accountId, touched_at: now()}).execute();
	return id;
};

/** @throws SwitchboardError `key-refused` if the account was removed, or StoreBusyError if the files were as left behind. */
const touch = async (database: Database, releaseId: number, accountId: number): Promise<void> => {
	const row = await database.updateTable('staged_releases').set({touched_at: now()}).where('id', '=', releaseId).returning('id').executeTakeFirst();
	if (row !== undefined) {
		return;
	}

	const account = await database.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst();
	throw account === undefined ? accountGone() : filesRemoved();
};

const removeStaged = async (database: Database, ids: readonly number[]): Promise<void> => {
	if (ids.length === 0) {
		return;
	}

	await database.deleteFrom('release_files').where('release_id', 'in', ids).execute();
	await database.deleteFrom('staged_releases').where('id', 'in', ids).execute();
	await removeIds(database, ids);
};

/** Removes the files that uploads of an account have stored so far, within a transaction; they then store no more. */
export const removeStagedFilesOf = async (database: Database, accountId: number): Promise<void> => {
	const rows = await database.selectFrom('staged_releases').select('id').where('account_id', '=', accountId).execute();
	await removeStaged(database, rows.map(({id}) => id));
};

/** Removes what a killed process has left behind, and not what another process is storing. */
export const removeAbandonedFiles = async (database: Database): Promise<void> => {
	const rows = await database.selectFrom('staged_releases').select('id').where('touched_at', '<', now() - abandonedSeconds).execute();
	await removeStaged(database, rows.map(({id}) => id));
};

type Ahead = {
	readonly engine: Engine;
	readonly writeAhead: NonNullable<Engine['writeAhead']>;
	readonly accountId: number;
};

/** Stores files a few at a time, before the work and in transactions of their own. */
const stageAhead = async <Result>(
	{engine, writeAhead, accountId}: Ahead,
	batches: readonly PackageFile[][],
	work: (staged: StagedFiles) => Promise<Result>,
): Promise<Result> => {
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

		return await work({releaseId, fileCount: batches.flat().length});
	} catch (error) {
		await engine.write(async transaction => removeStaged(transaction, [releaseId]));
		throw error;
	}
};

/**
Work on an account that stores a release with its files, in a short transaction. A large package would make that transaction long, and
hold up every other request, or every other change of the account: its files are stored before, where nobody sees them.

@param work - given the files that are stored; `undefined` if there are few, which the work then stores itself.
*/
export const writeWithFiles = async <Result>(
	engine: Engine,
	account: AccountToWrite,
	files: readonly PackageFile[],
	work: (database: Database, accountId: number, staged: StagedFiles | undefined) => Promise<Result>,
): Promise<Written<Result>> => {
	const {writeAhead} = engine;
	const batches = inBatches(files);
	if (batches.length <= 1) {
		return writeAccount(engine, account, async transaction => work(transaction, account.accountId, undefined));
	}

	if (writeAhead !== undefined) {
		return stageAhead({engine, writeAhead, accountId: account.accountId}, batches, async staged => writeAccount(engine, account, async transaction => {
			const result = await work(transaction, account.accountId, staged);
			await transaction.deleteFrom('staged_releases').where('id', '=', staged.releaseId).execute();
			return result;
		}));
	}

	// In the same transaction, but before the account is locked. The release is missed only at the end.
	const written = await engine.write(async transaction => {
		const releaseId = await allocateId(transaction);
		await insertFiles(transaction, releaseId, files);
		return withinAccount(engine, transaction, account, async () => work(transaction, account.accountId, {releaseId, fileCount: files.length}));
	});
	engine.announce(account.accountId, written.versions);
	return written;
};

/** @throws StoreBusyError if another service on the same folder has removed them as left behind. */
export const checkStagedFiles = async (database: Database, {releaseId, fileCount}: StagedFiles): Promise<void> => {
	const {count} = await database
		.selectFrom('release_files')
		.select(builder => builder.fn.countAll<number>().as('count'))
		.where('release_id', '=', releaseId)
		.executeTakeFirstOrThrow();
	if (count !== fileCount) {
		throw filesRemoved();
	}
};
