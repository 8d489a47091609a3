import {sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import type {PackageEntry} from '../../../interface/ability-package/check-files.ts';
import type {PackageFile} from '../../../interface/ability-package/write-zip.ts';
import type {NewCode, SavedCode, Writer} from '../changes.ts';
import {notFound} from '../store-errors.ts';
import {allocateId, type Database, type Engine, flag, removeIds, sizeOf} from './database.ts';
import {insertFiles, removeAbandonedFiles, writeWithFiles} from './staged-files.ts';
import {accountOf, type Note} from './write-account.ts';

type Release = {readonly id: number; readonly abilityId: number; readonly version: number; readonly isCommitted: boolean};

export type Source = SavedCode & {readonly name: string; readonly version: number; readonly files: readonly PackageEntry[]};

/** A draft keeps its id, so files that are stored already are moved to it. */
const replaceFiles = async (
	database: Database,
	releaseId: number,
	files: readonly PackageFile[],
	stagedId: number | undefined,
): Promise<void> => {
	await database.deleteFrom('release_files').where('release_id', '=', releaseId).execute();
	if (stagedId === undefined) {
		await insertFiles(database, releaseId, files);
		return;
	}

	await database.updateTable('release_files').set({release_id: releaseId}).where('release_id', '=', stagedId).execute();
	await removeIds(database, [stagedId]);
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

@param stagedId - its id, if its files are stored already (`writeWithFiles`).
*/
export const insertRelease = async (
	database: Database,
	abilityId: number,
	{version, stagedId, ...code}: NewCode & {readonly version: number; readonly stagedId: number | undefined},
): Promise<Release> => {
	const id = stagedId ?? (await allocateId(database));
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
	if (stagedId === undefined) {
		await insertFiles(database, id, code.files);
	}

	return {id, abilityId, version, isCommitted: code.isCommitted};
};

/**
The release in use of an ability, which is its newest: every ability has one. Or that of a version.

@throws SwitchboardError `not-found` if there is no such version.
*/
export const getRelease = async (
	database: Database,
	abilityId: number,
	version?: number,
): Promise<Release & Pick<SavedCode, 'savedAt'>> => {
	const row = await database
		.selectFrom('releases')
		.select(['id', 'version', 'is_committed', 'created_at'])
		.where('ability_id', '=', abilityId)
		.$if(version !== undefined, query => query.where('version', '=', version!))
		.orderBy('version', 'desc')
		.executeTakeFirst();
	if (row === undefined) {
		throw new SwitchboardError(
			'not-found',
			version === undefined ? 'This ability has no source.' : `There is no version ${version} of this ability.`,
		);
	}

	return {id: row.id, abilityId, version: row.version, isCommitted: row.is_committed === 1, savedAt: row.created_at};
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

const listFiles = async (database: Database, releaseId: number): Promise<readonly PackageEntry[]> =>
	database
		.selectFrom('release_files')
		.select(['path', sql<number>`octet_length(content)`.as('size')])
		.where('release_id', '=', releaseId)
		.orderBy('path')
		.execute();

/** One query, so that the bytes are those of the save that is asked for. */
const readBytes = async (
	database: Database,
	{releaseId, savedAt}: SavedCode,
	path: string,
	offset: number,
	length: number,
): Promise<Uint8Array> => {
	const row = await database
		.selectFrom('release_files')
		.innerJoin('releases', 'releases.id', 'release_files.release_id')
		.select(sql<Uint8Array>`substr(content, ${offset + 1}, ${length})`.as('bytes'))
		.where('release_id', '=', releaseId)
		.where('path', '=', path)
		.where('releases.created_at', '=', savedAt)
		.executeTakeFirst();
	if (row === undefined) {
		throw notFound('release', releaseId);
	}

	return row.bytes;
};

/** Later than the last save, even where two fall into one millisecond or a clock is set back: the time tells saves of a draft apart. */
const laterThan = (savedAt: string, now: Date): string => new Date(Math.max(now.getTime(), Date.parse(savedAt) + 1)).toISOString();

const saveCode = async (
	database: Database,
	abilityId: number,
	code: NewCode,
	note: Note,
	stagedId: number | undefined,
): Promise<Release> => {
	const {savedAt, ...current} = await getRelease(database, abilityId);
	const last_updated = code.createdAt.toISOString();
	const {name} = await database
		.updateTable('abilities')
		.set({last_updated})
		.where('id', '=', abilityId)
		.returning('name')
		.executeTakeFirstOrThrow();
	await database.updateTable('installed').set({last_updated}).where('ability_id', '=', abilityId).execute();
	// A draft that is replaced keeps its version.
	const version = current.isCommitted ? current.version + 1 : current.version;
	note([{kind: 'ability', record: abilityId, name, field: 'version', from: String(current.version), to: String(version)}]);
	if (current.isCommitted) {
		return insertRelease(database, abilityId, {...code, version, stagedId});
	}

	await database
		.updateTable('releases')
		.set({
			is_committed: flag(code.isCommitted),
			commit_message: code.commitMessage,
			created_at: laterThan(savedAt, code.createdAt),
			bytes: sizeOfCode(code),
		})
		.where('id', '=', current.id)
		.execute();
	await replaceFiles(database, current.id, code.files, stagedId);
	return {...current, isCommitted: code.isCommitted};
};

export const releaseVerbs = (engine: Engine, quotaBytes: number | undefined) => ({
	/**
	The name of an ability and the list of the files of its release in use, or of a version. The files are read bit by bit: together they are large.

	@throws SwitchboardError `not-found` if there is no such ability or version.
	*/
	readSource: async (accountId: number, abilityId: number, version?: number): Promise<Source> =>
		engine.read(async transaction => {
			const ability = await transaction
				.selectFrom('abilities')
				.select('name')
				.where('id', '=', abilityId)
				.where('account_id', '=', accountId)
				.executeTakeFirst();
			if (ability === undefined) {
				throw notFound('ability', abilityId);
			}

			const release = await getRelease(transaction, abilityId, version);
			return {
				name: ability.name,
				version: release.version,
				releaseId: release.id,
				savedAt: release.savedAt,
				files: await listFiles(transaction, release.id),
			};
		}),
	/**
	A part of a file, byte for byte as it was uploaded.

	@throws SwitchboardError `not-found` if it has been removed or replaced since it was listed.
	*/
	readBytes: async (code: SavedCode, path: string, offset: number, length: number) =>
		engine.query(async database => readBytes(database, code, path, offset, length)),
	/**
	Makes new code the release in use of an ability. It becomes the next version, unless the release in use is a draft:
	a draft is replaced, and is a draft no longer once the code is committed.

	@param releaseId - of any release of the ability.
	@throws SwitchboardError `not-found` if there is no such release.
	*/
	save: async (writer: Writer, releaseId: number, code: NewCode) =>
		writeWithFiles(engine, accountOf(writer, quotaBytes), code.files, async (transaction, accountId, note, stagedId) =>
			saveCode(transaction, await getAbilityOfRelease(transaction, accountId, releaseId), code, note, stagedId),
		),
	/**
	Removes the files of releases that were never finished, because a service was killed meanwhile. Another one may be storing some now.
	Where a release and its files are one transaction, a killed process leaves none.
	*/
	async removeUnfinished() {
		if (engine.writeAhead !== undefined) {
			await engine.write(removeAbandonedFiles);
		}
	},
});
