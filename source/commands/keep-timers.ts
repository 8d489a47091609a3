import {setTimeout as delay} from 'node:timers/promises';
import {openKeptTimers} from '../changes/kept-timers.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {InstalledAbility} from '../interface/records.ts';
import type {Timer} from '../interface/timers.ts';
import {shellWord} from '../platform/shell-word.ts';
import {localProfileName} from '../settings/profile.ts';
import type {StepOutcome} from '../state/plan.ts';
import {recordAfter} from './change-items.ts';
import type {Context} from './context.ts';
import {noteCancelled, noteStaying, timerPhrase, type GivenTimer} from './timed-switch.ts';
import {targetWords, type Service} from './with-service.ts';

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
			noteStaying(context, stepsOf(false), timer);
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
				const names = left.map(each => `${each.name} (${timerPhrase(context, each.timer)})`).join(', ');
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
