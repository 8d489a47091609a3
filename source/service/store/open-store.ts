import {isDatabaseUrl} from '../../platform/database-url.ts';
import {hasDatabase} from '../data-folder.ts';
import {openSqliteStore} from './sqlite/open-sqlite-store.ts';
import {type Store, type StoreOptions} from './store.ts';

/**
Opens the store of a data folder, and creates both if they are missing. The only place that chooses a database.

@throws SwitchboardError if the folder or its database cannot be used, with what to do; a damaged database is not changed.
*/
export const openStore = async (dataFolder: string, options: StoreOptions = {}): Promise<Store> => openSqliteStore(dataFolder, options);

/** False if a data folder has no database yet. */
export const hasStore = async (location: string): Promise<boolean> => isDatabaseUrl(location) || hasDatabase(location);
