import {type DatabaseSync, type SQLInputValue} from 'node:sqlite';
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type SqliteDatabase,
	SqliteDialect,
	SqliteDriver,
} from 'kysely';

/** Kysely expects the manners of better-sqlite3: parameters as one array, and a statement that knows whether it has rows. */
const asKyselyDatabase = (database: DatabaseSync): SqliteDatabase => ({
	close() {
		database.close();
	},
	prepare(sql) {
		const statement = database.prepare(sql);
		return {
			reader: statement.columns().length > 0,
			all: parameters => statement.all(...parameters as readonly SQLInputValue[]),
			run: parameters => statement.run(...parameters as readonly SQLInputValue[]),
			iterate: parameters => statement.iterate(...parameters as readonly SQLInputValue[]),
		};
	},
});

/**
Every transaction of ours writes. One that began as a reader would fail at its first write whenever another process had
written meanwhile, whatever the busy time-out.
*/
class ImmediateSqliteDriver extends SqliteDriver {
	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}
}

/** Kysely's SQLite dialect on `node:sqlite`. */
export const createSqliteDialect = (database: DatabaseSync): Dialect => {
	const config = {database: asKyselyDatabase(database)};
	const standard = new SqliteDialect(config);
	return {
		createAdapter: () => standard.createAdapter(),
		createDriver: () => new ImmediateSqliteDriver(config),
		createIntrospector: kysely => standard.createIntrospector(kysely),
		createQueryCompiler: () => standard.createQueryCompiler(),
	};
};
