import {type AgentRecord} from '../../records.ts';
import {groupBy} from './lists.ts';
import {type Database} from './store.ts';
import {flag} from './tables.ts';

const selectAgents = (database: Database, accountId: number) =>
	database
		.selectFrom('agents')
		.select(['id', 'name', 'description', 'image'])
		.where('account_id', '=', accountId);

const selectTies = (database: Database, accountId: number) =>
	database
		.selectFrom('agent_abilities')
		.innerJoin('agents', 'agents.id', 'agent_id')
		.select(['agent_id', 'ability_id'])
		.where('account_id', '=', accountId)
		.orderBy('ability_id');

type Row = {readonly id: number; readonly name: string; readonly description: string; readonly image: string | null};

const toRecord = (row: Row, abilityIds: readonly number[]): AgentRecord => ({
	id: row.id,
	personality_id: row.id,
	name: row.name,
	description: row.description,
	image: row.image,
	matching_capabilities: [...abilityIds],
});

/** The agents of an account, the oldest first. */
export const listAgents = async (database: Database, accountId: number): Promise<AgentRecord[]> => {
	const rows = await selectAgents(database, accountId).orderBy('id').execute();
	const ties = groupBy(await selectTies(database, accountId).execute(), tie => tie.agent_id, tie => tie.ability_id);
	return rows.map(row => toRecord(row, ties.get(row.id) ?? []));
};

/** One agent of an account; `undefined` where the account has none of that id. */
export const findAgent = async (database: Database, accountId: number, id: number): Promise<AgentRecord | undefined> => {
	const row = await selectAgents(database, accountId).where('id', '=', id).executeTakeFirst();
	const ties = await selectTies(database, accountId).where('agent_id', '=', id).execute();
	return row && toRecord(row, ties.map(tie => tie.ability_id));
};

/** What may be changed of an agent; what is `undefined` stays as it is. */
export type AgentChanges = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	/** All abilities that the agent is tied to from now on. */
	readonly abilityIds?: readonly number[] | undefined;
};

/** Ties an agent to abilities, beside those that it is tied to already. */
export const addTies = async (database: Database, agentId: number, abilityIds: readonly number[]): Promise<void> => {
	for (const abilityId of abilityIds) {
		await database
			.insertInto('agent_abilities')
			.values({agent_id: agentId, ability_id: abilityId})
			.onConflict(conflict => conflict.doNothing())
			.execute();
	}
};

/** Changes an agent. Within a transaction. */
export const changeAgent = async (database: Database, id: number, {name, description, abilityIds}: AgentChanges): Promise<void> => {
	await database
		.updateTable('agents')
		.set({
			is_starter: flag(false),
			...(name !== undefined && {name}),
			...(description !== undefined && {description}),
		})
		.where('id', '=', id)
		.execute();
	if (abilityIds === undefined) {
		return;
	}

	await database.deleteFrom('agent_abilities').where('agent_id', '=', id).execute();
	await addTies(database, id, abilityIds);
};
