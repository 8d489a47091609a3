import {type AgentRecord} from '../../records.ts';
import {type AgentChanges} from '../changes.ts';
import {notFound} from '../store-errors.ts';
import {type Agents} from '../store.ts';
import {groupBy} from './lists.ts';
import {findOwnedIds} from './owned-ids.ts';
import {type Database, flag} from './tables.ts';
import {inSnapshot, inTransaction} from './transactions.ts';

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

const listAgents = async (database: Database, accountId: number): Promise<AgentRecord[]> => {
	const rows = await selectAgents(database, accountId).orderBy('id').execute();
	const ties = groupBy(await selectTies(database, accountId).execute(), tie => tie.agent_id, tie => tie.ability_id);
	return rows.map(row => toRecord(row, ties.get(row.id) ?? []));
};

const getAgent = async (database: Database, accountId: number, id: number): Promise<AgentRecord> => {
	const row = await selectAgents(database, accountId).where('id', '=', id).executeTakeFirst();
	if (row === undefined) {
		throw notFound('agent', id);
	}

	const ties = await selectTies(database, accountId).where('agent_id', '=', id).execute();
	return toRecord(row, ties.map(tie => tie.ability_id));
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

const changeAgent = async (database: Database, id: number, {name, description, abilityIds}: AgentChanges): Promise<void> => {
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

export const agentVerbs = (database: Database): Agents => ({
	list: async accountId => inSnapshot(database, async within => listAgents(within, accountId)),
	change: async (accountId, id, decide) => inTransaction(database, async within => {
		await getAgent(within, accountId, id);
		await changeAgent(within, id, decide(await findOwnedIds(within, 'abilities', accountId)));
		return getAgent(within, accountId, id);
	}),
});
