import {allocateId} from './ids.ts';
import {type Database, flag} from './tables.ts';

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
