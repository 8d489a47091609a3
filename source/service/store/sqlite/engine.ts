import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	sql,
	type SqliteDatabase,
	SqliteDialect,
	type SqliteDialectConfig,
	SqliteDriver,
	SqliteQueryCompiler,
	type TransactionSettings,
} from 'kysely';
import QuickLru from 'quick-lru';
import type {Database, Engine} from '../sql/database.ts';
import {isTrouble, refuseNewerSchema, type StoreFailure} from '../../store-errors.ts';
import {toStoreError} from './errors.ts';
import {setServingBusyTimeout} from './open-database.ts';
import {readVersion, versions} from './schema.ts';

/** Set once damage was found: nothing more is written, as it might be lost with the rest. */
export type FoundDamage = {error?: StoreFailure};

const emptyBlob = new Uint8Array(new ArrayBuffer(1), 0, 0);

/** More texts than the store has, but for lists of ids. */
const maximumPrepared = 100;

type ConnectionParts = {
	readonly database: DatabaseSync;
	readonly file: string;
	/** Throws if the files are not those that were opened. */
	readonly refuseMoved: () => void;
};

class GuardedSqliteDriver extends SqliteDriver {
	readonly #parts: ConnectionParts;
	readonly #damage: FoundDamage;

	constructor(config: SqliteDialectConfig, parts: ConnectionParts, damage: FoundDamage) {
		super(config);
		this.#parts = parts;
		this.#damage = damage;
	}

	/** Waits for other processes, which write for moments only; other requests are answered meanwhile. */
	async #beginWriting(connection: DatabaseConnection): Promise<void> {
		const deadline = performance.now() + 1000;
		for (;;) {
			try {
				await connection.executeQuery(CompiledQuery.raw('begin immediate'));
				return;
			} catch (error) {
				if (!isTrouble(error, 'busy') || performance.now() > deadline) {
					throw error;
				}

				await setImmediate();
			}
		}
	}

	/**
	Begins as a writer where the transaction is to write. As a reader it would fail at its first write if another process had written
	meanwhile, whatever the busy timeout.
	*/
	override async beginTransaction(connection: DatabaseConnection, {accessMode}: TransactionSettings = {}): Promise<void> {
		if (accessMode === 'read only') {
			await super.beginTransaction(connection);
			return;
		}

		if (this.#damage.error !== undefined) {
			throw this.#damage.error;
		}

		await this.#beginWriting(connection);
		const {database, file} = this.#parts;
		try {
			// From here to the end of the transaction nobody else can change the schema.
			refuseNewerSchema(file, readVersion(database), versions.present);
		} catch (error) {
			await this.rollbackTransaction(connection);
			throw toStoreError(error, file);
		}
	}

	/** A change of a file that has no name any more is not stored. A commit may move the log into the file. */
	override async commitTransaction(connection: DatabaseConnection): Promise<void> {
		this.#parts.refuseMoved();
		await super.commitTransaction(connection);
		this.#parts.refuseMoved();
	}

	/** On a full disk SQLite rolls back by itself; an error about a missing transaction would hide the reason. */
	override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		if (this.#parts.database.isTransaction) {
			await super.rollbackTransaction(connection);
		}
	}
}

/** Leaves out the locks of rows, which SQLite does not have: a transaction that writes holds up all others. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
	override visitSelectModifier(...[node]: Parameters<SqliteQueryCompiler['visitSelectModifier']>): void {
		if (node.modifier === 'Distinct') {
			super.visitSelectModifier(node);
		}
	}
}

/**
Creates Kysely's SQLite dialect on `node:sqlite`.

@param damage - shared by the connections to one file.
*/
export function createSqliteDialect(parts: ConnectionParts, damage: FoundDamage = {}): Dialect {
	const config = {database: asKyselyDatabase(parts, damage)};
	return Object.assign(new SqliteDialect(config), {
		createDriver: () => new GuardedSqliteDriver(config, parts, damage),
		createQueryCompiler: () => new LocklessQueryCompiler(),
	});
}

/** Kysely expects the API of better-sqlite3: parameters as one array, and a statement that knows whether it returns rows. */
function asKyselyDatabase({database, file, refuseMoved}: ConnectionParts, damage: FoundDamage): SqliteDatabase {
	/** Each text is prepared once: for a short query that takes longer than the query itself. */
	const kept = new QuickLru<string, {readonly statement: StatementSync; readonly isReader: boolean}>({maxSize: maximumPrepared});

	const prepare = (text: string) => {
		if (!kept.has(text)) {
			const statement = database.prepare(text);
			kept.set(text, {statement, isReader: statement.columns().length > 0});
		}

		return kept.get(text)!;
	};

	const explain = (error: unknown): unknown => {
		const known = toStoreError(error, file);
		if (isTrouble(known, 'damaged')) {
			damage.error ??= known as StoreFailure;
		}

		return known;
	};

	const run = <Result>(work: () => Result): Result => {
		try {
			return work();
		} catch (error) {
			throw explain(error);
		}
	};

	return {
		close: () => database.close(),
		prepare(text) {
			if (!database.isTransaction) {
				refuseMoved();
			}

			const {statement, isReader} = run(() => prepare(text));
			return {
				reader: isReader,
				all: parameters => run(() => statement.all(...toInputValues(parameters))),
				run: parameters => run(() => statement.run(...toInputValues(parameters))),
				*iterate(parameters) {
					try {
						yield* statement.iterate(...toInputValues(parameters));
					} catch (error) {
						throw explain(error);
					}
				},
			};
		},
	};
}

/** Early versions of Node.js 24 bind an array without memory as NULL. */
const toInputValues = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
	parameters.map(value => (value instanceof Uint8Array && value.length === 0 ? emptyBlob : (value as SQLInputValue)));

type EngineParts = Pick<Engine, 'announce' | 'history' | 'quotaBytes'> & {
	readonly database: Database;
	/** The connection of that one. */
	readonly connection: DatabaseSync;
	readonly damage: FoundDamage;
	/** Another connection to that database, which only reads. */
	readonly reading: Database;
	/** Called when nothing is being read, and no transaction is open. */
	readonly betweenReads: () => void;
};

/** Returns two connections: lists are read on one while the other does the rest. A transaction that writes holds up all others. */
export function createSqliteEngine({database, connection: main, damage, reading, betweenReads, ...parts}: EngineParts): Engine {
	const write: Engine['write'] = async work => database.transaction().execute(work);
	return {
		canWriteInWith: false,
		elementsOf: json => sql`json_each(${json})`,
		...parts,
		query: async work => work(database),
		read: async work => database.transaction().setAccessMode('read only').execute(work),
		readMuch: async work =>
			reading.connection().execute(async connection => {
				// No transaction outlasts a turn of the event loop, but for those that read.
				await setImmediate();
				betweenReads();
				return connection.transaction().setAccessMode('read only').execute(work);
			}),
		write,
		async writeAccount(_, work) {
			await setImmediate();
			return write(work);
		},
		touch: async work =>
			database.connection().execute(async connection => {
				if (damage.error !== undefined) {
					throw damage.error;
				}

				main.exec('pragma busy_timeout = 0');
				try {
					return await work(connection);
				} finally {
					setServingBusyTimeout(main);
				}
			}),
		// Nothing else may use the connection meanwhile: SQLite ignores the setting within a transaction.
		writeAhead: async work =>
			database.connection().execute(async connection => {
				await sql`pragma foreign_keys = off`.execute(connection);
				try {
					return await connection.transaction().execute(work);
				} finally {
					await sql`pragma foreign_keys = on`.execute(connection);
				}
			}),
	};
}
