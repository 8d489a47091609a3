import {setTimeout as delay} from 'node:timers/promises';
import type {Command} from 'commander';
import {openKeptTimers} from '../changes/kept-timers.ts';
import {formatDuration} from '../interface/duration.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {decideTimer, isNoteTooLong, isSameTimer, maximumNoteCharacters, type Timer, type TimerWish} from '../interface/timers.ts';
import {shellWord} from '../platform/shell-word.ts';
import {localProfileName} from '../settings/profile.ts';
import {setsOf, setStep, type SetStep, type Step, type StepOutcome} from '../state/plan.ts';
import {parseTimerTime, timerClock} from '../words/timer-times.ts';
import {timerText} from '../words/timer-words.ts';
import {recordAfter} from './change-items.ts';
import {isForPerson, type Context} from './context.ts';
import {wordFor} from './find-records.ts';
import {durationValue, wrongValue} from './options.ts';
import {targetWords, type Service} from './with-service.ts';

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

	if (isNoteTooLong(note)) {
		throw new SwitchboardError('usage', `The note is longer than ${maximumNoteCharacters} characters.`, {nextStep: 'Shorten it.'});
	}

	const time = parseTimerTime(text, timeZone);
	if (duration !== undefined && 'at' in time) {
		throw wrongValue('--for', text, `${durationValue}; for a time, use --until`);
	}

	return {
		isWaiting,
		end: 'at' in time ? `until ${timerClock(time.at, timeZone)}` : `for ${formatDuration(time.for)}`,
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
	const wish = timer !== undefined && enabled !== undefined ? timer.wishFor(!enabled) : undefined;
	// A timer of that time and note is there already; a duration begins anew.
	const isThere = wish !== undefined && 'at' in wish && isSame && isSameTimer(record.timer, wish);
	const isTimed = wish !== undefined && !isThere && decideTimer(record, wish.enabled, true) !== 'nothing';
	const values = {enabled, ...(isTimed && {timer: wish})};
	const step = setStep('installed', record, values, {isDone: isSame && !isTimed, ...rest});
	return {...step, changes: step.changes.filter(({from, to}) => from !== to)};
}

/** Returns the part of an item's JSON about its timer. */
export function timerJson({timer}: Partial<InstalledAbility> = {}): JsonObject {
	return timer === undefined ? {} : {timer: {enabled: timer.enabled, at: timer.at, by: timer.by || null, note: timer.note}};
}

/** More names would make a command of many lines. */
const mostNames = 10;

/** Returns a line for each ability that a timer will switch, such as “pantry: off, on at 07:00 by anna”. */
export function timedLines(context: Pick<Context, 'timeZone'>, records: readonly InstalledAbility[]): readonly string[] {
	return [
		...records
			.slice(0, mostNames)
			.map(({name, isEnabled, timer}) => `${name}: ${stateWord(isEnabled)}, ${timerText(timer, context.timeZone, 'author')}`),
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
			`${record!.name}: its timer (${timerText(record!.timer, context.timeZone, 'author')}) ${verb} ${values.timer ? 'replaced' : 'cancelled'}.`,
		);
	}

	if (timed.length > mostNames) {
		context.note(`The timers of ${formatCount(timed.length - mostNames)} more ${verb === 'is' ? 'are' : verb} cancelled or replaced.`);
	}
}

/**
Notes the abilities that get no timer, because they are in the wanted state already.

@param isSaid - true if their states were printed.
*/
export function noteStaying(context: Context, steps: readonly Step[], timer: GivenTimer, isSaid = false): void {
	// One with a timer to the other state has what was asked for.
	const staying = setsOf(steps, 'installed')
		.map(({record}) => record!)
		.filter(record => record.timer?.enabled !== !record.isEnabled);
	for (const [isEnabled, records] of Map.groupBy(staying, record => record.isEnabled === true)) {
		const isMany = records.length > mostNames;
		const names = isMany ? `${records.length} abilities` : records.map(({name}) => name).join(', ');
		const words = isMany ? 'NAME' : records.map(record => wordFor(record)).join(' ');
		const [was, stays, it] = records.length === 1 ? ['was', 'stays', 'it'] : ['were', 'stay', 'them'];
		const [state, to] = [stateWord(isEnabled), stateWord(!isEnabled)];
		const command = ['switchboard timers set', words, to, timer.words, ...targetWords(context)].join(' ');
		context.note(
			isSaid
				? `To switch ${names} ${to} then: ${command}`
				: `${names} ${was} ${state} already and ${stays} ${state}. To switch ${it} ${to} then: ${command}`,
		);
	}
}

/* The keeping of timers by a command: `--wait` makes it keep those of this machine, and stay until its own are done. */

/**
Refuses a timer that no program would fire, unless this command is to stay for it.

@throws SwitchboardError `refused`
*/
export async function refuseUnkept(service: Pick<Service, 'refuseUnkeptTimers'>, timer: GivenTimer | undefined): Promise<void> {
	if (timer?.isWaiting === false) {
		await service.refuseUnkeptTimers();
	}
}

type End = (outcomes: readonly StepOutcome[]) => Promise<void>;

/** Begins a command that switches with timers. Returns its end, for once the outcomes are printed. */
export async function beginTimers(context: Context, service: Service, timer: GivenTimer | undefined): Promise<End> {
	const end = await keepTimers(context, service, timer);
	return async outcomes => {
		const done = outcomes.filter(outcome => 'result' in outcome);
		const stepsOf = (isChanged: boolean) => done.filter(({result}) => result.isChanged === isChanged).map(({item}) => item);
		noteCancelled(context, stepsOf(true), context.isDryRun ? 'would be' : 'is');
		if (timer !== undefined) {
			noteStaying(context, stepsOf(false), timer, isForPerson(context) && !context.options.isJson);
		}

		await end?.(outcomes);
	};
}

type Timed = Pick<InstalledAbility, 'id' | 'name'> & {readonly timer: Timer};

const timedOf = (records: ReadonlyArray<InstalledAbility | undefined>): readonly Timed[] =>
	records.filter((record): record is InstalledAbility & Timed => record?.timer !== undefined);

const pauseMilliseconds = 1000;

/**
Begins to keep timers, if the options say so and the service does not. Returns a function that stays until those of the command are done or
cancelled; after a signal, it says what is left undone.

@throws SwitchboardError `refused` if this machine cannot keep them; the function throws `no-effect` for one that could not be done.
*/
export async function keepTimers(context: Context, service: Service, timer: GivenTimer | undefined): Promise<End | undefined> {
	if (timer?.isWaiting !== true || context.isDryRun || (await service.timersKeptBy()) === 'service') {
		return undefined;
	}

	const {signal, note} = context;
	// Earlier timers that nothing did at their time are not the business of this command.
	const keeper = service.createTimerKeeper({isAsking: true, note: text => note(text, 'warning')});
	try {
		await keeper.check(signal);
		await service.refuseUnkeptTimers();
	} catch (error) {
		keeper.end();
		throw error;
	}

	return async outcomes => {
		let left = timedOf(outcomes.map(outcome => recordAfter(outcome) as InstalledAbility | undefined));
		const ids = new Set(left.map(({id}) => id));
		noteStay(context, left);
		try {
			await context.waitFor(async () => {
				while (!signal.aborted && left.some(each => each.timer.overdue === undefined)) {
					await delay(pauseMilliseconds, undefined, {signal}).catch(() => undefined);
					if (!signal.aborted) {
						await keeper.check(signal);
						left = (await readTimers(service, signal)).filter(({id}) => ids.has(id));
					}
				}
			});
			if (left.length === 0) {
				const {records} = await service.client.list('installed', context.readSignal);
				for (const {name, isEnabled} of records.filter(({id}) => ids.has(id))) {
					note(`${name} is ${stateWord(isEnabled)} now.`);
				}
			} else if (!signal.aborted) {
				const names = left.map(each => `${each.name} (${timerText(each.timer, context.timeZone, 'author')})`).join(', ');
				throw new SwitchboardError('no-effect', `Not switched: ${names}.`, {nextStep: 'Look at them with: switchboard timers'});
			} else if (keeper.isKeeping()) {
				noteUndone(context, left);
			}
		} finally {
			keeper.end();
		}
	};
}

/** Returns the timers: those of the profile `local` are with its service, which runs in this program. */
async function readTimers({client, address, log}: Service, signal: AbortSignal): Promise<readonly Timed[]> {
	return address === localProfileName
		? timedOf((await client.list('installed', signal)).records)
		: openKeptTimers(log)
				.peek()
				.map(timer => ({id: timer.record, name: timer.name, timer}));
}

/** Says how long the command stays, and what becomes of its switches if a person stops it. */
function noteStay({note, timeZone}: Context, timed: readonly Timed[]): void {
	const [first, ...others] = timed.toSorted((one, other) => Date.parse(other.timer.at) - Date.parse(one.timer.at));
	if (first !== undefined) {
		const end = timerClock(first.timer.at, timeZone);
		const left = others.length > 0 ? 'them as they are' : `${first.name} ${stateWord(!first.timer.enabled)}`;
		note(`Staying until ${end}; Ctrl+C leaves ${left}.`);
	}
}

/** Says which abilities stay as they are, and how to switch them. Their timers stay, for a program that runs at their time. */
function noteUndone(context: Context, undone: readonly Timed[]): void {
	const target = targetWords(context);
	for (const {name, timer} of undone) {
		const [present, to] = [!timer.enabled, timer.enabled].map(enabled => stateWord(enabled));
		const words = ['switchboard', timer.enabled ? 'enable' : 'disable', shellWord(name), ...target].join(' ');
		context.note(`${name} stays ${present}: nothing will switch it ${to}. To do so: ${words}`, 'warning');
	}

	context.note(`To keep ${undone.length === 1 ? 'the timer' : 'the timers'}: ${['switchboard timers run', ...target].join(' ')}`);
}
