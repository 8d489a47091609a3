import {type InstalledRecord, type InstalledReleaseRecord} from '../../records.ts';
import {type InstalledChanges} from '../changes.ts';
import {notFound} from '../store-errors.ts';
import {type Installed} from '../store.ts';
import {type Engine} from './engine.ts';
import {allocateId} from './ids.ts';
import {getAbility} from './read-abilities.ts';
import {readList} from './read-list.ts';
import {readRecords} from './read-records.ts';
import {getCurrentRelease} from './releases.ts';
import {type Database, flag, parseStrings} from './tables.ts';
import {writeAccount} from './write-account.ts';

const selectInstalled = (database: Database, accountId: number) =>
	database
		.selectFrom('installed')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.select([
			'installed.id',
			'installed.ability_id',
			'installed.is_enabled',
			'installed.trigger_words',
			'installed.is_system_capability',
			'installed.is_agent_capability',
			'installed.last_updated',
			'abilities.name',
			'abilities.category',
			'abilities.image_file',
		])
		.where('abilities.account_id', '=', accountId);

type Row = Awaited<ReturnType<ReturnType<typeof selectInstalled>['execute']>>[number];

const toRecord = (row: Row): InstalledRecord => ({
	id: row.id,
	installed_cap_id: row.id,
	capability_id: row.ability_id,
	name: row.name,
	category: row.category,
	enabled: row.is_enabled === 1,
	trigger_words: parseStrings(row.trigger_words),
	last_updated: row.last_updated,
	image_file: row.image_file,
	// This service brings and pins no abilities of its own.
	default: false,
	system_capability: row.is_system_capability === 1,
	agent_capability: row.is_agent_capability === 1,
	shortcut: false,
});

const listInstalled = async (database: Database, accountId: number): Promise<readonly InstalledRecord[]> =>
	readRecords(selectInstalled(database, accountId).orderBy('installed.id'), toRecord);

/** Finds it by its own id or by that of its ability: no number means both (`allocateId`). */
const getInstalled = async (database: Database, accountId: number, id: number): Promise<InstalledRecord> => {
	const row = await selectInstalled(database, accountId)
		.where(where => where.or([where('installed.id', '=', id), where('installed.ability_id', '=', id)]))
		.executeTakeFirst();
	if (row === undefined) {
		throw notFound('installed ability', id);
	}

	return toRecord(row);
};

const getInstalledRelease = async (database: Database, accountId: number, id: number): Promise<InstalledReleaseRecord> => {
	const installed = await getInstalled(database, accountId, id);
	const release = await getCurrentRelease(database, installed.capability_id);
	return {
		...installed,
		release_id: release.id,
		version: String(release.version),
		is_committed: release.isCommitted,
	};
};

const changeInstalled = async (database: Database, before: InstalledRecord, changes: InstalledChanges): Promise<InstalledRecord> => {
	const after: InstalledRecord = {
		...before,
		enabled: changes.enabled,
		trigger_words: [...changes.trigger_words ?? before.trigger_words],
		system_capability: changes.system_capability ?? before.system_capability,
		agent_capability: changes.agent_capability ?? before.agent_capability,
	};
	if (JSON.stringify(after) === JSON.stringify(before)) {
		return before;
	}

	const last_updated = new Date().toISOString();
	await database
		.updateTable('installed')
		.set({
			is_enabled: flag(after.enabled),
			trigger_words: JSON.stringify(after.trigger_words),
			is_system_capability: flag(after.system_capability),
			is_agent_capability: flag(after.agent_capability),
			last_updated,
		})
		.where('id', '=', before.id)
		.execute();
	return {...after, last_updated};
};

type NewInstalled = {
	readonly triggerPhrases: readonly string[];
	readonly isEnabled: boolean;
	readonly changedAt: Date;
};

/**
Adds the installed record of an ability, within a transaction. As on the live service, the system can use it, and an agent
cannot yet.
*/
export const insertInstalled = async (database: Database, abilityId: number, {triggerPhrases, isEnabled, changedAt}: NewInstalled): Promise<void> => {
	await database
		.insertInto('installed')
		.values({
			id: await allocateId(database),
			ability_id: abilityId,
			is_enabled: flag(isEnabled),
			trigger_words: JSON.stringify(triggerPhrases),
			is_system_capability: flag(true),
			is_agent_capability: flag(false),
			last_updated: changedAt.toISOString(),
		})
		.execute();
};

export const installedVerbs = (engine: Engine, quotaBytes: number | undefined): Installed => ({
	list: async accountId => readList(engine, accountId, 'installed', listInstalled),
	get: async (accountId, id) => engine.read(async transaction => getInstalledRelease(transaction, accountId, id)),
	add: async (accountId, abilityId) => writeAccount(engine, {accountId, quotaBytes}, async transaction => {
		const ability = await getAbility(transaction, accountId, abilityId);
		if (!ability.is_installed) {
			await insertInstalled(transaction, abilityId, {triggerPhrases: ability.trigger_words, isEnabled: true, changedAt: new Date()});
		}

		return getInstalled(transaction, accountId, abilityId);
	}),
	change: async (accountId, id, decide) => writeAccount(engine, {accountId, quotaBytes}, async transaction => {
		const before = await getInstalled(transaction, accountId, id);
		return changeInstalled(transaction, before, decide(before));
	}),
	remove: async (accountId, id) => writeAccount(engine, {accountId}, async transaction => {
		const installed = await getInstalled(transaction, accountId, id);
		await transaction.deleteFrom('installed').where('id', '=', installed.id).execute();
		return installed;
	}),
});
