import {SwitchboardError} from '../../../interface/errors.ts';
import {starterAgent} from '../starter-agent.ts';
import {type Account, type Accounts} from '../store.ts';
import {removeIds} from './ids.ts';
import {insertAgent} from './agents.ts';
import {type Engine} from './engine.ts';
import {fillAccount} from './fill-account.ts';
import {removeStagedFilesOf} from './staged-files.ts';
import {type Database, flag} from './tables.ts';
import {toVersions, versionColumns} from './versions.ts';
import {accountOf, withinAccount} from './write-account.ts';

const findAccount = async (database: Database, name: string): Promise<Account | undefined> => {
	const row = await database.selectFrom('accounts').select(['id', 'name', ...versionColumns]).where('name', '=', name).executeTakeFirst();
	return row && {id: row.id, name: row.name, versions: toVersions(row)};
};

/** `undefined` if another process has just created it. */
const createAccount = async (database: Database, name: string): Promise<number | undefined> => {
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
};

const findId = async (database: Database, name: string): Promise<number | undefined> => {
	const row = await database.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirst();
	return row?.id;
};

/** The id of an account, which is created on first use, within a transaction. */
export const ensureAccount = async (database: Database, name: string): Promise<number> => {
	const id = await findId(database, name) ?? await createAccount(database, name) ?? await findId(database, name);
	if (id === undefined) {
		throw new Error('An account was removed while it was created');
	}

	return id;
};

const isAccountEmpty = async (database: Database, accountId: number): Promise<boolean> => {
	const ability = await database.selectFrom('abilities').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst();
	const agent = await database
		.selectFrom('agents')
		.select('id')
		.where('account_id', '=', accountId)
		.where('is_starter', '=', flag(false))
		.limit(1)
		.executeTakeFirst();
	return ability === undefined && agent === undefined;
};

const listAccounts = async (database: Database) => {
	const rows = await database
		.selectFrom('accounts')
		.select(builder => [
			'id',
			'name',
			'bytes',
			builder.selectFrom('api_keys').whereRef('account_id', '=', 'accounts.id').select(({fn}) => fn.countAll<number>().as('count')).as('keys'),
		])
		.orderBy('id')
		.execute();
	return rows.map(({id, name, keys, bytes}) => ({
		id, name, keys: keys ?? 0, bytes,
	}));
};

/** Whatever else changes the account waits, or is refused when it is gone. What refers to others goes first, so that the triggers find what they look for. */
const removeAccount = async (engine: Engine, transaction: Database, id: number): Promise<void> => {
	const account = transaction.selectFrom('accounts').select('id').where('id', '=', id);
	if (await (engine.isSingleWriter ? account : account.forUpdate()).executeTakeFirst() === undefined) {
		throw new SwitchboardError('not-found', 'There is no such account any more.');
	}

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

	await removeIds(transaction, records.map(record => record.id));
	await transaction.deleteFrom('accounts').where('id', '=', id).execute();
};

export const accountVerbs = (engine: Engine): Pick<Accounts, 'find' | 'ensure' | 'isEmpty' | 'fill' | 'list' | 'remove'> => ({
	list: async () => engine.query(listAccounts),
	remove: async id => engine.write(async transaction => removeAccount(engine, transaction, id)),
	find: async name => engine.query(async database => findAccount(database, name)),
	ensure: async name => engine.write(async transaction => ensureAccount(transaction, name)),
	isEmpty: async name => engine.read(async transaction => {
		const accountId = await findId(transaction, name);
		return accountId === undefined || isAccountEmpty(transaction, accountId);
	}),
	async fill(name, content) {
		const {accountId, result, versions} = await engine.write(async transaction => {
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
		engine.announce(accountId, versions);
		return result;
	},
});
