import {sql} from 'kysely';
import {type OverdueReason, timerValue} from '../../../interface/timers.ts';
import type {InstalledRecord, TimerRecord} from '../../records.ts';
import type {NewTimer} from '../changes.ts';
import {type Database, type Engine, flag, padded} from './database.ts';
import {existing, type FieldChange} from './history.ts';

/* The timers of installed abilities. Each changes with its record (`changeInstalled`): switching it removes the timer. */

export const timerColumns = ['timers.is_enabled as timer_state', 'timers.at', 'timers.note', 'timers.set_by', 'timers.overdue'] as const;

type TimerRow = {
	readonly timer_state: 0 | 1;
	readonly at: string;
	readonly note: string;
	readonly set_by: string;
	readonly overdue: OverdueReason | null;
};

/** Returns the timer of a row as it is answered. */
export function toTimer({timer_state: state, at, note, set_by: by, overdue}: TimerRow): TimerRecord {
	return {enabled: state === 1, at, by, note, overdue};
}

export type NamedTimer = TimerRecord & Pick<InstalledRecord, 'installed_cap_id' | 'name'>;

export function timerVerbs(engine: Engine) {
	return {
		/** The timers of an account, the soonest first. */
		list: async (accountId: number): Promise<readonly NamedTimer[]> =>
			engine.read(async database => toNamed(await selectNamed(database).where('timers.account_id', '=', accountId).execute())),
		/** The timers that were set with a key, the soonest first. */
		ofKeys: async (keyIds: readonly number[]): Promise<readonly NamedTimer[]> =>
			engine.read(async database => toNamed(await selectNamed(database).where('key_id', 'in', padded(keyIds)).execute())),
	};
}

const selectNamed = (database: Database) =>
	database
		.selectFrom('timers')
		.innerJoin('installed', 'installed.id', 'timers.installed_id')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.select(['installed_id', 'abilities.name', ...timerColumns])
		.orderBy('at')
		.orderBy('installed_id');

const toNamed = (rows: ReadonlyArray<TimerRow & {readonly installed_id: number; readonly name: string}>): readonly NamedTimer[] =>
	rows.map(({installed_id: id, name, ...row}) => ({installed_cap_id: id, name, ...toTimer(row)}));

/** Returns the timers of an account by the ids of their records. A join would make each row of a long list longer. */
export async function findTimers(database: Database, accountId: number): Promise<ReadonlyMap<number, TimerRecord>> {
	const rows = await database
		.selectFrom('timers')
		.select(['installed_id', ...timerColumns])
		.where('account_id', '=', accountId)
		.execute();
	return new Map(rows.map(({installed_id: id, ...row}) => [id, toTimer(row)]));
}

/** Stores the timers of records, or removes them (`null`). */
export async function storeTimers(database: Database, accountId: number, timers: ReadonlyMap<number, NewTimer | null>): Promise<void> {
	if (timers.size > 0) {
		await database
			.deleteFrom('timers')
			.where('installed_id', 'in', padded([...timers.keys()]))
			.execute();
	}

	const rows = [...timers].flatMap(([id, timer]) => (timer === null ? [] : [toRow(id, accountId, timer)]));
	if (rows.length > 0) {
		await database.insertInto('timers').values(rows).execute();
	}
}

const toRow = (installedId: number, accountId: number, {enabled, at, note, by, person, keyId, overdue}: NewTimer) => ({
	installed_id: installedId,
	account_id: accountId,
	is_enabled: flag(enabled),
	at,
	note,
	set_by: by,
	person,
	key_id: keyId ?? null,
	overdue,
});

/** Returns the entries of the history for a timer that was set, replaced, removed or found overdue. */
export function compareTimers(before: InstalledRecord, after: InstalledRecord): readonly FieldChange[] {
	const [from, to] = [before, after].map(({timer}) =>
		timer?.overdue ? {...timerValue(timer), overdue: timer.overdue} : timerValue(timer),
	);
	return before.timer === after.timer ? [] : [{...existing('installed', before, true, 'timer'), from: from!, to: to!}];
}

/** Marks timers whose time has passed as late: in a copy they are not done all at once. */
export async function missPast(database: Database): Promise<void> {
	await sql`update timers set overdue = 'late' where overdue is null and at <= ${new Date().toISOString()}`.execute(database);
}
