import {type Database} from './tables.ts';

/** The tables whose ids are given by the database. */
export const sequenceTables = ['accounts', 'api_keys', 'identifiers'] as const;

/** The last id that each gave: none is given again, also if what had it is gone. */
export type LastIds = Readonly<Record<typeof sequenceTables[number], number>>;

/** All that a database holds, for an operator: nothing is tried or announced as for a service. */
export type Home = {
	/** Work that sees one state, whatever a service writes meanwhile. */
	readonly read: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
	/** Work during which nobody else writes; if it throws, all of it is undone. */
	readonly write: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
	readonly readLastIds: (database: Database) => Promise<LastIds>;
	/** Never goes back. */
	readonly raiseLastIds: (database: Database, ids: LastIds) => Promise<void>;
	readonly close: () => Promise<void>;
};
