import {Kysely} from 'kysely';
import {prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {type Store, type StoreOptions} from '../store.ts';
import {abilityVerbs} from './abilities.ts';
import {accountVerbs} from './accounts.ts';
import {agentVerbs} from './agents.ts';
import {guardDatabaseFiles} from './database-files.ts';
import {createSqliteDialect} from './dialect.ts';
import {installedVerbs} from './installed.ts';
import {keyVerbs} from './keys.ts';
import {busyTimeoutMilliseconds, openDatabase} from './open-database.ts';
import {createReclaim} from './reclaim.ts';
import {releaseVerbs} from './releases.ts';
import {type Database, type Tables} from './tables.ts';

/** The store on SQLite (`openStore`). */
export const openSqliteStore = (dataFolder: string, {quotaBytes}: StoreOptions): Store => {
	prepareDataFolder(dataFolder);
	const file = prepareDatabaseFile(dataFolder);
	const connection = openDatabase(file);
	const refuseMoved = guardDatabaseFiles(file);
	const database: Database = new Kysely<Tables>({dialect: createSqliteDialect({database: connection, file, refuseMoved})});
	const reclaim = createReclaim(database, connection, busyTimeoutMilliseconds);
	const abilities = abilityVerbs(database, quotaBytes);
	const releases = releaseVerbs(database, quotaBytes);
	return {
		accounts: {...accountVerbs(database), ...keyVerbs(database)},
		agents: agentVerbs(database, quotaBytes),
		abilities: {
			...abilities,
			async remove(accountId, ids) {
				await abilities.remove(accountId, ids);
				void reclaim();
			},
		},
		installed: installedVerbs(database, quotaBytes),
		releases: {
			...releases,
			async save(accountId, releaseId, code) {
				const release = await releases.save(accountId, releaseId, code);
				void reclaim();
				return release;
			},
		},
		check: refuseMoved,
		async close() {
			await reclaim();
			await database.destroy();
			// Kysely closes only what it has used.
			if (connection.isOpen) {
				connection.close();
			}
		},
	};
};
