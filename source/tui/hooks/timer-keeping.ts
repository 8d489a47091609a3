import {openKeptTimers, withKeptTimers, type TimersKeptBy} from '../../changes/kept-timers.ts';
import type {ChangeLog} from '../../changes/log.ts';
import {createTimerKeeper} from '../../changes/timer-keeper.ts';
import type {Client} from '../../client/client.ts';
import {withoutFailing} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import type {Say} from '../state/messages.ts';

/*
The timers of a session. A service that keeps none, or that runs only as long as this program, needs one that fires them; over SSH the server
does. The person is asked about timers whose time passed before the session (`left-timers.ts`).
*/

/** The timers are kept after the frame that shows the first list. */
const delayMilliseconds = 100;

type TimerKeepingOptions = {
	/** Without the timers of this machine. */
	readonly client: Client;
	/** The log of the account: a different one once its profile is renamed. */
	readonly openLog: () => ChangeLog;
	/** The name of the person, if they came over SSH, and a hash of their key. */
	readonly person: string | undefined;
	readonly personId: string | undefined;
	/** True for the bundled service that runs with this program. */
	readonly isLocal: boolean;
	/** False if this session keeps no timers: over SSH, and where it changes nothing. */
	mayKeep(): boolean;
	/** The installed abilities on the screens. */
	installed(): readonly InstalledAbility[] | undefined;
	/** Reads them again. Rejects if that fails. */
	readAgain(): Promise<void>;
	/** Called once some timers turn out to be left from before the session. */
	onLeft(): void;
	readonly say: Say;
	readonly closing: AbortSignal;
};

export function createTimerKeeping({client, person, personId, isLocal, closing, ...options}: TimerKeepingOptions) {
	const {openLog, mayKeep, installed, readAgain, onLeft, say} = options;
	const {client: timedClient, keptBy, isKeptHere} = withKeptTimers(client, {openLog, by: person, personId, isLocal});
	const keeper = createTimerKeeper({
		client,
		openLog,
		isAsking: true,
		onDone({name, enabled}) {
			say('info', `${name} was switched ${stateWord(enabled)}, as its timer said.`);
			// If the service is away, the lists say so.
			readAgain().catch(() => undefined);
		},
		note: text => say('warning', text),
	});
	let isBegun = false;
	let left: readonly InstalledAbility[] = [];

	/** Begins to keep the timers if a program on this machine has to, and finds those that are left from before. */
	const keep = async (): Promise<void> => {
		if (!(await isKeptHere()) || isBegun) {
			return;
		}

		isBegun = true;
		const keeping = mayKeep() ? keeper.run(closing) : undefined;
		await (keeping && keeper.whenChecked);
		if (withoutFailing(() => openKeptTimers(openLog()).peek())?.some(({overdue}) => overdue !== undefined)) {
			await readAgain().catch(() => undefined);
		}

		left = (installed() ?? []).filter(({timer}) => timer?.overdue !== undefined && (person === undefined || timer.by === person));
		if (left.length > 0 && !closing.aborted) {
			onLeft();
		}

		await keeping;
	};

	return {
		/** Shows the timers that this machine keeps as if the service kept them. */
		client: timedClient,
		/** Begins to keep the timers; call this when the installed abilities were read. */
		keepSoon(): void {
			setTimeout(() => {
				void keep();
			}, delayMilliseconds).unref();
		},
		/** Tells whether it is this program that fires them. */
		isKeeping: keeper.isKeeping,
		/** Tells which program keeps timers, and begins to keep them if no other one does. */
		async keptBy(): Promise<TimersKeptBy | undefined> {
			const known = await keptBy();
			if (known !== undefined || !mayKeep()) {
				return known;
			}

			void keep();
			await ((await isKeptHere()) ? keeper.whenChecked : undefined);
			return keptBy();
		},
		/** The abilities whose timers were not done before this session, until the person was asked. */
		left: () => left,
		takeLeft(record: InstalledAbility): void {
			left = left.filter(other => other !== record);
		},
	};
}
