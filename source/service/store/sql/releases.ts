import {sql} from 'kysely';
import {SwitchboardError} from '../../../interface/errors.ts';
import type {PackageEntry} from '../../../interface/ability-package/check-files.ts';
import type {PackageFile} from '../../../interface/ability-package/write-zip.ts';
import type {NewCode, SavedCode, Writer} from '../changes.ts';
import {notFound} from '../../store-errors.ts';
import {allocateId, type Database, type Engine, flag, removeIds, sizeOf} from './database.ts';
import {insertFiles, removeAbandonedFiles, writeWithFiles} from './staged-files.ts';
import {type Note, writeAccount} from './write-account.ts';

export type Release = {readonly id: number; readonly abilityId: number; readonly version: number; readonly isCommitted: boolean};

type SavedRelease = Release & Pick<SavedCode, 'savedAt'>;

export type Source = SavedCode & {readonly name: string; readonly version: number; readonly files: readonly PackageEntry[]};

/**
Adds a release to an ability, within a transaction.

@param stagedId - its id, if its files are stored already (`writeWithFiles`).
*/
export async function insertRelease(
	database: Database,
	abilityId: number,
	{version, stagedId, ...code}: NewCode & {readonly version: number; readonly stagedId: number | undefined},
): Promise<Release> {
	const id = stagedId ?? (await allocateId(database));
	await database
		.insertInto('releases')
		.values({
			id,
			ability_id: abilityId,
			version,
			is_committed: flag(code.isCommitted),
			is_in_use: flag(false),
			commit_message: code.commitMessage,
			created_at: code.createdAt.toISOString(),
			bytes: sizeOfCode(code),
		})
		.execute();
	if (stagedId === undefined) {
		await insertFiles(database, id, code.files);
	}

	if (code.isCommitted) {
		await putIntoUse(database, abilityId, id);
	}

	return {id, abilityId, version, isCommitted: code.isCommitted};
}

function sizeOfCode({commitMessage, files}: NewCode): number {
	return files.reduce((total, {path, bytes}) => total + sizeOf(path, bytes), sizeOf(commitMessage));
}

/** Makes a release the one in use, in place of another. */
async function putIntoUse(database: Database, abilityId: number, releaseId: number): Promise<void> {
	const releases = database.updateTable('releases').where('ability_id', '=', abilityId);
	await releases.set(eb => ({is_in_use: eb.case().when('id', '=', releaseId).then(flag(true)).else(flag(false)).end()})).execute();
}

/**
Returns the release in use of an ability: every ability has one. Or that of a version.

@throws SwitchboardError `not-found` if there is no such version.
*/
export async function getRelease(database: Database, abilityId: number, version?: number): Promise<SavedRelease> {
	const releases = selectReleases(database, abilityId);
	const wanted = version === undefined ? releases.where('is_in_use', '=', 1) : releases.where('version', '=', version);
	const message = version === undefined ? 'This ability has no source.' : `There is no version ${version} of this ability.`;
	return toRelease(abilityId, await wanted.executeTakeFirstOrThrow(() => new SwitchboardError('not-found', message)));
}

const selectReleases = (database: Database, abilityId: number) =>
	database
		.selectFrom('releases')
		.select(['id', 'version', 'is_committed', 'is_in_use', 'created_at'])
		.where('ability_id', '=', abilityId)
		.orderBy('version', 'desc');

const toRelease = (
	abilityId: number,
	{id, version, is_committed, created_at}: ReleaseRow & {readonly created_at: string},
): SavedRelease => ({id, abilityId, version, isCommitted: is_committed === 1, savedAt: created_at});

/**
Returns the id of the ability that a release of an account belongs to.

@throws SwitchboardError `not-found`.
*/
export async function getAbilityOfRelease(database: Database, accountId: number, releaseId: number): Promise<number> {
	const row = await database
		.selectFrom('releases')
		.innerJoin('abilities', 'abilities.id', 'releases.ability_id')
		.select('abilities.id')
		.where('abilities.account_id', '=', accountId)
		.where('releases.id', '=', releaseId)
		.executeTakeFirstOrThrow(() => notFound('release', releaseId));
	return row.id;
}

export async function listFiles(database: Database, releaseId: number): Promise<readonly PackageEntry[]> {
	return database
		.selectFrom('release_files')
		.select(['path', sql<number>`octet_length(content)`.as('size')])
		.where('release_id', '=', releaseId)
		.orderBy('path')
		.execute();
}

export async function saveCode(
	database: Database,
	abilityId: number,
	code: NewCode,
	note: Note,
	stagedId: number | undefined,
): Promise<Release> {
	const {savedAt, ...newest} = await getNewest(database, abilityId);
	const inUse = await getRelease(database, abilityId);
	const name = await touchAbility(database, abilityId, code.createdAt, code.isCommitted);
	// A draft that is replaced keeps its version.
	const version = newest.isCommitted ? newest.version + 1 : newest.version;
	const [field, before] = code.isCommitted
		? (['version', String(inUse.version)] as const)
		: (['draft', newest.isCommitted ? null : String(newest.version)] as const);
	note([{kind: 'ability', record: abilityId, name, field, from: before, to: String(version)}]);
	if (newest.isCommitted) {
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
		.where('id', '=', newest.id)
		.execute();
	await replaceFiles(database, newest.id, code.files, stagedId);
	if (code.isCommitted) {
		await putIntoUse(database, abilityId, newest.id);
	}

	return {...newest, isCommitted: code.isCommitted};
}

/** The newest release of an ability, which is the only one that may be a draft. */
const getNewest = async (database: Database, abilityId: number): Promise<SavedRelease> =>
	toRelease(abilityId, await selectReleases(database, abilityId).executeTakeFirstOrThrow());

/** Notes the time of a change of an ability, and of its installed record where that runs other code then; returns its name. */
async function touchAbility(database: Database, abilityId: number, changedAt: Date, isInstalledChanged: boolean): Promise<string> {
	const last_updated = changedAt.toISOString();
	const {name} = await database
		.updateTable('abilities')
		.set({last_updated})
		.where('id', '=', abilityId)
		.returning('name')
		.executeTakeFirstOrThrow();
	if (isInstalledChanged) {
		await database.updateTable('installed').set({last_updated}).where('ability_id', '=', abilityId).execute();
	}

	return name;
}

/** Later than the last save, even where two fall into one millisecond or a clock is set back: the time tells saves of a draft apart. */
const laterThan = (savedAt: string, now: Date): string => new Date(Math.max(now.getTime(), Date.parse(savedAt) + 1)).toISOString();

/** A draft keeps its id, so files that are stored already are moved to it. */
async function replaceFiles(
	database: Database,
	releaseId: number,
	files: readonly PackageFile[],
	stagedId: number | undefined,
): Promise<void> {
	await database.deleteFrom('release_files').where('release_id', '=', releaseId).execute();
	if (stagedId === undefined) {
		await insertFiles(database, releaseId, files);
		return;
	}

	await database.updateTable('release_files').set({release_id: releaseId}).where('release_id', '=', stagedId).execute();
	await removeIds(database, [stagedId]);
}

/** Returns the releases of an ability, newest first, with their messages. */
export async function listReleases(database: Database, abilityId: number) {
	const rows = await selectReleases(database, abilityId).select('commit_message').execute();
	return rows.map(({commit_message, ...row}) => ({...toReleaseRecord(row), commit_message}));
}

export type ReleaseRow = {readonly id: number; readonly version: number; readonly is_committed: number; readonly is_in_use: number};

export function toReleaseRecord({id, version, is_committed, is_in_use}: ReleaseRow) {
	return {id, version: String(version), is_committed: is_committed === 1, is_user_enabled: is_in_use === 1};
}

export function releaseVerbs(engine: Engine) {
	return {
		/**
		The name of an ability and the list of the files of its release in use, or of a version. The files are read bit by bit: together they are
		large.

		@throws SwitchboardError `not-found` if there is no such ability or version.
		*/
		readSource: async (accountId: number, abilityId: number, version?: number): Promise<Source> =>
			engine.read(async transaction => {
				const {name} = await findOwnAbility(transaction, accountId, abilityId);
				const release = await getRelease(transaction, abilityId, version);
				const {id: releaseId, savedAt} = release;
				return {name, version: release.version, releaseId, savedAt, files: await listFiles(transaction, releaseId)};
			}),
		/**
	A part of a file, byte for byte as it was uploaded.

	@throws SwitchboardError `not-found` if it has been removed or replaced since it was listed.
	*/
		readBytes: async (code: SavedCode, path: string, offset: number, length: number) =>
			engine.query(async database => readBytes(database, code, path, offset, length)),
		/**
	Saves new code of an ability: as the release in use or, if it is not committed, as a draft. It becomes the next version, unless there is a
	draft: that is replaced, and is no longer a draft once the code is committed.

	@param releaseId - of any release of the ability.
	@throws SwitchboardError `not-found` if there is no such release.
	*/
		save: async (writer: Writer, releaseId: number, code: NewCode) =>
			writeWithFiles(engine, writer, code.files, async (transaction, accountId, note, stagedId) =>
				saveCode(transaction, await getAbilityOfRelease(transaction, accountId, releaseId), code, note, stagedId),
			),
		/**
	Makes a release the one in use of its ability.

	@throws SwitchboardError `not-found` if there is no such release, `refused` for a draft.
	*/
		use: async (writer: Writer, releaseId: number) =>
			writeAccount(engine, writer, async (transaction, accountId, note) => useRelease(transaction, accountId, releaseId, note)),
		/** @throws SwitchboardError `not-found` if there is no such ability. */
		list: async (accountId: number, abilityId: number) =>
			engine.read(async transaction => {
				await findOwnAbility(transaction, accountId, abilityId);
				return listReleases(transaction, abilityId);
			}),
		/**
	Removes the files of releases that were never finished, because a service was killed meanwhile. Another one may be storing some now.
	Where a release and its files are one transaction, a killed process leaves none.
	*/
		async removeUnfinished() {
			if (engine.writeAhead !== undefined) {
				await engine.write(removeAbandonedFiles);
			}
		},
	};
}

async function findOwnAbility(database: Database, accountId: number, abilityId: number): Promise<{readonly name: string}> {
	return database
		.selectFrom('abilities')
		.select('name')
		.where('id', '=', abilityId)
		.where('account_id', '=', accountId)
		.executeTakeFirstOrThrow(() => notFound('ability', abilityId));
}

/** One query, so that the bytes are those of the save that is asked for. */
async function readBytes(
	database: Database,
	{releaseId, savedAt}: SavedCode,
	path: string,
	offset: number,
	length: number,
): Promise<Uint8Array> {
	const row = await database
		.selectFrom('release_files')
		.innerJoin('releases', 'releases.id', 'release_files.release_id')
		.select(sql<Uint8Array>`substr(content, ${offset + 1}, ${length})`.as('bytes'))
		.where('release_id', '=', releaseId)
		.where('path', '=', path)
		.where('releases.created_at', '=', savedAt)
		.executeTakeFirstOrThrow(() => notFound('release', releaseId));
	return row.bytes;
}

async function useRelease(database: Database, accountId: number, releaseId: number, note: Note): Promise<Release> {
	const abilityId = await getAbilityOfRelease(database, accountId, releaseId);
	const inUse = await getRelease(database, abilityId);
	const wanted = toRelease(abilityId, await selectReleases(database, abilityId).where('id', '=', releaseId).executeTakeFirstOrThrow());
	if (!wanted.isCommitted) {
		const message = `Version ${wanted.version} is a draft, which cannot be used before it is committed.`;
		throw new SwitchboardError('refused', message, {field: 'release_id'});
	}

	if (wanted.id !== inUse.id) {
		const name = await touchAbility(database, abilityId, new Date(), true);
		note([{kind: 'ability', record: abilityId, name, field: 'version', from: String(inUse.version), to: String(wanted.version)}]);
		await putIntoUse(database, abilityId, wanted.id);
	}

	return wanted;
}
