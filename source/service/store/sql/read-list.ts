import {accountGone} from '../store-errors.ts';
import {type Listed, type ListName} from '../store.ts';
import {type Engine} from './engine.ts';
import {type Database} from './tables.ts';
import {toVersions, versionColumns} from './versions.ts';

/** A list of an account and its version, as they are at one moment. */
export const readList = async <Item>(
	engine: Engine,
	accountId: number,
	list: ListName,
	readAll: (database: Database, accountId: number) => Promise<readonly Item[]>,
): Promise<Listed<Item>> => engine.readMuch(async transaction => {
	const versions = await transaction.selectFrom('accounts').select(versionColumns).where('id', '=', accountId).executeTakeFirst();
	if (versions === undefined) {
		throw accountGone();
	}

	return {version: toVersions(versions)[list], records: await readAll(transaction, accountId)};
});
