import {sql} from 'kysely';
import {type Engine} from '../sql/engine.ts';
import {type Database} from '../sql/tables.ts';

/** One connection does everything: a transaction holds up all others. */
export const createSqliteEngine = (database: Database, announce: Engine['announce']): Engine => ({
	isSingleWriter: true,
	announce,
	query: async work => work(database),
	read: async work => database.transaction().setAccessMode('read only').execute(work),
	write: async work => database.transaction().execute(work),
	writeInTurn: async (_accountId, work) => database.transaction().execute(work),
	// Nothing else may use the connection meanwhile: SQLite ignores the setting within a transaction.
	writeAhead: async work => database.connection().execute(async connection => {
		await sql`pragma foreign_keys = off`.execute(connection);
		try {
			return await connection.transaction().execute(work);
		} finally {
			await sql`pragma foreign_keys = on`.execute(connection);
		}
	}),
});
