import {type DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type SqliteDatabase,
	SqliteDialect,
	type SqliteDialectConfig,
	SqliteDriver,
	type TransactionSettings,
} from 'kysely';
import {refuseNewerSchema, StoreBusyError, StoreFailure} from '../store-errors.ts';
import {migrations} from './migrations.ts';
import {toStoreError} from './store-failures.ts';

type ConnectionParts = {
	readonly database: DatabaseSync;
	readonly file: string;
	/** Throws if the files are not those that were opened. */
	readonly refuseMoved: () => void;
};

/** Set once damage was found: nothing more is written, as it might be lost with the rest. */
export type FoundDamage = {
	error?: StoreFailure;
};

const emptyBlob = new Uint8Array(new ArrayBuffer(1), 0, 0);

/** Early versions of Node.js 24 bind an array without memory as NULL. */
const toInputValues = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
	parameters.map(value => value instanceof Uint8Array && value.length === 0 ? emptyBlob : value as SQLInputValue);

type Prepared = {readonly statement: StatementSync; readonly isReader: boolean};

/** More texts than the store has, but for lists of ids. */
const maximumPrepared = 200;

/** Prepares each text once: for a short query that takes longer than the query itself. The one that was not used for longest goes first. */
const createPrepare = (database: DatabaseSync): (text: string) => Prepared => {
	const kept = new Map<string, Prepared>();
	return text => {
		const known = kept.get(text);
		if (known !== undefined) {
			kept.delete(text);
			kept.set(text, known);
			return known;
		}

		const statement = database.prepare(text);
		const prepared = {statement, isReader: statement.columns().length > 0};
		kept.set(text, prepared);
		const [oldest] = kept.keys();
		if (kept.size > maximumPrepared && oldest !== undefined) {
			kept.delete(oldest);
		}

		return prepared;
	};
};

/** Kysely expects the API of better-sqlite3: parameters as one array, and a statement that knows whether it returns rows. */
const asKyselyDatabase = ({database, file, refuseMoved}: ConnectionParts, damage: FoundDamage): SqliteDatabase => {
	const prepare = createPrepare(database);

	const explain = (error: unknown): unknown => {
		const known = toStoreError(error, file);
		if (known instanceof StoreFailure && known.trouble === 'damaged') {
			damage.error ??= known;
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
		close() {
			database.close();
		},
		prepare(sql) {
			if (!database.isTransaction) {
				refuseMoved();
			}

			const {statement, isReader} = run(() => prepare(sql));
			return {
				reader: isReader,
				all: parameters => run(() => statement.all(...toInputValues(parameters))),
				run: parameters => run(() => statement.run(...toInputValues(parameters))),
				* iterate(parameters) {
					try {
						yield * statement.iterate(...toInputValues(parameters));
					} catch (error) {
						throw explain(error);
					}
				},
			};
		},
	};
};

/** How long a change waits for another process that writes: an honest one takes moments. */
const writeLockMilliseconds = 1000;

class GuardedSqliteDriver extends SqliteDriver {
	readonly #parts: ConnectionParts;
	readonly #damage: FoundDamage;
	#readVersion: StatementSync | undefined;

	constructor(config: SqliteDialectConfig, parts: ConnectionParts, damage: FoundDamage) {
		super(config);
		this.#parts = parts;
		this.#damage = damage;
	}

	/** From here to the end of the transaction nobody else can change the schema. */
	async #refuseNewer(connection: DatabaseConnection): Promise<void> {
		const {database, file} = this.#parts;
		try {
			this.#readVersion ??= database.prepare('pragma user_version');
			refuseNewerSchema(file, Number(this.#readVersion.get()?.['user_version']), migrations.length);
		} catch (error) {
			await this.rollbackTransaction(connection);
			throw toStoreError(error, file);
		}
	}

	/** Other processes write for moments only; whoever asks meanwhile is answered. */
	async #beginWriting(connection: DatabaseConnection): Promise<void> {
		const deadline = performance.now() + writeLockMilliseconds;
		for (;;) {
			try {
				await connection.executeQuery(CompiledQuery.raw('begin immediate'));
				return;
			} catch (error) {
				if (!(error instanceof StoreBusyError) || performance.now() > deadline) {
					throw error;
				}

				await setImmediate();
			}
		}
	}

	/**
	A transaction that writes says so when it begins. One that began as a reader would fail at its first write if another process
	had written meanwhile, whatever the busy timeout.
	*/
	override async beginTransaction(connection: DatabaseConnection, {accessMode}: TransactionSettings = {}): Promise<void> {
		if (accessMode !== 'read only' && this.#damage.error !== undefined) {
			throw this.#damage.error;
		}

		if (accessMode === 'read only') {
			await connection.executeQuery(CompiledQuery.raw('begin'));
		} else {
			await this.#beginWriting(connection);
			await this.#refuseNewer(connection);
		}
	}

	/** What was written to a file that has no name any more was not stored. */
	override async commitTransaction(connection: DatabaseConnection): Promise<void> {
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

/**
Kysely's SQLite dialect on `node:sqlite`.

@param damage - shared by the connections to one file: what one of them finds, the others heed.
*/
export const createSqliteDialect = (parts: ConnectionParts, damage: FoundDamage = {}): Dialect => {
	const config = {database: asKyselyDatabase(parts, damage)};
	return Object.assign(new SqliteDialect(config), {createDriver: () => new GuardedSqliteDriver(config, parts, damage)});
};
