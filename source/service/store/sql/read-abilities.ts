import {type AbilityRecord} from '../../records.ts';
import {notFound} from '../store-errors.ts';
import {readRecords} from './read-records.ts';
import {type Database, parseStrings} from './tables.ts';

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

type Version = {readonly id: number; readonly version: number};

const toRecord = (row: Row, releases: readonly Version[]): AbilityRecord => ({
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
	capability_versions: releases.map(({id, version}, index) => ({
		id,
		version: String(version),
		is_user_enabled: index === 0,
	})),
});

/** The abilities of an account, oldest first. */
export const listAbilities = async (database: Database, accountId: number): Promise<AbilityRecord[]> => {
	const releases = Map.groupBy(await selectReleases(database, accountId).execute(), release => release.ability_id);
	return readRecords(selectAbilities(database, accountId).orderBy('abilities.id'), row => toRecord(row, releases.get(row.id) ?? []));
};

/**
One ability of an account.

@throws SwitchboardError `not-found`.
*/
export const getAbility = async (database: Database, accountId: number, id: number): Promise<AbilityRecord> => {
	const row = await selectAbilities(database, accountId).where('abilities.id', '=', id).executeTakeFirst();
	if (row === undefined) {
		throw notFound('ability', id);
	}

	return toRecord(row, await selectReleases(database, accountId).where('releases.ability_id', '=', id).execute());
};
