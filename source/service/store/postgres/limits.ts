import {randomUUID} from 'node:crypto';
import {sql} from 'kysely';
import {type Database} from '../sql/tables.ts';
import {type Limits} from '../store.ts';

type Row = {
	readonly name: string;
	readonly window_end: number;
	readonly milliseconds_left: number;
	readonly used_elsewhere: number;
	readonly held: number;
	readonly processes: number;
};

/** The counts of all processes on a database, in one statement for all names (`limits-migration.ts`). It is not tried again: the next one says the same. */
export const createLimits = (database: Database): Limits => {
	const process = randomUUID();
	return {
		async exchange(reports) {
			const {rows} = await sql<Row>`
				select * from exchange_counts(
								${process}::uuid,
								${reports.map(({name}) => name)}::text[],
								${reports.map(({window}) => window ?? null)}::bigint[],
								${reports.map(({used}) => used)}::bigint[],
								${reports.map(({waiting}) => waiting)}::bigint[],
								${reports.map(({isWanted}) => isWanted)}::boolean[],
								${reports.map(({limit}) => limit)}::bigint[]
							)
			`.execute(database);
			return {
				processCount: rows[0]?.processes ?? 1,
				counts: rows.map(row => ({
					name: row.name,
					window: row.window_end,
					millisecondsLeft: row.milliseconds_left,
					usedElsewhere: row.used_elsewhere,
					held: row.held,
				})),
			};
		},
	};
};
