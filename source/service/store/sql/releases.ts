import {sql} from 'kysely';
import {type PackageEntry} from '../../../interface/ability-package/check-files.ts';
import {type PackageFile} from '../../../interface/ability-package/write-zip.ts';
import {type NewCode} from '../changes.ts';
import {notFound} from '../store-errors.ts';
import {type Release, type Releases} from '../store.ts';
import {type Engine} from './engine.ts';
import {allocateId} from './ids.ts';
import {getAbility} from './read-abilities.ts';
import {sizeOf} from './sizes.ts';
import {
	checkStagedFiles,
	insertFiles,
	removeStagedFiles,
	type StagedFiles,
	writeWithFiles,
} from './staged-files.ts';
import {type Database, flag} from './tables.ts';

/** A draft keeps its id, so files that are stored already are moved to it. */
const replaceFiles = async (database: Database, releaseId: number, files: readonly PackageFile[], staged: StagedFiles | undefined): Promise<void> => {
	await database.deleteFrom('release_files').where('release_id', '=', releaseId).execute();
	if (staged === undefined) {
		await insertFiles(database, releaseId, files);
		return;
	}

	await checkStagedFiles(database, staged);
	await database.updateTable('release_files').set({release_id: releaseId}).where('release_id', '=', staged.releaseId).execute();
};

const sizeOfCode = ({commitMessage, files}: NewCode): number => {
	let bytes = sizeOf(commitMessage);
	for (const {path, bytes: content} of files) {
		bytes += sizeOf(path, content);
	}

	return bytes;
};

/**
Adds a release to an ability, within a transaction.

@param staged - its files, if they are stored already (`withStagedFiles`).
*/
export const insertRelease = async (
	database: Database,
	abilityId: number,
	{version, staged, ...code}: NewCode & {readonly version: number; readonly staged: StagedFiles | undefined},
): Promise<Release> => {
	const id = staged?.releaseId ?? await allocateId(database);
	await database
		.insertInto('releases')
		.values({
			id,
			ability_id: abilityId,
			version,
			is_committed: flag(code.isCommitted),
			commit_message: code.commitMessage,
			created_at: code.createdAt.toISOString(),
			bytes: sizeOfCode(code),
		})
		.execute();
	await (staged === undefined ? insertFiles(database, id, code.files) : checkStagedFiles(database, staged));
	return {
		id,
		abilityId,
		version,
		isCommitted: code.isCommitted,
	};
};

/** The release in use of an ability: its newest. Every ability has one. */
export const getCurrentRelease = async (database: Database, abilityId: number): Promise<Release> => {
	const row = await database
		.selectFrom('releases')
		.select(['id', 'version', 'is_committed'])
		.where('ability_id', '=', abilityId)
		.orderBy('version', 'desc')
		.executeTakeFirstOrThrow();
	return {
		id: row.id,
		abilityId,
		version: row.version,
		isCommitted: row.is_committed === 1,
	};
};

/**
The id of the ability that a release of an account belongs to.

@throws SwitchboardError `not-found`.
*/
export const getAbilityOfRelease = async (database: Database, accountId: number, releaseId: number): Promise<number> => {
	const row = await database
		.selectFrom('releases')
		.innerJoin('abilities', 'abilities.id', 'releases.ability_id')
		.select('abilities.id')
		.where('abilities.account_id', '=', accountId)
		.where('releases.id', '=', releaseId)
		.executeTakeFirst();
	if (row === undefined) {
		throw notFound('release', releaseId);
	}

	return row.id;
};

const listFiles = async (database: Database, releaseId: number): Promise<readonly PackageEntry[]> => database
	.selectFrom('release_files')
	.select(['path', sql<number>`octet_length(content)`.as('size')])
	.where('release_id', '=', releaseId)
	.orderBy('path')
	.execute();

const readBytes = async (database: Database, releaseId: number, path: string, offset: number, length: number): Promise<Uint8Array> => {
	const row = await database
		.selectFrom('release_files')
		.select(sql<Uint8Array>`substr(content, ${offset + 1}, ${length})`.as('bytes'))
		.where('release_id', '=', releaseId)
		.where('path', '=', path)
		.executeTakeFirst();
	if (row === undefined) {
		throw notFound('release', releaseId);
	}

	return row.bytes;
};

const saveCode = async (database: Database, abilityId: number, code: NewCode, staged: StagedFiles | undefined): Promise<Release> => {
	const current = await getCurrentRelease(database, abilityId);
	const last_updated = code.createdAt.toISOString();
	await database.updateTable('abilities').set({last_updated}).where('id', '=', abilityId).execute();
	await database.updateTable('installed').set({last_updated}).where('ability_id', '=', abilityId).execute();
	if (current.isCommitted) {
		return insertRelease(database, abilityId, {...code, version: current.version + 1, staged});
	}

	await database
		.updateTable('releases')
		.set({
			is_committed: flag(code.isCommitted),
			commit_message: code.commitMessage,
			created_at: last_updated,
			bytes: sizeOfCode(code),
		})
		.where('id', '=', current.id)
		.execute();
	await replaceFiles(database, current.id, code.files, staged);
	return {...current, isCommitted: code.isCommitted};
};

export const releaseVerbs = (engine: Engine, quotaBytes: number | undefined): Releases => ({
	readSource: async (accountId, abilityId) => engine.read(async transaction => {
		const {name} = await getAbility(transaction, accountId, abilityId);
		const release = await getCurrentRelease(transaction, abilityId);
		return {name, releaseId: release.id, files: await listFiles(transaction, release.id)};
	}),
	readBytes: async (...file) => engine.query(async database => readBytes(database, ...file)),
	save: async (accountId, releaseId, code) => writeWithFiles(engine, {accountId, quotaBytes}, code.files, async (transaction, staged) =>
		saveCode(transaction, await getAbilityOfRelease(transaction, accountId, releaseId), code, staged)),
	removeUnfinished: async () => engine.write(removeStagedFiles),
});
