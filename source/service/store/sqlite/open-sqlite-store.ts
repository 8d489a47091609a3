import {Kysely} from 'kysely';
import {prepareDatabaseFile, prepareDataFolder} from '../../data-folder.ts';
import {type Store} from '../store.ts';
import {abilityVerbs} from './abilities.ts';
import {accountVerbs} from './accounts.ts';
import {agentVerbs} from './agents.ts';
import {createSqliteDialect} from './dialect.ts';
import {installedVerbs} from './installed.ts';
import {keyVerbs} from './keys.ts';
import {openDatabase} from './open-database.ts';
import {releaseVerbs} from './releases.ts';
import {type Database, type Tables} from './tables.ts';

/** The store on SQLite (`openStore`). */
export const openSqliteStore = (dataFolder: string): Store => {
	prepareDataFolder(dataFolder);
	const connection = openDatabase(prepareDatabaseFile(dataFolder));
	const database: Database = new Kysely<Tables>({dialect: createSqliteDialect(connection)});
	return {
		accounts: {...accountVerbs(database), ...keyVerbs(database)},
		agents: agentVerbs(database),
		abilities: abilityVerbs(database),
		installed: installedVerbs(database),
		releases: releaseVerbs(database),
		async close() {
			await database.destroy();
			// Kysely closes only what it has used.
			if (connection.isOpen) {
				connection.close();
			}
		},
	};
};
