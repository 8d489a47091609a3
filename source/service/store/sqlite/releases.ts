import {type PackageFile} from '../../../interface/ability-package/write-zip.ts';
import {allotIdentifier} from './identifiers.ts';
import {type Database} from './store.ts';
import {flag} from './tables.ts';

export type Release = {
	readonly id: number;
	readonly ability_id: number;
	readonly version: number;
	readonly isCommitted: boolean;
};

export type NewCode = {
	readonly isCommitted: boolean;
	readonly commitMessage: string;
	readonly createdAt: Date;
	/** Paths within the ability's folder. */
	readonly files: readonly PackageFile[];
};

const replaceFiles = async (database: Database, releaseId: number, files: readonly PackageFile[]): Promise<void> => {
	await database.deleteFrom('release_files').where('release_id', '=', releaseId).execute();
	for (const {path, bytes} of files) {
		await database.insertInto('release_files').values({release_id: releaseId, path, content: bytes}).execute();
	}
};

/** Adds a release to an ability. Within a transaction. */
export const insertRelease = async (database: Database, abilityId: number, version: number, code: NewCode): Promise<Release> => {
	const id = await allotIdentifier(database);
	await database
		.insertInto('releases')
		.values({
			id,
			ability_id: abilityId,
			version,
			is_committed: flag(code.isCommitted),
			commit_message: code.commitMessage,
			created_at: code.createdAt.toISOString(),
		})
		.execute();
	await replaceFiles(database, id, code.files);
	return {
		id,
		ability_id: abilityId,
		version,
		isCommitted: code.isCommitted,
	};
};

/** The release of an ability that is in use: its newest. Every ability has one. */
export const findCurrentRelease = async (database: Database, abilityId: number): Promise<Release> => {
	const {is_committed, ...row} = await database
		.selectFrom('releases')
		.select(['id', 'ability_id', 'version', 'is_committed'])
		.where('ability_id', '=', abilityId)
		.orderBy('version', 'desc')
		.executeTakeFirstOrThrow();
	return {...row, isCommitted: is_committed === 1};
};

/** The ability that a release of an account is of; `undefined` where the account has no such release. */
export const findAbilityOfRelease = async (database: Database, accountId: number, releaseId: number): Promise<number | undefined> => {
	const row = await database
		.selectFrom('releases')
		.innerJoin('abilities', 'abilities.id', 'releases.ability_id')
		.select('abilities.id')
		.where('abilities.account_id', '=', accountId)
		.where('releases.id', '=', releaseId)
		.executeTakeFirst();
	return row?.id;
};

/** The files of a release, byte for byte as they were uploaded. */
export const readReleaseFiles = async (database: Database, releaseId: number): Promise<readonly PackageFile[]> => {
	const rows = await database
		.selectFrom('release_files')
		.select(['path', 'content'])
		.where('release_id', '=', releaseId)
		.orderBy('path')
		.execute();
	return rows.map(({path, content}) => ({path, bytes: content}));
};

/**
Puts new code in use. Over a committed release it becomes the next version; a draft is replaced where it stands, and is
one no longer once it is committed.
*/
export const saveCode = async (database: Database, abilityId: number, code: NewCode): Promise<Release> => {
	const current = await findCurrentRelease(database, abilityId);
	const last_updated = code.createdAt.toISOString();
	await database.updateTable('abilities').set({last_updated}).where('id', '=', abilityId).execute();
	await database.updateTable('installed').set({last_updated}).where('ability_id', '=', abilityId).execute();
	if (current.isCommitted) {
		return insertRelease(database, abilityId, current.version + 1, code);
	}

	await database
		.updateTable('releases')
		.set({is_committed: flag(code.isCommitted), commit_message: code.commitMessage, created_at: last_updated})
		.where('id', '=', current.id)
		.execute();
	await replaceFiles(database, current.id, code.files);
	return {...current, isCommitted: code.isCommitted};
};
