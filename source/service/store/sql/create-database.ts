import {type Dialect, Kysely} from 'kysely';
import {type StoreOptions} from '../store.ts';
import {type Database, type Tables} from './tables.ts';

/** The tables of a database, by its dialect. */
export const createDatabase = (dialect: Dialect, {onQuery}: Pick<StoreOptions, 'onQuery'> = {}): Database => new Kysely<Tables>({
	dialect,
	...(onQuery !== undefined && {
		log(event) {
			onQuery(event.queryDurationMillis);
		},
	}),
});
