import type {Command} from 'commander';
import {formatDuration} from '../interface/duration.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {decideTimer, maximumNoteCharacters, type Timer, type TimerWish} from '../interface/timers.ts';
import {shellWord} from '../platform/shell-word.ts';
import {setsOf, setStep, type SetStep, type Step} from '../state/plan.ts';
import {atClock, parseTimerTime, timerClock} from '../words/timer-times.ts';
import type {Context} from './context.ts';
import {wordFor} from './find-records.ts';
import {durationValue, wrongValue} from './options.ts';

/* A switch with a timer that takes it back, for all commands and tools that switch. */

export type TimerOptions = {
	readonly for?: string | undefined;
	readonly until?: string | undefined;
	readonly note?: string | undefined;
	readonly wait?: boolean;
};

/** Adds the options of a command that sets timers. */
export function addTimerOptions<C extends Command>(command: C, then: string): C {
	return command
		.option('--for <duration>', `${then} after this long, such as 30m, 2h or 1h30m`)
		.option('--until <when>', `${then} at 07:00 (the next one), “tomorrow 18:00” or a date-time`)
		.option('--note <text>', `a note on the timer, of at most ${maximumNoteCharacters} characters`)
		.option('--wait', 'where the service keeps no timers: stay until then, and do it');
}

/** A timer as the options ask for it. */
export type GivenTimer = {
	readonly wishFor: (enabled: boolean) => TimerWish;
	/** The options, as they are typed. */
	readonly words: string;
	/** For a question: `for 2h` or `until 07:00`. */
	readonly end: string;
	/** True if the command may keep it itself. */
	readonly isWaiting: boolean;
};

/**
Returns the timer that the options ask for, if any.

@throws SwitchboardError `usage`
*/
export function readTimer(
	{timeZone}: Pick<Context, 'timeZone'>,
	{for: duration, until, note = '', wait: isWaiting = false}: TimerOptions,
): GivenTimer | undefined {
	const text = duration ?? until;
	if (duration !== undefined && until !== undefined) {
		throw new SwitchboardError('usage', '--for and --until cannot be used together.', {nextStep: 'Use one of them.'});
	}

	if (text === undefined) {
		const needing = note !== '' ? '--note' : isWaiting ? '--wait' : undefined;
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
		isWaiting,
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
	const isTimed = timer !== undefined && enabled !== undefined && decideTimer(record, !enabled, true) !== 'nothing';
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

/** Notes the timers that steps cancel or replace. */
export function noteCancelled(context: Context, steps: readonly Step[], verb: 'is' | 'will be' | 'would be'): void {
	const timed = setsOf(steps, 'installed').filter(
		({record, values}) => record?.timer !== undefined && (values.enabled ?? values.timer) !== undefined,
	);
	for (const {record, values} of timed.slice(0, mostNames)) {
		context.note(
			`${record!.name}: its timer (${timerPhrase(context, record!.timer!)}) ${verb} ${values.timer ? 'replaced' : 'cancelled'}.`,
		);
	}

	if (timed.length > mostNames) {
		context.note(`The timers of ${formatCount(timed.length - mostNames)} more ${verb === 'is' ? 'are' : verb} cancelled or replaced.`);
	}
}

/** Notes the abilities that get no timer, because they are in the wanted state already. */
export function noteStaying({note}: Context, steps: readonly Step[], timer: GivenTimer): void {
	const staying = setsOf(steps, 'installed').map(({record}) => record!);
	for (const [isEnabled, records] of Map.groupBy(staying, record => record.isEnabled === true)) {
		const isMany = records.length > mostNames;
		const names = isMany ? `${records.length} abilities` : records.map(({name}) => name).join(', ');
		const words = isMany ? 'NAME' : records.map(record => wordFor(record)).join(' ');
		const [was, stays, it] = records.length === 1 ? ['was', 'stays', 'it'] : ['were', 'stay', 'them'];
		const [state, to] = [stateWord(isEnabled), stateWord(!isEnabled)];
		note(
			`${names} ${was} ${state} already and ${stays} ${state}. ` +
				`To switch ${it} ${to} then: switchboard timers set ${words} ${to} ${timer.words}`,
		);
	}
}
