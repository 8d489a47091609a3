import {foldName} from '../../../interface/fold-name.ts';
import {nameTaken, notFound} from '../store-errors.ts';
import {type Abilities} from '../store.ts';
import {addTies} from './agents.ts';
import {type Engine} from './engine.ts';
import {insertAbility} from './insert-ability.ts';
import {findOwnedIds, removeIds} from './ids.ts';
import {getAbility, listAbilities} from './read-abilities.ts';
import {readList} from './read-list.ts';
import {getAbilityOfRelease} from './releases.ts';
import {writeWithFiles} from './staged-files.ts';
import {type Database} from './tables.ts';
import {accountOf, writeAccount} from './write-account.ts';

const refuseTakenName = async (database: Database, accountId: number, name: string): Promise<void> => {
	const row = await database
		.selectFrom('abilities')
		.select('id')
		.where('account_id', '=', accountId)
		.where('folded_name', '=', foldName(name))
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

export const abilityVerbs = (engine: Engine, quotaBytes: number | undefined): Abilities => ({
	list: async accountId => readList(engine, accountId, 'abilities', listAbilities),
	get: async (accountId, id) => engine.read(async transaction => getAbility(transaction, accountId, id)),
	getByRelease: async (accountId, releaseId) => engine.read(async transaction =>
		getAbility(transaction, accountId, await getAbilityOfRelease(transaction, accountId, releaseId))),
	add: async (writer, ability, chooseAgent) => writeWithFiles(engine, accountOf(writer, quotaBytes), ability.files, async (transaction, accountId, staged) => {
		const agentId = chooseAgent(await findOwnedIds(transaction, 'agents', accountId));
		await refuseTakenName(transaction, accountId, ability.name);
		const id = await insertAbility(transaction, accountId, ability, staged);
		if (agentId !== undefined) {
			await addTies(transaction, agentId, [id]);
		}

		return id;
	}),
	remove: async (writer, ids) => writeAccount(engine, accountOf(writer), async (transaction, accountId) => {
		await refuseUnknownIds(transaction, accountId, ids);
		const releases = await transaction.selectFrom('releases').select('id').where('ability_id', 'in', ids).execute();
		const installed = await transaction.selectFrom('installed').select('id').where('ability_id', 'in', ids).execute();
		await transaction.deleteFrom('abilities').where('id', 'in', ids).execute();
		await removeIds(transaction, [...ids, ...releases.map(({id}) => id), ...installed.map(({id}) => id)]);
	}),
});
