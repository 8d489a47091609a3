import {entriesOf, type PackageEntry} from '../../../interface/ability-package/check-files.ts';
import {foldName} from '../../../interface/name-index.ts';
import type {AbilityRecord} from '../../records.ts';
import type {AbilityChanges, NewAbility, NewCode, Writer} from '../changes.ts';
import {nameTaken, notFound} from '../../store-errors.ts';
import {addTies, compareTies} from './agents.ts';
import {
	allocateId,
	type Database,
	type Engine,
	findOwnedIds,
	flag,
	idsOf,
	parseStrings,
	readRecords,
	removeIds,
	sizeOf,
} from './database.ts';
import {compareFields, existing, type FieldChange} from './history.ts';
import {getAbilityOfRelease, getRelease, insertRelease, listFiles, type ReleaseRow, saveCode, toReleaseRecord} from './releases.ts';
import {writeWithFiles} from './staged-files.ts';
import {readList, writeAccount} from './write-account.ts';

/** @throws SwitchboardError `not-found`. */
export async function getAbility(database: Database, accountId: number, id: number): Promise<AbilityRecord> {
	const query = selectAbilities(database, accountId).where('abilities.id', '=', id);
	const row = await query.executeTakeFirstOrThrow(() => notFound('ability', id));
	return toRecord(row, await selectReleases(database, accountId).where('releases.ability_id', '=', id).execute());
}

const selectAbilities = (database: Database, accountId: number) =>
	database
		.selectFrom('abilities')
		.leftJoin('installed', 'installed.ability_id', 'abilities.id')
		.select(['abilities.id', 'abilities.name', 'abilities.category', 'abilities.description', 'abilities.trigger_words'])
		.select(['abilities.image_file', 'abilities.last_updated', 'installed.id as installed_id'])
		.where('abilities.account_id', '=', accountId);

type Row = Awaited<ReturnType<ReturnType<typeof selectAbilities>['execute']>>[number];

const toRecord = (row: Row, releases: readonly ReleaseRow[]): AbilityRecord => ({
	id: row.id,
	capability_id: row.id,
	name: row.name,
	category: row.category,
	description: row.description,
	trigger_words: parseStrings(row.trigger_words),
	is_installed: row.installed_id !== null,
	// There is no marketplace here: an uploaded ability is its owner's alone and needs no approval.
	is_approved: true,
	is_published: false,
	image_file: row.image_file,
	last_updated: row.last_updated,
	// This service links no keys of other services to abilities.
	selected_keys: [],
	capability_versions: releases.map(release => toReleaseRecord(release)),
});

const selectReleases = (database: Database, accountId: number) =>
	database
		.selectFrom('releases')
		.innerJoin('abilities', 'abilities.id', 'releases.ability_id')
		.select(['releases.id', 'releases.ability_id', 'releases.version', 'releases.is_committed', 'releases.is_in_use'])
		.where('abilities.account_id', '=', accountId)
		.orderBy('releases.version', 'desc');

/** Returns an entry of the history: an ability was installed or uninstalled. */
export function installing(record: {readonly id: number; readonly name: string}, isInstalled: boolean): FieldChange {
	return existing('installed', record, isInstalled, 'installed');
}

/**
Adds the installed record of an ability, and returns its id. As on the live service, the system can use it, and an agent cannot yet.
*/
export async function insertInstalled(
	database: Database,
	abilityId: number,
	{triggerPhrases, isEnabled, changedAt}: Pick<NewAbility, 'triggerPhrases' | 'changedAt'> & {readonly isEnabled: boolean},
): Promise<number> {
	const id = await allocateId(database);
	await database
		.insertInto('installed')
		.values({
			id,
			ability_id: abilityId,
			is_enabled: flag(isEnabled),
			trigger_words: JSON.stringify(triggerPhrases),
			is_system_capability: flag(true),
			is_agent_capability: flag(false),
			last_updated: changedAt.toISOString(),
		})
		.execute();
	return id;
}

/**
Adds an ability with its first release, and installs it if wanted, within a transaction.

@param stagedId - the id of its release, if the files are stored already (`writeWithFiles`).
@returns the id of the ability, and that of its installed record if there is one.
*/
export async function insertAbility(
	database: Database,
	accountId: number,
	ability: NewAbility,
	stagedId?: number,
): Promise<{readonly id: number; readonly installedId: number | undefined}> {
	const id = await allocateId(database);
	const trigger_words = JSON.stringify(ability.triggerPhrases);
	await database
		.insertInto('abilities')
		.values({
			id,
			account_id: accountId,
			name: ability.name,
			folded_name: foldName(ability.name),
			category: ability.category,
			description: ability.description,
			trigger_words,
			image: ability.image?.bytes ?? null,
			image_file: ability.image?.name ?? null,
			last_updated: ability.changedAt.toISOString(),
			bytes: sizeOf(ability.name, ability.description, trigger_words, ability.image?.bytes),
		})
		.execute();
	await insertRelease(database, id, {
		version: 1,
		stagedId,
		isCommitted: true,
		commitMessage: 'First version',
		createdAt: ability.changedAt,
		files: ability.files,
	});
	const installedId =
		ability.installedAs === undefined ? undefined : await insertInstalled(database, id, {...ability, isEnabled: ability.installedAs});
	return {id, installedId};
}

/** The fields that an edit may change, and their names in the history. */
const editedFields = {name: 'name', category: 'category', description: 'description', trigger_words: 'triggers'} as const;

export function abilityVerbs(engine: Engine) {
	return {
		list: async (accountId: number) => readList(engine, accountId, 'abilities', listAbilities),
		/** @throws SwitchboardError `not-found`. */
		get: async (accountId: number, id: number) => engine.read(async transaction => getAbility(transaction, accountId, id)),
		/**
	The ability that a release belongs to.

	@throws SwitchboardError `not-found`.
	*/
		getByRelease: async (accountId: number, releaseId: number) =>
			engine.read(async transaction => getAbility(transaction, accountId, await getAbilityOfRelease(transaction, accountId, releaseId))),
		/**
	Adds an ability with its first release, installs it if wanted, and ties it to an agent if `chooseAgent` returns one.

	@param chooseAgent - given the ids of all agents of the account.
	@returns the id of the ability.
	@throws SwitchboardError `conflict` if the account has an ability of that name, in any case.
	*/
		add: async (writer: Writer, ability: NewAbility, chooseAgent: (agentIds: ReadonlySet<number>) => number | undefined) =>
			writeWithFiles(engine, writer, ability.files, async (transaction, accountId, note, stagedId) => {
				const agentId = chooseAgent(await findOwnedIds(transaction, 'agents', accountId));
				await refuseTakenName(transaction, accountId, ability.name);
				const {id, installedId} = await insertAbility(transaction, accountId, ability, stagedId);
				note([
					existing('ability', {...ability, id}, true),
					...(installedId === undefined ? [] : [installing({...ability, id: installedId}, true)]),
				]);
				if (agentId !== undefined) {
					note(await compareTies(transaction, [agentId], async () => addTies(transaction, agentId, [id])));
				}

				return id;
			}),
		/**
	Changes the fields of an ability that differ, and releases its new code, if there is any.

	@param decide - given the record, and the files of the code that it will have.
	@throws SwitchboardError `not-found`, before `decide` is called; `conflict` if the account has another ability of that name, in any case.
	*/
		change: async (
			writer: Writer,
			id: number,
			code: NewCode | undefined,
			decide: (before: AbilityRecord, files: readonly PackageEntry[]) => AbilityChanges,
		) =>
			writeWithFiles(engine, writer, code?.files ?? [], async (transaction, accountId, note, stagedId) => {
				const before = await getAbility(transaction, accountId, id);
				const release = await getRelease(transaction, id);
				const files = code === undefined ? await listFiles(transaction, release.id) : entriesOf(code.files);
				const changes = decide(before, files);
				const after: AbilityRecord = {
					...before,
					name: changes.name ?? before.name,
					category: changes.category ?? before.category,
					description: changes.description ?? before.description,
					trigger_words: [...(changes.triggerPhrases ?? before.trigger_words)],
				};
				const compared = compareFields('ability', before, after, editedFields);
				if (compared.length > 0) {
					await refuseTakenName(transaction, accountId, after.name, id);
					await storeFields(transaction, after);
					note(compared.map(each => (each.field === 'name' ? each : {...each, name: after.name})));
				}

				if (code !== undefined) {
					await saveCode(transaction, id, code, note, stagedId);
				}

				return getAbility(transaction, accountId, id);
			}),
		/**
	Removes abilities with their source, their installed records and the agents' ties to them.

	@throws SwitchboardError `not-found` if one of them does not exist; then none is removed.
	*/
		remove: async (writer: Writer, ids: readonly number[]) =>
			writeAccount(engine, writer, async (transaction, accountId, note) => {
				const own = await findOwnedIds(transaction, 'abilities', accountId);
				const unknown = ids.find(id => !own.has(id));
				if (unknown !== undefined) {
					throw notFound('ability', unknown);
				}

				const releases = await transaction.selectFrom('releases').select('id').where('ability_id', 'in', ids).execute();
				const installed = await transaction
					.selectFrom('installed')
					.innerJoin('abilities', 'abilities.id', 'ability_id')
					.select(['installed.id', 'name'])
					.where('ability_id', 'in', ids)
					.orderBy('installed.id')
					.execute();
				const ties = transaction.selectFrom('agent_abilities').select('agent_id as id').distinct().where('ability_id', 'in', ids);
				const agents = await ties.orderBy('agent_id').execute();
				const untied = await compareTies(transaction, idsOf(agents), async () => {
					const deleted = await transaction.deleteFrom('abilities').where('id', 'in', ids).returning(['id', 'name']).execute();
					const abilities = deleted.toSorted((first, second) => first.id - second.id);
					note(installed.map(record => installing(record, false)));
					note(abilities.map(ability => existing('ability', ability, false)));
				});
				note(untied);
				await removeIds(transaction, [...ids, ...idsOf(releases), ...idsOf(installed)]);
			}),
	};
}

/** Oldest first. */
async function listAbilities(database: Database, accountId: number): Promise<AbilityRecord[]> {
	const releases = Map.groupBy(await selectReleases(database, accountId).execute(), release => release.ability_id);
	return readRecords(selectAbilities(database, accountId).orderBy('abilities.id'), row => toRecord(row, releases.get(row.id) ?? []));
}

async function refuseTakenName(database: Database, accountId: number, name: string, ownId = 0): Promise<void> {
	const others = database.selectFrom('abilities').select('id').where('account_id', '=', accountId).where('id', '!=', ownId);
	if ((await others.where('folded_name', '=', foldName(name)).executeTakeFirst()) !== undefined) {
		throw nameTaken(name);
	}
}

async function storeFields(database: Database, {id, name, category, description, trigger_words: phrases}: AbilityRecord): Promise<void> {
	const trigger_words = JSON.stringify(phrases);
	const {image} = await database.selectFrom('abilities').select('image').where('id', '=', id).executeTakeFirstOrThrow();
	await database
		.updateTable('abilities')
		.set({
			name,
			folded_name: foldName(name),
			category,
			description,
			trigger_words,
			last_updated: new Date().toISOString(),
			bytes: sizeOf(name, description, trigger_words, image ?? undefined),
		})
		.where('id', '=', id)
		.execute();
}
