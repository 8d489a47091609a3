import {type AbilityRecord} from '../../records.ts';
import {groupBy, parseTexts} from './lists.ts';
import {type Database} from './store.ts';

const selectAbilities = (database: Database, accountId: number) =>
	database
		.selectFrom('abilities')
		.leftJoin('installed', 'installed.ability_id', 'abilities.id')
		.select([
			'abilities.id',
			'abilities.name',
			'abilities.category',
			'abilities.description',
			'abilities.trigger_words',
			'abilities.image_file',
			'abilities.last_updated',
			'installed.id as installed_id',
		])
		.where('abilities.account_id', '=', accountId);

const selectReleases = (database: Database, accountId: number) =>
	database
		.selectFrom('releases')
		.innerJoin('abilities', 'abilities.id', 'releases.ability_id')
		.select(['releases.id', 'releases.ability_id', 'releases.version'])
		.where('abilities.account_id', '=', accountId)
		.orderBy('releases.version', 'desc');

type Row = Awaited<ReturnType<ReturnType<typeof selectAbilities>['execute']>>[number];

type Release = {readonly id: number; readonly version: number};

const toRecord = (row: Row, releases: readonly Release[]): AbilityRecord => ({
	id: row.id,
	capability_id: row.id,
	name: row.name,
	category: row.category,
	description: row.description,
	trigger_words: parseTexts(row.trigger_words),
	is_installed: row.installed_id !== null,
	// There is no marketplace here: what is uploaded is its owner's alone, and nobody has to approve it.
	is_approved: true,
	is_published: false,
	image_file: row.image_file,
	last_updated: row.last_updated,
	capability_versions: releases.map(({id, version}, index) => ({
		id,
		version: String(version),
		is_user_enabled: index === 0,
	})),
});

/** The abilities of an account, the oldest first. */
export const listAbilities = async (database: Database, accountId: number): Promise<AbilityRecord[]> => {
	const rows = await selectAbilities(database, accountId).orderBy('abilities.id').execute();
	const releases = groupBy(await selectReleases(database, accountId).execute(), release => release.ability_id, release => release);
	return rows.map(row => toRecord(row, releases.get(row.id) ?? []));
};

/** One ability of an account; `undefined` where the account has none of that id. */
export const findAbility = async (database: Database, accountId: number, id: number): Promise<AbilityRecord | undefined> => {
	const row = await selectAbilities(database, accountId).where('abilities.id', '=', id).executeTakeFirst();
	return row && toRecord(row, await selectReleases(database, accountId).where('releases.ability_id', '=', id).execute());
};

/** Which of the ids are abilities of the account. */
export const findOwnAbilityIds = async (database: Database, accountId: number, ids: readonly number[]): Promise<ReadonlySet<number>> => {
	const rows = await database
		.selectFrom('abilities')
		.select('id')
		.where('account_id', '=', accountId)
		.where('id', 'in', ids)
		.execute();
	return new Set(rows.map(({id}) => id));
};

/** True where the account has an ability of that name, in any case. */
export const hasAbilityNamed = async (database: Database, accountId: number, name: string): Promise<boolean> => {
	const row = await database
		.selectFrom('abilities')
		.select('id')
		.where('account_id', '=', accountId)
		.where('name', '=', name)
		.executeTakeFirst();
	return row !== undefined;
};

/** Removes abilities with their source, their installed records and the agents' ties to them. */
export const deleteAbilities = async (database: Database, ids: readonly number[]): Promise<void> => {
	await database.deleteFrom('abilities').where('id', 'in', ids).execute();
};
