import {SwitchboardError} from '../../../interface/errors.ts';
import type {Account, AccountContent, NewAgent} from '../changes.ts';
import {insertAbility} from './abilities.ts';
import {addTies, insertAgent} from './agents.ts';
import {type Database, type Engine, flag, idsOf, removeIds, selectLocked, toVersions, versionColumns, type VersionRow} from './database.ts';
import {removeStagedFilesOf} from './staged-files.ts';
import {accountOf, withinAccount} from './write-account.ts';

/** The agent that every new account has. */
const starterAgent = {
	name: 'Home',
	description: [
		'You are the voice of this home. You speak briefly and kindly, as to people who have their hands full.',
		'',
		'When you are asked for something that one of your abilities does, let the ability do it and say what came of it in' +
			' one sentence. When nothing you have can help, say so plainly and do not guess.',
	].join('\n'),
	image: null,
} as const;

/** Returns the id of the account with that name, which is created on first use with one agent. */
export async function ensureAccount(database: Database, name: string): Promise<number> {
	const id = (await findId(database, name)) ?? (await createAccount(database, name)) ?? (await findId(database, name));
	if (id === undefined) {
		throw new Error('An account was removed while it was created');
	}

	return id;
}

async function findId(database: Database, name: string): Promise<number | undefined> {
	const row = await database.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst();
	return row?.id;
}

/** `undefined` if another process has just created it. */
async function createAccount(database: Database, name: string): Promise<number | undefined> {
	const row = await database
		.insertInto('accounts')
		.values({name, created_at: new Date().toISOString()})
		.onConflict(conflict => conflict.doNothing())
		.returning('id')
		.executeTakeFirst();
	if (row !== undefined) {
		await insertAgent(database, row.id, {...starterAgent, isStarter: true});
	}

	return row?.id;
}

/** Returns the account of a row. */
export function toAccount(row: VersionRow & {readonly id: number; readonly name: string; readonly history_number: number}): Account {
	return {id: row.id, name: row.name, versions: toVersions(row), historyNumber: row.history_number};
}

export function accountVerbs(engine: Engine) {
	return {
		/** `undefined` if it does not exist. */
		find: async (name: string): Promise<Account | undefined> =>
			engine.query(async database => {
				const row = await database
					.selectFrom('accounts')
					.select(['id', 'name', 'history_number', ...versionColumns])
					.where('name', '=', name)
					.executeTakeFirst();
				return row && toAccount(row);
			}),
		/** The id of an account, created on first use (`ensureAccount`). */
		ensure: async (name: string) => engine.write(async transaction => ensureAccount(transaction, name)),
		/** True if the account does not exist, or holds no ability and no agent but the unchanged first one. */
		isEmpty: async (name: string) =>
			engine.read(async transaction => {
				const accountId = await findId(transaction, name);
				return accountId === undefined || isAccountEmpty(transaction, accountId);
			}),
		/**
	Fills an empty account, and creates it on first use. The content of the operator always fits.

	@returns false if the account is not empty; then nothing is changed.
	*/
		async fill(name: string, content: AccountContent): Promise<boolean> {
			const {accountId, result, versions, historyNumber} = await engine.write(async transaction => {
				const id = await ensureAccount(transaction, name);
				const written = await withinAccount(engine, transaction, accountOf(id), async () => {
					const isEmpty = await isAccountEmpty(transaction, id);
					if (isEmpty) {
						await fillAccount(transaction, id, content);
					}

					return isEmpty;
				});
				return {accountId: id, ...written};
			});
			engine.announce(accountId, versions, historyNumber);
			return result;
		},
		/** All accounts, oldest first, with the number of their keys and the size that counts for their quota. */
		list: async () =>
			engine.query(async database => {
				const rows = await database
					.selectFrom('accounts')
					.select(builder => [
						'id',
						'name',
						'bytes',
						builder
							.selectFrom('api_keys')
							.whereRef('account_id', '=', 'accounts.id')
							.select(({fn}) => fn.countAll<number>().as('count'))
							.as('keys'),
					])
					.orderBy('id')
					.execute();
				return rows.map(({id, name, keys, bytes}) => ({id, name, keys: keys ?? 0, bytes}));
			}),
		/**
	Removes an account with its keys and all that it holds. Its keys stop working at once; an upload that is under way is refused.

	@throws SwitchboardError `not-found`.
	*/
		remove: async (id: number) => engine.write(async transaction => removeAccount(engine, transaction, id)),
	};
}

async function isAccountEmpty(database: Database, accountId: number): Promise<boolean> {
	const abilities = database.selectFrom('abilities').select('id').where('account_id', '=', accountId);
	const agents = database.selectFrom('agents').select('id').where('account_id', '=', accountId).where('is_starter', '=', flag(false));
	return (await abilities.unionAll(agents).limit(1).executeTakeFirst()) === undefined;
}

/** Adds abilities and agents to an empty account, within a transaction. */
async function fillAccount(database: Database, accountId: number, {abilities, agents}: AccountContent): Promise<void> {
	const abilityIds = new Map<string, number>();
	for (const ability of abilities) {
		abilityIds.set(ability.name, (await insertAbility(database, accountId, ability)).id);
	}

	for (const [index, agent] of agents.entries()) {
		const starterId = index === 0 ? await replaceStarter(database, accountId, agent) : undefined;
		const id = starterId ?? (await insertAgent(database, accountId, {...agent, isStarter: false}));
		const ties = agent.abilities.map(name => abilityIds.get(name)).filter(abilityId => abilityId !== undefined);
		await addTies(database, id, ties);
	}
}

/** Overwrites the agent that came with the account, and returns its id; `undefined` if there is none. */
async function replaceStarter(database: Database, accountId: number, {name, description, image}: NewAgent): Promise<number | undefined> {
	const row = await database
		.updateTable('agents')
		.set({name, description, image, is_starter: flag(false)})
		.where('account_id', '=', accountId)
		.where('is_starter', '=', flag(true))
		.returning('id')
		.executeTakeFirst();
	return row?.id;
}

/**
Other changes of the account wait, or are refused when it is gone. Rows that refer to others go first, so that the triggers find what
they look for.
*/
async function removeAccount(engine: Engine, transaction: Database, id: number): Promise<void> {
	const gone = () => new SwitchboardError('not-found', 'There is no such account any more.');
	await selectLocked(transaction, id).executeTakeFirstOrThrow(gone);
	if (engine.writeAhead !== undefined) {
		await removeStagedFilesOf(transaction, id);
	}

	const abilityIds = transaction.selectFrom('abilities').select('id').where('account_id', '=', id);
	const records = await abilityIds
		.unionAll(transaction.selectFrom('agents').select('id').where('account_id', '=', id))
		.unionAll(transaction.selectFrom('releases').select('id').where('ability_id', 'in', abilityIds))
		.unionAll(transaction.selectFrom('installed').select('id').where('ability_id', 'in', abilityIds))
		.execute();
	for (const table of ['api_keys', 'agents', 'abilities'] as const) {
		await transaction.deleteFrom(table).where('account_id', '=', id).execute();
	}

	await removeIds(transaction, idsOf(records));
	await transaction.deleteFrom('accounts').where('id', '=', id).execute();
}
