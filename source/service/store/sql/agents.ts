import type {AgentRecord} from '../../records.ts';
import type {AgentChanges, NewAgent, Writer} from '../changes.ts';
import {notFound} from '../../store-errors.ts';
import {allocateId, type Database, type Engine, findOwnedIds, flag} from './database.ts';
import {compareFields, type FieldChange} from './history.ts';
import {readList, writeAccount} from './write-account.ts';

/** Ties an agent to more abilities. */
export async function addTies(database: Database, agentId: number, abilityIds: readonly number[]): Promise<void> {
	for (const ability_id of abilityIds) {
		const insert = database.insertInto('agent_abilities').values({agent_id: agentId, ability_id});
		await insert.onConflict(conflict => conflict.doNothing()).execute();
	}
}

/** Returns the ties of agents that work has changed, for the history. */
export async function compareTies(
	database: Database,
	agentIds: readonly number[],
	work: () => Promise<void>,
): Promise<readonly FieldChange[]> {
	const before = agentIds.length === 0 ? [] : await readTies(database, agentIds);
	await work();
	const after = new Map(before.length === 0 ? [] : (await readTies(database, agentIds)).map(({id, abilities}) => [id, abilities]));
	return before
		.map(
			({id, name, abilities}): FieldChange => ({kind: 'agent', record: id, name, field: 'abilities', from: abilities, to: after.get(id)!}),
		)
		.filter(({from, to}) => JSON.stringify(from) !== JSON.stringify(to));
}

type Ties = {readonly id: number; readonly name: string; readonly abilities: readonly string[]};

/** Returns the names of the abilities that each agent is tied to. */
async function readTies(database: Database, agentIds: readonly number[]): Promise<readonly Ties[]> {
	const rows = await database
		.selectFrom('agents')
		.leftJoin('agent_abilities', 'agent_id', 'agents.id')
		.leftJoin('abilities', 'abilities.id', 'ability_id')
		.select(['agents.id', 'agents.name', 'abilities.name as ability'])
		.where('agents.id', 'in', agentIds)
		.orderBy('agents.id')
		.orderBy('abilities.id')
		.execute();
	return [...Map.groupBy(rows, ({id}) => id).values()].map(([first, ...others]) => ({
		id: first!.id,
		name: first!.name,
		abilities: [first!, ...others].map(({ability}) => ability).filter(ability => ability !== null),
	}));
}

type AgentRow = Omit<NewAgent, 'abilities'> & {readonly isStarter: boolean};

/** Adds an agent to an account, within a transaction; returns its id. */
export async function insertAgent(database: Database, accountId: number, {name, description, image, isStarter}: AgentRow): Promise<number> {
	const id = await allocateId(database);
	await database
		.insertInto('agents')
		.values({id, account_id: accountId, name, description, image, is_starter: flag(isStarter)})
		.execute();
	return id;
}

export function agentVerbs(engine: Engine) {
	return {
		list: async (accountId: number) => readList(engine, accountId, 'agents', listAgents),
		/**
	@param decide - given the ids of all abilities of the account: no others can be tied to an agent.
	@throws SwitchboardError `not-found`, before `decide` is called.
	*/
		change: async (writer: Writer, id: number, decide: (abilityIds: ReadonlySet<number>) => AgentChanges) =>
			writeAccount(engine, writer, async (transaction, accountId, note) => {
				const before = await getAgent(transaction, accountId, id);
				const changes = decide(await findOwnedIds(transaction, 'abilities', accountId));
				const ties = await compareTies(transaction, changes.abilityIds === undefined ? [] : [id], async () =>
					changeAgent(transaction, id, changes),
				);
				const after = await getAgent(transaction, accountId, id);
				note([...compareFields('agent', before, after, {name: 'name', description: 'prompt'}), ...ties]);
				return after;
			}),
	};
}

async function listAgents(database: Database, accountId: number): Promise<AgentRecord[]> {
	const rows = await selectAgents(database, accountId).orderBy('id').execute();
	const ties = Map.groupBy(await selectTies(database, accountId).execute(), tie => tie.agent_id);
	return rows.map(row => toRecord(row, ties.get(row.id) ?? []));
}

const selectAgents = (database: Database, accountId: number) =>
	database.selectFrom('agents').select(['id', 'name', 'description', 'image']).where('account_id', '=', accountId);

const selectTies = (database: Database, accountId: number) =>
	database
		.selectFrom('agent_abilities')
		.innerJoin('agents', 'agents.id', 'agent_id')
		.select(['agent_id', 'ability_id'])
		.where('account_id', '=', accountId)
		.orderBy('ability_id');

type Row = Pick<AgentRecord, 'id' | 'name' | 'description'> & {readonly image: string | null};

const toRecord = (row: Row, ties: ReadonlyArray<{readonly ability_id: number}>): AgentRecord => ({
	id: row.id,
	personality_id: row.id,
	name: row.name,
	description: row.description,
	matching_capabilities: ties.map(tie => tie.ability_id),
	image: row.image,
});

async function getAgent(database: Database, accountId: number, id: number): Promise<AgentRecord> {
	const row = await selectAgents(database, accountId)
		.where('id', '=', id)
		.executeTakeFirstOrThrow(() => notFound('agent', id));
	return toRecord(row, await selectTies(database, accountId).where('agent_id', '=', id).execute());
}

async function changeAgent(database: Database, id: number, {name, description, abilityIds}: AgentChanges): Promise<void> {
	await database
		.updateTable('agents')
		// A column that is undefined stays as it is.
		.set({is_starter: flag(false), name, description})
		.where('id', '=', id)
		.execute();
	if (abilityIds === undefined) {
		return;
	}

	// Ties that stay are not written, so that the list gets a new version only if one changes.
	const wanted = new Set(abilityIds);
	const tied = await database.selectFrom('agent_abilities').select('ability_id').where('agent_id', '=', id).execute();
	const untied = tied.map(tie => tie.ability_id).filter(abilityId => !wanted.has(abilityId));
	if (untied.length > 0) {
		await database.deleteFrom('agent_abilities').where('agent_id', '=', id).where('ability_id', 'in', untied).execute();
	}

	await addTies(database, id, abilityIds);
}
