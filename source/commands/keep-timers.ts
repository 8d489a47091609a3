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
import {noteTimers, timerPhrase, type GivenTimer, type WaitOption} from './timed-switch.ts';
import {targetWords, type Service} from './with-service.ts';

/* The keeping of timers by a command: `--wait` makes it keep those of this machine, and stay until its own are done. */

type Timed = Pick<Service, 'refuseUnkeptTimers'>;

/**
Refuses a timer that no program would fire, unless this command is to stay for it.

@throws SwitchboardError `refused`
*/
export async function refuseUnkept(
	service: Timed,
	timer: GivenTimer | undefined,
	{wait: isWaiting = false}: WaitOption = {},
): Promise<void> {
	if (timer !== undefined && !isWaiting) {
		await service.refuseUnkeptTimers();
	}
}

type End = (outcomes: readonly StepOutcome[]) => Promise<void>;

/** Begins a command that switches with timers. Returns its end, for once the outcomes are printed. */
export async function beginTimers(context: Context, service: Service, timer: GivenTimer | undefined, options: WaitOption): Promise<End> {
	const end = await keepTimers(context, service, timer, options);
	return async outcomes => {
		noteTimers(context, outcomes, timer);
		await end?.(outcomes);
	};
}

/** Begins to keep timers, if the options say so and the service does not. Returns a function that stays for those of the command. */
export async function keepTimers(
	context: Context,
	service: Service,
	timer: GivenTimer | undefined,
	{wait: isWaiting = false}: WaitOption,
): Promise<End | undefined> {
	if (timer === undefined || !isWaiting || context.isDryRun || (await service.timersKeptBy()) === 'service') {
		return undefined;
	}

	return stayForTimers(context, service);
}

const pauseMilliseconds = 1000;

/**
Begins to keep timers. Returns a function that stays until the timers of a command are done or cancelled; after a signal, it says what is
left undone.

@throws SwitchboardError `refused` if this machine cannot keep them; the function throws `no-effect` for one that could not be done.
*/
async function stayForTimers(context: Context, service: Service) {
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

	return async (outcomes: readonly StepOutcome[]): Promise<void> => {
		const records = outcomes.flatMap(outcome => (recordAfter(outcome) as InstalledAbility | undefined) ?? []);
		const set = new Map(records.flatMap(({id, name, timer}) => (timer === undefined ? [] : [[id, {name, timer}] as const])));
		const readLeft = async (): Promise<ReadonlyMap<number, Timer>> => {
			const timers = await readTimers(service, signal);
			return new Map([...timers].filter(([id]) => set.has(id)));
		};

		try {
			let left: ReadonlyMap<number, Timer> = new Map([...set].map(([id, {timer}]) => [id, timer]));
			await context.waitFor(async () => {
				while (!signal.aborted && left.values().some(({overdue}) => overdue === undefined)) {
					await delay(pauseMilliseconds, undefined, {signal}).catch(() => undefined);
					if (!signal.aborted) {
						await keeper.check(signal);
						left = await readLeft();
					}
				}
			});
			const undone = [...left].map(([id, timer]) => ({name: set.get(id)!.name, timer}));
			if (undone.length === 0) {
				await noteStates(context, service, new Set(set.keys()));
			} else if (!signal.aborted) {
				const names = undone.map(({name, timer}) => `${name} (${timerPhrase(context, timer)})`).join(', ');
				throw new SwitchboardError('no-effect', `Not switched: ${names}.`, {nextStep: 'Look at them with: switchboard timers'});
			} else if (keeper.isKeeping()) {
				noteUndone(context, undone);
			}
		} finally {
			keeper.end();
		}
	};
}

/** Says which abilities stay as they are, and how to switch them. Their timers stay, for a program that runs at their time. */
function noteUndone(context: Context, undone: ReadonlyArray<{readonly name: string; readonly timer: Timer}>): void {
	for (const {name, timer} of undone) {
		const [present, to] = [!timer.enabled, timer.enabled].map(enabled => stateWord(enabled));
		const words = ['switchboard', timer.enabled ? 'enable' : 'disable', shellWord(name), ...targetWords(context)].join(' ');
		context.note(`${name} stays ${present}: nothing will switch it ${to}. To do so: ${words}`, 'warning');
	}

	context.note(
		`To keep ${undone.length === 1 ? 'the timer' : 'the timers'}: ${['switchboard timers run', ...targetWords(context)].join(' ')}`,
	);
}

/** Returns the timers by their record: those of the profile `local` are with its service, which runs in this program. */
async function readTimers({client, address, log}: Service, signal: AbortSignal): Promise<ReadonlyMap<number, Timer>> {
	if (address !== localProfileName) {
		return new Map(
			openKeptTimers(log)
				.peek()
				.map(timer => [timer.record, timer]),
		);
	}

	const {records} = await client.list('installed', signal);
	return new Map(records.flatMap(({id, timer}) => (timer === undefined ? [] : [[id, timer] as const])));
}

async function noteStates({note, readSignal}: Context, {client}: Service, ids: ReadonlySet<number>): Promise<void> {
	const {records} = await client.list('installed', readSignal);
	for (const {name, isEnabled} of records.filter(({id}) => ids.has(id))) {
		note(`${name} is ${stateWord(isEnabled)} now.`);
	}
}
