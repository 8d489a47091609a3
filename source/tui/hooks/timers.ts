import type {Group} from '../../changes/log-lines.ts';
import type {ChangeQueue, Intent} from '../../changes/queue.ts';
import {withValues} from '../../changes/fields.ts';
import type {SwitchboardError} from '../../interface/errors.ts';
import {counted, firstWords} from '../../interface/format-count.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {aheadOf, isSameTimer, type Timer, type TimerTime, type TimerWish} from '../../interface/timers.ts';
import type {Severity} from '../../words/signs.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {timerClock} from '../../words/timer-times.ts';
import {timerText} from '../../words/timer-words.ts';
import type {Lately} from './lately.ts';
import {capitalized, type ReversibleStep, type UndoHistory} from './undo-history.ts';

/** A record with the timer that it gets; null cancels the present one. */
type Target = {readonly id: number; readonly name: string; readonly timer: TimerWish | null};

/** A timer that was set or cancelled. */
type Done = {readonly record: InstalledAbility; readonly former: Timer | undefined};

type TimersOptions = {
	readonly queue: ChangeQueue;
	readonly undoHistory: UndoHistory;
	readonly lately: Lately;
	newGroup(...undoes: readonly string[]): Group;
	find(id: number): InstalledAbility | undefined;
	/** The state on the screen; `undefined` if there is no such record. */
	shownRecord(id: number): {readonly name: string; readonly isEnabled: boolean | undefined; readonly timer: Timer | undefined} | undefined;
	/** Tells which program keeps timers; `undefined` if none does. */
	keptBy(): Promise<'service' | 'machine' | undefined>;
	/** True if the program that keeps them is this one, which may be left. */
	isKeeping(): boolean;
	confirm(question: {readonly question: string; readonly details: readonly string[]; readonly yes: string}): Promise<boolean | undefined>;
	readonly timeZone: TimeZone;
	say(level: Severity, text: string): void;
};

/** Returns the timer on the screen: the last one requested, without an author until the service has it, or the service's. */
export function shownTimer(record: InstalledAbility, intent: Intent<'installed'> | undefined): Timer | undefined {
	return (intent === undefined ? record : withValues('installed', record, intent.values)).timer;
}

/** Sets and cancels the timers of installed abilities, one or many at a time; undo takes them back. */
export function createTimers(options: TimersOptions) {
	const {queue, undoHistory, lately, newGroup, find, shownRecord, say, timeZone} = options;

	/** True once the person agreed: they are asked once. */
	let isAgreed = false;

	const textOf = (timer: Timer | undefined, detail?: 'author'): string => timerText(timer, timeZone, detail);

	const send = async (targets: readonly Target[], group: Group) => {
		const outcomes = await Promise.all(targets.map(async ({id, timer}) => queue.save({resource: 'installed', id, values: {timer}, group})));
		const done = outcomes
			.filter(({error}) => error === undefined)
			.map(({record, before}): Done => ({record: record as InstalledAbility, former: (before as InstalledAbility).timer}));
		const failed = outcomes.flatMap(({record: {name}, error}) => (error === undefined ? [] : [{name, error}]));
		return {done, failed};
	};

	const stepOf = (done: readonly Done[], group: Group): ReversibleStep => {
		/** Those whose timer is still as it was set, and that can have the former one. */
		const left = (): readonly Done[] =>
			done.filter(
				({record: {id, timer}, former}) => isSameTimer(find(id)?.timer, timer) && (timer !== undefined || aheadOf(former) !== undefined),
			);
		const what = timersOf(done.map(({record}) => record));
		return {
			what,
			moot: () => (left().length === 0 ? capitalized(`${what} ended or changed meanwhile.`) : undefined),
			async takeBack() {
				const back = newGroup(group.group);
				const taken = await send(
					left().map(({record: {id, name}, former}) => ({id, name, timer: aheadOf(former) ?? null})),
					back,
				);
				if (taken.failed.length > 0) {
					throw taken.failed[0]!.error;
				}

				return {text: doneText(taken.done), reverse: stepOf(taken.done, back)};
			},
		};
	};

	/** Such as “pantry is off until 07:00.” */
	const doneText = (done: readonly Done[]): string => {
		const [{record, former}] = done as readonly [Done];
		const subject = subjectOf(done.map(each => each.record));
		// An undo gives each its former timer; the times of one key differ by moments.
		const times = done.map(({record: {timer}}) => (timer === undefined ? Infinity : Date.parse(timer.at)));
		if (Math.max(...times) - Math.min(...times) > 60_000) {
			return `the timers of ${subject} are as they were before.`;
		}

		if (record.timer === undefined) {
			return `${timersOf(done.map(each => each.record))} ${done.length === 1 ? 'is' : 'are'} cancelled.`;
		}

		const until = `until ${timerClock(record.timer.at, timeZone)}`;
		return done.length === 1
			? `${subject} is ${stateWord(record.isEnabled)} ${until}.${former === undefined ? '' : ` Before: ${textOf(former, 'author')}.`}`
			: `${subject} stay as they are ${until}.`;
	};

	return {
		/** Tells whether timers can be set: some program keeps them, and the person agrees if that is this one. */
		async agree(): Promise<boolean> {
			const keptBy = await options.keptBy();
			if (keptBy === undefined) {
				say('error', 'No program keeps timers for this service, so none was set. To keep them: switchboard timers run');
				return false;
			}

			isAgreed ||=
				keptBy === 'service' ||
				!options.isKeeping() ||
				(await options.confirm({
					question: 'Nothing happens at that time unless Switchboard stays open. Go on?',
					details: ['No other program keeps timers for this service. To keep them without the screens: switchboard timers run'],
					yes: 'go on',
				})) === true;
			return isAgreed;
		},
		/** Returns a sentence about the timers that end with this program; empty if there are none, or another one keeps them. */
		leftText(installed: readonly InstalledAbility[]): string {
			const left = installed.filter(({timer}) => timer !== undefined && timer.overdue === undefined);
			return left.length === 0 || !options.isKeeping()
				? ''
				: `Nothing keeps the ${left.length === 1 ? 'timer' : 'timers'} of ${subjectOf(left)} now (${textOf(left[0]!.timer)}). To keep timers: switchboard timers run`;
		},
		/** Returns the records whose state is known, as they are on the screen. */
		shown: (ids: readonly number[]) =>
			ids.flatMap(id => {
				const record = shownRecord(id);
				return record?.isEnabled === undefined ? [] : [{...record, id, isEnabled: record.isEnabled}];
			}),
		/** Sets the end of the present state of each record, or cancels its timer (null). */
		async set(
			records: ReadonlyArray<{readonly id: number; readonly name: string; readonly isEnabled: boolean}>,
			time: (TimerTime & {readonly note: string}) | null,
		): Promise<void> {
			const targets = records.map(({id, name, isEnabled}): Target => ({id, name, timer: time && {...time, enabled: !isEnabled}}));
			const group = newGroup();
			const end = undoHistory.begin(`Still setting the timer of ${subjectOf(targets)}.`);
			const entry = undoHistory.newest();
			const {done, failed} = await send(targets, group);
			end(done.length === 0 ? undefined : stepOf(done, group));
			if (done.length > 0) {
				lately.add('you', [{subject: subjectOf(done.map(({record}) => record)), what: textOf(done[0]!.record.timer)}], {done: entry});
			}

			if (failed.length === 0) {
				say('info', time === null ? capitalized(doneText(done)) : doneText(done));
			} else {
				say('error', failedText(failed, done.length, time === null ? 'cancelled' : 'set'));
			}
		},
	};
}

export type Timers = ReturnType<typeof createTimers>;

const subjectOf = (records: ReadonlyArray<{readonly name: string}>): string =>
	firstWords(
		records.map(({name}) => name),
		1,
	);

const timersOf = (records: ReadonlyArray<{readonly name: string}>): string =>
	`the ${records.length === 1 ? 'timer' : 'timers'} of ${subjectOf(records)}`;

function failedText(
	failed: ReadonlyArray<{readonly name: string; readonly error: SwitchboardError}>,
	doneCount: number,
	verb: 'set' | 'cancelled',
): string {
	const [{name, error}] = failed as readonly [{name: string; error: SwitchboardError}];
	return doneCount === 0 && failed.length === 1
		? `The timer of ${name} was not ${verb}: ${error.message}`
		: `${counted(failed.length, 'timer')} of ${doneCount + failed.length} not ${verb}: ${error.message}`;
}
