import {type InstalledRecord} from '../../records.ts';
import {allotIdentifier} from './identifiers.ts';
import {parseTexts} from './lists.ts';
import {type Database} from './store.ts';
import {flag} from './tables.ts';

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
	trigger_words: parseTexts(row.trigger_words),
	last_updated: row.last_updated,
	image_file: row.image_file,
	// Nothing here comes with the service or is pinned by it.
	default: false,
	system_capability: row.is_system_capability === 1,
	agent_capability: row.is_agent_capability === 1,
	shortcut: false,
});

/** The installed abilities of an account, the oldest first. */
export const listInstalled = async (database: Database, accountId: number): Promise<InstalledRecord[]> => {
	const rows = await selectInstalled(database, accountId).orderBy('installed.id').execute();
	return rows.map(row => toRecord(row));
};

/**
One installed ability of an account, by its own id or by that of its ability: no number means both (`allotIdentifier`).

@returns `undefined` where the account has neither.
*/
export const findInstalled = async (database: Database, accountId: number, id: number): Promise<InstalledRecord | undefined> => {
	const row = await selectInstalled(database, accountId)
		.where(where => where.or([where('installed.id', '=', id), where('installed.ability_id', '=', id)]))
		.executeTakeFirst();
	return row && toRecord(row);
};

/** What may be changed of an installed ability; what is `undefined` stays as it is. */
export type InstalledChanges = {
	readonly enabled: boolean;
	readonly trigger_words?: readonly string[] | undefined;
	readonly system_capability?: boolean | undefined;
	readonly agent_capability?: boolean | undefined;
};

/** Sets what differs from `before`. The time of the last change moves only where something did. */
export const changeInstalled = async (database: Database, before: InstalledRecord, changes: InstalledChanges): Promise<InstalledRecord> => {
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

export type NewInstalled = {
	readonly triggerPhrases: readonly string[];
	readonly isEnabled: boolean;
	readonly changedAt: Date;
};

/**
Makes the installed record of an ability. As seen elsewhere, it answers to the system and not yet to an agent's own
trigger phrases. Within a transaction.
*/
export const insertInstalled = async (database: Database, abilityId: number, {triggerPhrases, isEnabled, changedAt}: NewInstalled): Promise<void> => {
	await database
		.insertInto('installed')
		.values({
			id: await allotIdentifier(database),
			ability_id: abilityId,
			is_enabled: flag(isEnabled),
			trigger_words: JSON.stringify(triggerPhrases),
			is_system_capability: flag(true),
			is_agent_capability: flag(false),
			last_updated: changedAt.toISOString(),
		})
		.execute();
};

/** Removes an installed record. The ability itself, and the agents' ties to it, stay. */
export const deleteInstalled = async (database: Database, id: number): Promise<void> => {
	await database.deleteFrom('installed').where('id', '=', id).execute();
};
