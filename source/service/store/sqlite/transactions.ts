import {type Database} from './tables.ts';

/** Work that writes, as one atomic unit: if it throws, all of it is undone. */
export const inTransaction = async <Result>(database: Database, work: (database: Database) => Promise<Result>): Promise<Result> =>
	database.transaction().execute(work);

/** Queries that see one state of the database, whatever another process writes meanwhile. */
export const inSnapshot = async <Result>(database: Database, work: (database: Database) => Promise<Result>): Promise<Result> =>
	database.transaction().setAccessMode('read only').execute(work);
