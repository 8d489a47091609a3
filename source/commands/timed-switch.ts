import type {Command} from 'commander';
import {formatDuration} from '../interface/duration.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {maximumNoteCharacters, type Timer, type TimerWish} from '../interface/timers.ts';
import {shellWord} from '../platform/shell-word.ts';
import {setsOf, setStep, type SetStep, type Step, type StepOutcome} from '../state/plan.ts';
import {atClock, parseTimerTime, timerClock} from '../words/timer-times.ts';
import type {Context} from './context.ts';
import {wordFor} from './find-records.ts';
import {durationValue, wrongValue} from './options.ts';

/* A switch with a timer that takes it back, for all commands and tools that switch. */

export type TimerOptions = {readonly for?: string | undefined; readonly until?: string | undefined; readonly note?: string | undefined};

/** Adds the options of a command that sets timers. */
export function addTimerOptions<C extends Command>(command: C, then: string): C {
	return command
		.option('--for <duration>', `${then} after this long, such as 30m, 2h or 1h30m`)
		.option('--until <when>', `${then} at 07:00 (the next one), “tomorrow 18:00” or a date-time`)
		.option('--note <text>', `a note on the timer, of at most ${maximumNoteCharacters} characters`);
}

export type WaitOption = {readonly wait?: boolean};

/** Adds the option of a command that may have to keep its timer itself. */
export function addWaitOption<C extends Command>(command: C): C {
	return command.option('--wait', 'where the service keeps no timers: stay until then, and do it');
}

/** A timer as the options ask for it. */
export type GivenTimer = {
	readonly wishFor: (enabled: boolean) => TimerWish;
	/** The options, as they are typed. */
	readonly words: string;
	/** For a question: `for 2h` or `until 07:00`. */
	readonly end: string;
};

/**
Returns the timer that the options ask for, if any.

@throws SwitchboardError `usage`
*/
export function readTimer(
	{timeZone}: Pick<Context, 'timeZone'>,
	{for: duration, until, note = '', wait = false}: TimerOptions & WaitOption,
): GivenTimer | undefined {
	const text = duration ?? until;
	if (duration !== undefined && until !== undefined) {
		throw new SwitchboardError('usage', '--for and --until cannot be used together.', {nextStep: 'Use one of them.'});
	}

	if (text === undefined) {
		const needing = note !== '' ? '--note' : wait ? '--wait' : undefined;
		if (needing !== undefined) {
			throw new SwitchboardError('usage', `${needing} needs --for or --until.`, {nextStep: `Add one of them, or leave out ${needing}.`});
		}

		return undefined;
	}

	if (note.length > maximumNoteCharacters) {
		throw new SwitchboardError('usage', `The note is longer than ${maximumNoteCharacters} characters.`, {nextStep: 'Shorten it.'});
	}

	const time = parseTimerTime(text, {now: Date.now(), ...timeZone});
	if (duration !== undefined && 'at' in time) {
		throw wrongValue('--for', text, `${durationValue}; for a time, use --until`);
	}

	return {
		end: 'at' in time ? `until ${timerClock(time.at, {now: Date.now(), ...timeZone})}` : `for ${formatDuration(time.for)}`,
		wishFor: enabled => ({enabled, note, ...time}),
		words: [duration === undefined ? '--until' : '--for', shellWord(text), ...(note === '' ? [] : ['--note', shellWord(note)])].join(' '),
	};
}

/**
Returns the step that switches an ability, with a timer that takes it back. An ability that was so already gets none, but its timer to the
same state gets the new time.
*/
export function switchStep(
	record: InstalledAbility,
	enabled: boolean | undefined,
	timer: GivenTimer | undefined,
	rest: Partial<SetStep<'installed'>> = {},
): Step {
	const isSame = record.isEnabled === enabled;
	const isTimed = timer !== undefined && enabled !== undefined && (!isSame || record.timer?.enabled === !enabled);
	const values = {enabled, ...(isTimed && {timer: timer.wishFor(!enabled)})};
	const step = setStep('installed', record, values, {isDone: isSame && !isTimed, ...rest});
	return {...step, changes: step.changes.filter(({from, to}) => from !== to)};
}

/** Returns the part of an item's JSON about its timer. */
export function timerJson({timer}: Partial<InstalledAbility> = {}): JsonObject {
	return timer === undefined ? {} : {timer: {enabled: timer.enabled, at: timer.at, by: timer.by || null, note: timer.note}};
}

/** Returns a timer in words, such as “on at 07:00 by anna”. */
export function timerPhrase({timeZone}: Pick<Context, 'timeZone'>, {enabled, at, by, overdue}: Timer): string {
	const clock = atClock(at, {now: Date.now(), ...timeZone});
	return `${stateWord(enabled)} ${clock}${by === '' ? '' : ` by ${by}`}${overdue === undefined ? '' : ', overdue'}`;
}

/** Returns the words for the end of a state, after the state: “ until 07:00”; for an earlier timer “, until 07:00 (anna)”. */
export function endPhrase({timeZone}: Context, timer: Timer | undefined, isNew: boolean): string {
	if (timer === undefined) {
		return '';
	}

	const {at, by, overdue} = timer;
	const clock = timerClock(at, {now: Date.now(), ...timeZone});
	const author = by === '' ? '' : ` (${by})`;
	return overdue !== undefined ? `, overdue since ${clock}${author}` : isNew ? ` until ${clock}` : `, until ${clock}${author}`;
}

/** More names would make a command of many lines. */
const mostNames = 10;

/** Returns a line for each ability that a timer will switch, such as “pantry: off, on at 07:00 by anna”. */
export function timedLines(context: Pick<Context, 'timeZone'>, records: readonly InstalledAbility[]): readonly string[] {
	return [
		...records.slice(0, mostNames).map(({name, isEnabled, timer}) => `${name}: ${stateWord(isEnabled)}, ${timerPhrase(context, timer!)}`),
		...(records.length > mostNames ? [`and ${formatCount(records.length - mostNames)} more with timers`] : []),
	];
}

/** Notes what the changes of a command did to timers, or would do in a dry run. */
export function noteTimers(context: Context, outcomes: readonly StepOutcome[], given?: GivenTimer): void {
	const done = outcomes.filter(outcome => 'result' in outcome);
	const [changed, staying] = [true, false].map(isChanged =>
		done.filter(({result}) => result.isChanged === isChanged).map(({item}) => item),
	);
	noteTimersOf(context, {changed: changed!, staying: staying!, given}, context.isDryRun ? 'would be' : 'is');
}

/** Notes the timers that steps cancel or replace, and the abilities that get none because they are in the wanted state already. */
export function noteTimersOf(
	{note, ...context}: Context,
	{changed, staying, given}: {readonly changed: readonly Step[]; readonly staying: readonly Step[]; readonly given: GivenTimer | undefined},
	verb: 'is' | 'will be' | 'would be',
): void {
	const timed = setsOf(changed, 'installed').filter(
		({record, values}) => record?.timer !== undefined && (values.enabled ?? values.timer) !== undefined,
	);
	for (const {record, values} of timed.slice(0, mostNames)) {
		const timer = timerPhrase(context, record!.timer!);
		note(
			`${record!.name}: its timer (${timer}) ${verb} ${values.timer === undefined || values.timer === null ? 'cancelled' : 'replaced'}.`,
		);
	}

	if (timed.length > mostNames) {
		note(`The timers of ${formatCount(timed.length - mostNames)} more ${verb === 'is' ? 'are' : verb} cancelled or replaced.`);
	}

	const kept = given === undefined ? [] : setsOf(staying, 'installed').map(({record}) => record!);
	for (const [isEnabled, records] of Map.groupBy(kept, record => record.isEnabled === true)) {
		const isOne = records.length === 1;
		const names = records.length > mostNames ? `${records.length} abilities` : records.map(({name}) => name).join(', ');
		const to = stateWord(!isEnabled);
		const words = records.length > mostNames ? 'NAME' : records.map(record => wordFor(record)).join(' ');
		note(
			`${names} ${isOne ? 'was' : 'were'} ${stateWord(isEnabled)} already and ${isOne ? 'stays' : 'stay'} ${stateWord(isEnabled)}. ` +
				`To switch ${isOne ? 'it' : 'them'} ${to} then: switchboard timers set ${words} ${to} ${given!.words}`,
		);
	}
}
