import {type DatabaseSync, type SQLInputValue} from 'node:sqlite';
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type SqliteDatabase,
	SqliteDialect,
	SqliteDriver,
	type TransactionSettings,
} from 'kysely';
import {StoreBusyError} from '../store-errors.ts';
import {isDatabaseBusy} from './result-codes.ts';

/** SQLite's error for a busy database becomes the store's. */
const toStoreError = (error: unknown): unknown =>
	isDatabaseBusy(error) ? new StoreBusyError('The database is in use by another program.', {cause: error}) : error;

const run = <Result>(work: () => Result): Result => {
	try {
		return work();
	} catch (error) {
		throw toStoreError(error);
	}
};

const emptyBlob = new Uint8Array(new ArrayBuffer(1), 0, 0);

/** Early versions of Node.js 24 bind an array without memory as NULL. */
const toInputValues = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
	parameters.map(value => value instanceof Uint8Array && value.length === 0 ? emptyBlob : value as SQLInputValue);

/** Kysely expects the API of better-sqlite3: parameters as one array, and a statement that knows whether it returns rows. */
const asKyselyDatabase = (database: DatabaseSync): SqliteDatabase => ({
	close() {
		database.close();
	},
	prepare(sql) {
		const statement = run(() => database.prepare(sql));
		return {
			reader: statement.columns().length > 0,
			all: parameters => run(() => statement.all(...toInputValues(parameters))),
			run: parameters => run(() => statement.run(...toInputValues(parameters))),
			* iterate(parameters) {
				try {
					yield * statement.iterate(...toInputValues(parameters));
				} catch (error) {
					throw toStoreError(error);
				}
			},
		};
	},
});

/**
A transaction that writes says so when it begins. One that began as a reader would fail at its first write if another process
had written meanwhile, whatever the busy timeout.
*/
class ImmediateSqliteDriver extends SqliteDriver {
	override async beginTransaction(connection: DatabaseConnection, {accessMode}: TransactionSettings = {}): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'));
	}
}

/** Kysely's SQLite dialect on `node:sqlite`. */
export const createSqliteDialect = (database: DatabaseSync): Dialect => {
	const config = {database: asKyselyDatabase(database)};
	return Object.assign(new SqliteDialect(config), {createDriver: () => new ImmediateSqliteDriver(config)});
};
