import {setTimeout as delay} from 'node:timers/promises';
import type {Client, ResourceList} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {rawName, type InstalledAbility} from '../interface/records.ts';
import {overdueWords} from '../interface/timers.ts';
import {isSameEntry, openKeptTimers, type KeptTimer, type KeptTimers} from './kept-timers.ts';
import type {ChangeLog} from './log.ts';

/*
Fires the timers that this machine keeps for a service. One program at a time does so for an account; the others wait for their turn. The
clock is read again each second, because a machine may sleep, and its clock may be set.
*/

const tickMilliseconds = 1000;

/** Taking a lock that another program has costs more than reading a clock. */
const turnMilliseconds = 3000;

const maximumLateMilliseconds = 24 * 60 * 60 * 1000;

/** The pauses between three tries, in milliseconds. */
const pauses = [30_000, 270_000] as const;

export type KeeperOptions = {
	/** Without the timers of this machine: each switch here is the end of one. */
	readonly client: Pick<Client, 'list' | 'editInstalled'>;
	/** The log of the account: a different one once its profile is renamed. */
	readonly openLog: () => ChangeLog;
	/** True if a person is asked about timers whose time passed before the keeper began. */
	readonly isAsking?: boolean | undefined;
	/** Called when this program's turn begins. */
	readonly onTurn?: (() => void) | undefined;
	/** Called with each timer that was done. */
	readonly onDone?: ((timer: KeptTimer) => void) | undefined;
	/** Called with a sentence for each timer that was not done, and if the file of the timers is broken. */
	readonly note?: ((text: string) => void) | undefined;
};

type InstalledList = ResourceList<InstalledAbility>;

/** Returns a keeper of the timers of an account. */
export function createTimerKeeper({client, openLog, isAsking = false, onTurn, onDone, note}: KeeperOptions) {
	/** The timers whose time had passed when the keeper began; `undefined` before that. */
	let passed: readonly KeptTimer[] | undefined;
	let turn: {readonly file: string; readonly end: () => void} | undefined;
	let nextTryAt = 0;
	const checked = Promise.withResolvers<void>();
	let known: {readonly stamp: string; readonly timers: readonly KeptTimer[]} | undefined;

	const endTurn = (): void => {
		// The folder may be gone.
		withoutFailing(() => turn?.end());
		turn = undefined;
	};

	/** Takes the turn if no other program has it; returns true if it has begun now. The log is another one once its profile was renamed. */
	const takeTurn = (kept: KeptTimers, file: string): boolean => {
		if (turn?.file !== file) {
			endTurn();
		}

		if (turn !== undefined || performance.now() < nextTryAt) {
			return false;
		}

		// Where nothing can be written, there are no timers to keep.
		const end = withoutFailing(() => kept.keep());
		if (end === undefined) {
			nextTryAt = performance.now() + turnMilliseconds;
			return false;
		}

		turn = {file, end};
		onTurn?.();
		return true;
	};

	const readTimers = async (kept: KeptTimers): Promise<readonly KeptTimer[]> => {
		const stamp = kept.stamp();
		if (known?.stamp !== stamp) {
			known = {stamp, timers: await kept.read()};
		}

		return known.timers;
	};

	const noteUndone = ({name, enabled}: KeptTimer, reason: string): void =>
		note?.(`${name} was not switched ${stateWord(enabled)}: ${reason}`);

	/** @param timer - with this try. */
	const handleFailure = async (kept: KeptTimers, timer: KeptTimer, thrown: unknown): Promise<void> => {
		const {kind, message} = toSwitchboardError(thrown);
		const isRefused = kind === 'key-refused' || kind === 'forbidden' || kind === 'read-only';
		const overdue = isRefused ? 'key' : timer.tries > pauses.length ? 'failed' : undefined;
		if (await kept.replace(timer, {...timer, overdue})) {
			noteUndone(timer, `${message}${overdue === undefined ? ' It is tried again.' : ''}`);
		}
	};

	/** Notes a switch, unless the program that sent it has done so, and then removes its timer: a program may be killed in between. */
	const conclude = async (kept: KeptTimers, timer: KeptTimer, record: InstalledAbility): Promise<void> => {
		// The log of an account that was signed out must not come back.
		if (!kept.peek().some(other => isSameEntry(other, timer))) {
			return;
		}

		const {enabled, at, by, person} = timer;
		// Undo leaves it alone, as it leaves an undo alone.
		const origin = {session: 'timer', group: `timer ${record.id} ${at}`, undoes: [], person};
		const place = {kind: 'installed', record: record.id, name: rawName(record), field: 'enabled', from: !enabled, to: enabled} as const;
		try {
			await openLog().note([{...place, by, via: 'timer', at: Date.now(), since: Date.parse(at), origin}]);
		} catch (error) {
			note?.(toSwitchboardError(error).message);
		}

		await kept.replace(timer, undefined);
		onDone?.(timer);
	};

	const fire = async (kept: KeptTimers, timer: KeptTimer, list: InstalledList, signal?: AbortSignal): Promise<void> => {
		const record = list.records.find(({id, name}) => id === timer.record && name === timer.name);
		const isDone = record?.isEnabled === timer.enabled;
		const isTouched = (record?.changedAt ?? 0) > (timer.changedAt ?? Infinity);
		if (record !== undefined && isDone && timer.isSent) {
			await conclude(kept, timer, record);
		} else if (record === undefined ? list.isComplete : isDone || isTouched) {
			// Somebody has removed or switched it, perhaps twice.
			if ((await kept.replace(timer, undefined)) && !isDone) {
				noteUndone(timer, 'it was changed or removed after the timer was set.');
			}
		} else if (record?.isEnabled === undefined) {
			await handleFailure(kept, withTry(timer), new SwitchboardError('refused', 'The list does not show whether it is on.'));
		} else {
			await send(kept, timer, record, signal);
		}
	};

	const send = async (kept: KeptTimers, timer: KeptTimer, record: InstalledAbility, signal?: AbortSignal): Promise<void> => {
		const sent = {...withTry(timer), isSent: true};
		// It may have been cancelled since the file was read.
		if (!(await kept.replace(timer, sent))) {
			return;
		}

		try {
			const after = await client.editInstalled(record, {enabled: timer.enabled}, signal);
			const seen = after.isUnconfirmed === true ? (await client.list('installed', signal)).records.find(({id}) => id === record.id) : after;
			if (seen?.isEnabled !== timer.enabled) {
				throw new SwitchboardError('no-effect', `The service still shows ${record.name} ${stateWord(!timer.enabled)}.`);
			}
		} catch (error) {
			if (signal?.aborted !== true) {
				await handleFailure(kept, sent, error);
			}

			return;
		}

		await conclude(kept, sent, record);
	};

	/** Fires the timers whose time has come, if it is this program's turn. Only then the service is asked. */
	const check = async (signal?: AbortSignal): Promise<void> => {
		const log = openLog();
		const kept = openKeptTimers(log, note);
		const isNewTurn = takeTurn(kept, log.keeperFile);
		const now = Date.now();
		// The answer to what an earlier keeper sent is looked up at once.
		const due = (await readTimers(kept)).filter(timer => isDue(isNewTurn && timer.isSent ? {...timer, tries: 0} : timer, now));
		passed ??= isAsking ? due : [];
		if (turn === undefined || due.length === 0) {
			return;
		}

		const isAsked = (timer: KeptTimer): boolean => passed!.some(other => isSameEntry(other, timer) && !timer.isSent);
		const isLate = (timer: KeptTimer): boolean => now - Date.parse(timer.at) > maximumLateMilliseconds || isAsked(timer);
		const {late = [], tried = []} = Object.groupBy(due, timer => (isLate(timer) ? 'late' : 'tried'));
		for (const timer of late) {
			if ((await kept.replace(timer, {...timer, overdue: 'late'})) && !isAsked(timer)) {
				noteUndone(timer, `${overdueWords.late}.`);
			}
		}

		if (tried.length === 0) {
			return;
		}

		let list: InstalledList;
		try {
			list = await client.list('installed', signal);
		} catch (error) {
			for (const timer of signal?.aborted === true ? [] : tried) {
				await handleFailure(kept, withTry(timer), error);
			}

			return;
		}

		for (const timer of tried) {
			if (signal?.aborted !== true) {
				await fire(kept, timer, list, signal);
			}
		}
	};

	return {
		check,
		/** Resolves once the timers were checked, or could not be. */
		whenChecked: checked.promise,
		/** Tells whether it is this program's turn. */
		isKeeping: (): boolean => turn !== undefined,
		end: endTurn,
		/**
		Keeps the timers until the signal comes. Never rejects.
		@param isAlive - true if that keeps the process alive.
		*/
		async run(signal: AbortSignal, isAlive = false): Promise<void> {
			let problem = '';
			while (!signal.aborted) {
				try {
					await check(signal);
					problem = '';
				} catch (error) {
					const {message} = toSwitchboardError(error);
					// Such as a full disk, each second.
					if (message !== problem) {
						note?.(message);
					}

					problem = message;
				}

				checked.resolve();

				await delay(tickMilliseconds, undefined, {signal, ref: isAlive}).catch(() => undefined);
			}

			endTurn();
		},
	};
}

const withTry = (timer: KeptTimer): KeptTimer => ({...timer, tries: timer.tries + 1, triedAt: Date.now()});

/** Tells whether a timer is to be tried now. A clock that was set back neither hurries nor stops the tries that are left. */
function isDue({at, overdue, tries, triedAt}: KeptTimer, now: number): boolean {
	const sinceTry = now - triedAt;
	return (
		overdue === undefined && Date.parse(at) <= now && (tries === 0 || sinceTry < 0 || sinceTry >= (pauses[tries - 1] ?? pauses.at(-1)!))
	);
}
