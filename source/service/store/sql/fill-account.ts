import {type AccountContent, type NewAbility, type NewAgent} from '../changes.ts';
import {addTies, insertAgent} from './agents.ts';
import {insertAbility} from './insert-ability.ts';
import {type Database, flag} from './tables.ts';

const addAbilities = async (database: Database, accountId: number, abilities: readonly NewAbility[]): Promise<ReadonlyMap<string, number>> => {
	const ids = new Map<string, number>();
	for (const ability of abilities) {
		ids.set(ability.name, await insertAbility(database, accountId, ability));
	}

	return ids;
};

/** Overwrites the agent that came with the account, and returns its id; `undefined` if there is none. */
const replaceStarter = async (database: Database, accountId: number, {name, description, image}: NewAgent): Promise<number | undefined> => {
	const row = await database
		.updateTable('agents')
		.set({
			name,
			description,
			image,
			is_starter: flag(false),
		})
		.where('account_id', '=', accountId)
		.where('is_starter', '=', flag(true))
		.returning('id')
		.executeTakeFirst();
	return row?.id;
};

/** Adds abilities and agents to an empty account, within a transaction. */
export const fillAccount = async (database: Database, accountId: number, {abilities, agents}: AccountContent): Promise<void> => {
	const abilityIds = await addAbilities(database, accountId, abilities);
	for (const [index, agent] of agents.entries()) {
		const starterId = index === 0 ? await replaceStarter(database, accountId, agent) : undefined;
		const id = starterId ?? await insertAgent(database, accountId, {...agent, isStarter: false});
		await addTies(database, id, agent.abilities.map(name => abilityIds.get(name)).filter(abilityId => abilityId !== undefined));
	}
};
