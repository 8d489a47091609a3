import {openSqliteStore} from './sqlite/open-sqlite-store.ts';
import {type Store} from './store.ts';

/**
Opens the store of a data folder, and creates both if they are missing. The one place that knows which database is behind it.

@throws SwitchboardError if the folder or its database cannot be used, with what to do; a database that cannot be read is
left exactly as it is.
*/
export const openStore = async (dataFolder: string): Promise<Store> => openSqliteStore(dataFolder);
