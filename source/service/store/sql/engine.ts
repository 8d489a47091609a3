import {type ListVersions} from '../store.ts';
import {type Database} from './tables.ts';

type Work<Result> = (database: Database) => Promise<Result>;

/** What the verbs need of a database: the same for all, but done in its own way by each. */
export type Engine = {
	/** One query, which sees one state of the database by itself. */
	readonly query: <Result>(work: Work<Result>) => Promise<Result>;
	/** Queries that see one state of the database, whatever others write meanwhile. They may run again, so they change nothing. */
	readonly read: <Result>(work: Work<Result>) => Promise<Result>;
	/** The same for much, in steps that let others go on. */
	readonly readMuch: <Result>(work: Work<Result>) => Promise<Result>;
	/** Work that writes, as one atomic unit: if it throws, all of it is undone. */
	readonly write: <Result>(work: Work<Result>) => Promise<Result>;
	/** The same for work that begins by locking the account: what waits for each other may be committed together, and be done again. */
	readonly writeInTurn: <Result>(accountId: number, work: Work<Result>) => Promise<Result>;
	/** True if there is never more than one transaction that writes. */
	readonly isSingleWriter: boolean;
	/**
	The same as `write`, but rows may name others that are not there yet: for large files, which are stored a few at a time before
	the record that they belong to. Missing where a long transaction holds up nobody, and rows are checked at its end.
	*/
	readonly writeAhead?: <Result>(work: Work<Result>) => Promise<Result>;
	/** Tells those who watch of the new versions of an account's lists, once they are stored. */
	readonly announce: (accountId: number, versions: Partial<ListVersions>) => void;
};
