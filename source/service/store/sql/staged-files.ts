import {setImmediate} from 'node:timers/promises';
import {type PackageFile} from '../../../interface/ability-package/write-zip.ts';
import {StoreBusyError} from '../store-errors.ts';
import {type Written} from '../store.ts';
import {type Engine} from './engine.ts';
import {allocateId} from './ids.ts';
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

type Staged<Result> = (staged: StagedFiles) => Promise<Result>;

/** Stores files a few at a time, before the work and in transactions of their own. */
const stageAhead = async <Result>(
	write: Engine['write'],
	writeAhead: NonNullable<Engine['writeAhead']>,
	batches: readonly PackageFile[][],
	work: Staged<Result>,
): Promise<Result> => {
	const releaseId = await write(allocateId);
	try {
		for (const batch of batches) {
			await writeAhead(async transaction => insertFiles(transaction, releaseId, batch));
			await setImmediate();
		}

		return await work({releaseId, fileCount: batches.flat().length});
	} catch (error) {
		await write(async database => database.deleteFrom('release_files').where('release_id', '=', releaseId).execute());
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
	work: (database: Database, staged: StagedFiles | undefined) => Promise<Result>,
): Promise<Written<Result>> => {
	const {write, writeAhead} = engine;
	const batches = inBatches(files);
	if (batches.length <= 1) {
		return writeAccount(engine, account, async transaction => work(transaction, undefined));
	}

	if (writeAhead !== undefined) {
		return stageAhead(write, writeAhead, batches, async staged => writeAccount(engine, account, async transaction => work(transaction, staged)));
	}

	// In the same transaction, but before the account is locked. The release is missed only at the end.
	const written = await engine.write(async transaction => {
		const releaseId = await allocateId(transaction);
		await insertFiles(transaction, releaseId, files);
		return withinAccount(engine, transaction, account, async () => work(transaction, {releaseId, fileCount: files.length}));
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
		throw new StoreBusyError('The staged files of a release were removed.');
	}
};

/** Removes what a killed process has staged. */
export const removeStagedFiles = async (database: Database): Promise<void> => {
	await database
		.deleteFrom('release_files')
		.where('release_id', 'not in', builder => builder.selectFrom('releases').select('id'))
		.execute();
};
