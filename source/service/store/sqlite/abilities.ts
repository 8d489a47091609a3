import {nameTaken, notFound} from '../store-errors.ts';
import {type Abilities} from '../store.ts';
import {addTies} from './agents.ts';
import {insertAbility} from './insert-ability.ts';
import {findOwnedIds} from './ids.ts';
import {getAbility, listAbilities} from './read-abilities.ts';
import {getAbilityOfRelease} from './releases.ts';
import {type Database} from './tables.ts';
import {inSnapshot, inTransaction} from './transactions.ts';

const refuseTakenName = async (database: Database, accountId: number, name: string): Promise<void> => {
	const row = await database
		.selectFrom('abilities')
		.select('id')
		.where('account_id', '=', accountId)
		.where('name', '=', name)
		.executeTakeFirst();
	if (row !== undefined) {
		throw nameTaken(name);
	}
};

const refuseUnknownIds = async (database: Database, accountId: number, ids: readonly number[]): Promise<void> => {
	const own = await findOwnedIds(database, 'abilities', accountId);
	const unknown = ids.find(id => !own.has(id));
	if (unknown !== undefined) {
		throw notFound('ability', unknown);
	}
};

export const abilityVerbs = (database: Database): Abilities => ({
	list: async accountId => inSnapshot(database, async within => listAbilities(within, accountId)),
	get: async (accountId, id) => inSnapshot(database, async within => getAbility(within, accountId, id)),
	getByRelease: async (accountId, releaseId) => inSnapshot(database, async within =>
		getAbility(within, accountId, await getAbilityOfRelease(within, accountId, releaseId))),
	add: async (accountId, ability, chooseAgent) => inTransaction(database, async within => {
		const agentId = chooseAgent(await findOwnedIds(within, 'agents', accountId));
		await refuseTakenName(within, accountId, ability.name);
		const id = await insertAbility(within, accountId, ability);
		if (agentId !== undefined) {
			await addTies(within, agentId, [id]);
		}

		return id;
	}),
	remove: async (accountId, ids) => inTransaction(database, async within => {
		await refuseUnknownIds(within, accountId, ids);
		await within.deleteFrom('abilities').where('id', 'in', ids).execute();
	}),
});
