import {Kysely} from 'kysely';
import {prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {type Store} from '../store.ts';
import {abilityVerbs} from './abilities.ts';
import {accountVerbs} from './accounts.ts';
import {agentVerbs} from './agents.ts';
import {guardDatabaseFiles} from './database-files.ts';
import {createSqliteDialect} from './dialect.ts';
import {installedVerbs} from './installed.ts';
import {keyVerbs} from './keys.ts';
import {openDatabase} from './open-database.ts';
import {releaseVerbs} from './releases.ts';
import {type Database, type Tables} from './tables.ts';

/** The store on SQLite (`openStore`). */
export const openSqliteStore = (dataFolder: string): Store => {
	prepareDataFolder(dataFolder);
	const file = prepareDatabaseFile(dataFolder);
	const connection = openDatabase(file);
	const refuseMoved = guardDatabaseFiles(file);
	const database: Database = new Kysely<Tables>({dialect: createSqliteDialect({database: connection, file, refuseMoved})});
	return {
		accounts: {...accountVerbs(database), ...keyVerbs(database)},
		agents: agentVerbs(database),
		abilities: abilityVerbs(database),
		installed: installedVerbs(database),
		releases: releaseVerbs(database),
		check: refuseMoved,
		async close() {
			await database.destroy();
			// Kysely closes only what it has used.
			if (connection.isOpen) {
				connection.close();
			}
		},
	};
};
