import type {TimerRecord} from '../../records.ts';
import {clockBehind} from '../../store-errors.ts';
import type {NewTimer} from '../changes.ts';
import {type Database, type Engine, isKeyValid} from './database.ts';
import {changeInstalled} from './installed.ts';
import {timerColumns, toTimer} from './timers.ts';
import {writeAccount} from './write-account.ts';

/** A timer is not done later than that. */
const maximumLateness = 24 * 60 * 60 * 1000;

/** A clock that is behind by less was only corrected. */
const tolerance = 60_000;

/** A clock that was wrong makes some wrong entries, before and after it is set. */
const entriesToCompare = 50;

/** The timers that one transaction does: others write in between. */
const timersAtOnce = 128;

/** The way of an entry of the history. */
const via = 'timer';

export function dueTimerVerbs(engine: Engine) {
	return {
		/** @throws StoreFailure `clock-behind` if the clock of this machine is earlier than the newest entry of the account's history. */
		refuseClockBehind: async (accountId: number): Promise<void> => engine.query(async database => refuseClockBehind(database, accountId)),
		/** The accounts with timers that are due, and the time of the first one that is not; `undefined` without any. */
		due: async (): Promise<{readonly accounts: readonly number[]; readonly next: string | undefined}> =>
			engine.query(async database => {
				const now = new Date().toISOString();
				const rows = await toCome(database).where('at', '<=', now).select('account_id').distinct().execute();
				const {at} = await toCome(database)
					.where('at', '>', now)
					.select(({fn}) => fn.min('at').as('at'))
					.executeTakeFirstOrThrow();
				return {accounts: rows.map(row => row.account_id), next: at ?? undefined};
			}),
		/**
		Switches what the timers of an account ask for that are due, each once whichever process does it; those that come too late, or whose
		key may no longer switch, become overdue.

		@param lateBefore - timers of an earlier time come too late, too; in milliseconds since the epoch.
		@throws StoreFailure `clock-behind`
		*/
		async fire(accountId: number, lateBefore = -Infinity): Promise<void> {
			let count = timersAtOnce;
			while (count === timersAtOnce) {
				const {result} = await writeAccount(engine, accountId, async (database, _, note) => {
					await refuseClockBehind(database, accountId);
					const due = await findDue(database, accountId, lateBefore);
					const outcomes = due.length === 0 ? [] : await changeInstalled(database, accountId, due);
					for (const [index, outcome] of outcomes.entries()) {
						// The switch tells that the timer is gone.
						note('changes' in outcome ? outcome.changes.slice(0, 1) : [], due[index]!.author);
					}

					return due.length;
				});
				count = result;
			}
		},
	};
}

const toCome = (database: Database) => database.selectFrom('timers').where('overdue', 'is', null);

async function refuseClockBehind(database: Database, accountId: number): Promise<void> {
	const last = database
		.selectFrom('history')
		.select('at')
		.where('account_id', '=', accountId)
		.orderBy('number', 'desc')
		.limit(entriesToCompare);
	const {at} = await database
		.selectFrom(last.as('last'))
		.select(({fn}) => fn.max<string | null>('at').as('at'))
		.executeTakeFirstOrThrow();
	if (at !== null && Date.parse(at) > Date.now() + tolerance) {
		throw clockBehind(at);
	}
}

/** Returns the changes that are due, with their authors. */
async function findDue(database: Database, accountId: number, lateBefore: number) {
	const now = Date.now();
	const rows = await toCome(database)
		.innerJoin('installed', 'installed.id', 'timers.installed_id')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.leftJoin('api_keys', join =>
			join.onRef('api_keys.id', '=', 'timers.key_id').onRef('api_keys.account_id', '=', 'timers.account_id').on(isKeyValid()),
		)
		.select(['installed_id', 'person', 'key_id', 'api_keys.name as key_name', 'api_keys.rights', ...timerColumns])
		.where('timers.account_id', '=', accountId)
		.where('abilities.account_id', '=', accountId)
		.where('at', '<=', new Date(now).toISOString())
		.orderBy('at')
		.limit(timersAtOnce)
		.execute();
	return rows.map(({installed_id: id, person, key_id: keyId, key_name: keyName, rights, ...row}) => {
		const timer: NewTimer = {...toTimer(row), person, keyId: keyId ?? undefined};
		const mayDo = keyId === null || rights === 'all' || rights === 'switch';
		const overdue: TimerRecord['overdue'] =
			Date.parse(row.at) < Math.max(lateBefore, now - maximumLateness) ? 'late' : mayDo ? null : 'key';
		return {
			id,
			author: {keyId: keyId ?? undefined, name: keyName ?? row.set_by, person, via},
			decide: () => (overdue === null ? {enabled: timer.enabled, timer: null} : {timer: {...timer, overdue}}),
		};
	});
}
