import {existsSync, statSync} from 'node:fs';
import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {Client, InstalledChanges, ResourceList} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {decodeId, decodeRecord, type InstalledAbility, type Resource} from '../interface/records.ts';
import {decideTimer, decodeTimer, isSameTimer, timeOf, type Timer, type TimerWish} from '../interface/timers.ts';
import {takeFileLock} from '../platform/file-lock.ts';
import {keptFile} from '../platform/kept-file.ts';
import {ensurePrivateFolder} from '../platform/private-files.ts';
import type {ChangeLog} from './log.ts';
import {isLogOff} from './recorded-client.ts';

/*
Timers for a service that keeps none: they are in a file beside the log of the account, and a program on this machine fires them
(`timer-keeper.ts`). The client shows them as if the service kept them.
*/

const maximumCount = 1000;

/** A timer of an installed ability, which had the opposite state when it was set. */
export type KeptTimer = Timer & {
	readonly record: number;
	readonly name: string;
	/** The person over SSH, as a hash of their key. */
	readonly person?: string | undefined;
	/** When the service changed the record last, in milliseconds since the epoch, if it shows that. */
	readonly changedAt?: number | undefined;
	/** How often it was tried, and when it was tried last, in milliseconds since the epoch. */
	readonly tries: number;
	readonly triedAt: number;
	/** True once the switch was sent: it may have arrived. */
	readonly isSent: boolean;
};

/** Tells whether two entries are one timer; what was tried may differ. */
export function isSameEntry(one: KeptTimer, other: KeptTimer): boolean {
	return one.record === other.record && one.by === other.by && isSameTimer(one, other);
}

/** Opens the timers of an account. They go with its log when that is removed or moved. */
export function openKeptTimers({timersFile: file, keeperFile, folder}: ChangeLog, note?: (text: string) => void) {
	const kept = keptFile<readonly KeptTimer[]>({
		name: 'timers',
		file,
		version: 1,
		maximumBytes: 4 * 1024 * 1024,
		empty: [],
		decode: decodeTimers,
		encode: timers => ({timers: timers as readonly JsonObject[]}),
		arePathsShown: folder !== undefined,
		...(note && {note}),
		afterSetAside: 'Set them again.',
	});
	return {
		...kept,
		/** Differs once the file was written. */
		stamp(): string {
			const found = statSync(file, {throwIfNoEntry: false});
			return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`;
		},
		/** Sets a timer, in place of one of the same record. */
		async set(timer: KeptTimer): Promise<void> {
			await kept.change(timers => {
				const others = timers.filter(({record}) => record !== timer.record);
				if (others.length >= maximumCount) {
					throw new SwitchboardError('refused', `This machine keeps ${formatCount(maximumCount)} timers at most.`, {
						nextStep: 'Cancel one first.',
					});
				}

				return [...others, timer];
			});
		},
		/** Replaces a timer, or removes it; returns false if it is not there any more. */
		async replace(timer: KeptTimer, next: KeptTimer | undefined): Promise<boolean> {
			let isThere = false;
			await kept.change(timers => {
				isThere = timers.some(other => isSameEntry(other, timer));
				return isThere ? timers.flatMap(other => (isSameEntry(other, timer) ? (next ?? []) : other)) : timers;
			});
			return isThere;
		},
		/** Tells whether a running program keeps the timers. */
		isKept(): boolean {
			const release = existsSync(keeperFile) ? takeFileLock(keeperFile) : undefined;
			release?.();
			return release === undefined && existsSync(keeperFile);
		},
		/** Begins to keep the timers if no other program does. Returns how to end it; `undefined` if another one does. */
		keep(): (() => void) | undefined {
			ensurePrivateFolder(path.dirname(keeperFile));
			return takeFileLock(keeperFile);
		},
	};
}

export type KeptTimers = ReturnType<typeof openKeptTimers>;

function decodeTimers({timers}: JsonObject) {
	if (!Array.isArray(timers)) {
		return undefined;
	}

	const content = (timers as readonly JsonValue[]).flatMap(value => decodeKept(value) ?? []);
	return {content, damage: content.length === timers.length ? undefined : `${timers.length - content.length} of ${timers.length}`};
}

function decodeKept(value: JsonValue): KeptTimer | undefined {
	const timer = decodeTimer(value);
	const {record: id, name, tries, ...others} = isJsonObject(value) ? value : {};
	const record = decodeId(id);
	return timer === undefined || record === undefined || typeof name !== 'string' || typeof tries !== 'number'
		? undefined
		: {...(others as Pick<KeptTimer, 'triedAt' | 'isSent'>), ...timer, record, name, tries};
}

type Options = {
	readonly openLog: () => ChangeLog;
	readonly by?: string | undefined;
	/** The key of the person over SSH, hashed. */
	readonly personId?: string | undefined;
	/** True for the bundled service that runs with this program: it fires timers only while a screen or command runs. */
	readonly isLocal?: boolean | undefined;
};

/** A keeper of timers: the service, or a program on this machine. */
export type TimersKeptBy = 'service' | 'machine';

/**
Returns a client that keeps timers on this machine if the service keeps none, the functions that tell which program keeps them (`undefined`
if none does, or no list was read yet: then none can be set) and whether one on this machine has to, and the one that refuses timers.
*/
export function withKeptTimers(client: Client, {openLog, by = 'you', personId: person, isLocal = false}: Options) {
	const open = (): KeptTimers => openKeptTimers(openLog());
	const isKeptByService = async (): Promise<boolean> => (await client.keepsTimers()) === true;

	const isKeptHere = async (): Promise<boolean> =>
		(await isKeptByService()) ? isLocal : !isLogOff() && (await client.keepsTimers()) === false;

	const keptBy = async (): Promise<TimersKeptBy | undefined> => {
		if (await isKeptHere()) {
			return withoutFailing(() => open().isKept()) === true ? 'machine' : undefined;
		}

		return (await isKeptByService()) ? 'service' : undefined;
	};

	/** Refuses a timer that no program would fire, before anything is sent. */
	const refuseUnkept = async (): Promise<void> => {
		if ((await keptBy()) === undefined) {
			throw isLogOff() && !isLocal
				? noneWithoutLog()
				: new SwitchboardError(
						'refused',
						'No program on this machine keeps timers for this service, so nothing would happen at that time.',
						{nextStep: 'Add --wait, and the command stays until then; or keep them with: switchboard timers run'},
					);
		}
	};

	const knownTimers = (): readonly KeptTimer[] => withoutFailing(() => open().peek()) ?? [];
	const timerOf = (id: number): KeptTimer | undefined => knownTimers().find(({record}) => record === id);

	/** Removes timers that are moot. If that fails, they are dropped at their time. */
	const remove = async (isMoot: (timer: KeptTimer) => boolean): Promise<void> => {
		if (knownTimers().some(timer => isMoot(timer))) {
			await open()
				.change(timers => timers.filter(timer => !isMoot(timer)))
				.catch(() => undefined);
		}
	};

	const edit = async (before: InstalledAbility, changes: InstalledChanges, signal?: AbortSignal): Promise<InstalledAbility> =>
		changes.enabled === undefined && changes.triggers === undefined ? before : client.editInstalled(before, changes, signal);

	/** Returns when the service changed a record by an edit. Its answer need not show that: then the list is read. */
	const changedAtOf = async (before: InstalledAbility, after: InstalledAbility, signal?: AbortSignal): Promise<number | undefined> => {
		if (after === before || before.changedAt === undefined || after.changedAt !== before.changedAt) {
			return after.changedAt;
		}

		const list = await client.list('installed', signal).catch(() => undefined);
		return list?.records.find(({id}) => id === before.id)?.changedAt;
	};

	const setTimer = async (
		installed: InstalledAbility,
		{timer: wish, ...others}: InstalledChanges & {readonly timer: TimerWish},
		signal?: AbortSignal,
	): Promise<InstalledAbility> => {
		await refuseUnkept();
		const kept = open();
		const {id: record, name} = installed;
		const former = timerOf(record);
		const decision = decideTimer({...installed, timer: former}, wish.enabled, others.enabled !== undefined);
		const changes = {...others, enabled: decision === 'switch' ? others.enabled : undefined};
		if (decision === 'nothing') {
			return edit(installed, changes, signal);
		}

		const {enabled, note} = wish;
		const timer = {record, name, person, enabled, at: timeOf(wish), by, note, overdue: undefined, tries: 0, triedAt: 0, isSent: false};
		// A program that is killed after the switch must not lose the timer; one of a switch that was not made is dropped at its time.
		await kept.set(timer);
		try {
			const after = await edit(installed, changes, signal);
			await kept.set({...timer, changedAt: await changedAtOf(installed, after, signal)});
			return showTimer(after, timer);
		} catch (error) {
			if (!toSwitchboardError(error).isOutcomeUnknown) {
				await kept.replace(timer, former);
			}

			throw error;
		}
	};

	const shown: Client = {
		...client,
		async list<R extends Resource>(...[resource, signal, before]: Parameters<typeof client.list<R>>) {
			const list = await client.list(resource, signal, before);
			return resource === 'installed' && !(await isKeptByService())
				? (showTimers(list as unknown as InstalledList, knownTimers(), before as InstalledList | undefined) as unknown as typeof list)
				: list;
		},
		async editInstalled(installed, changes, signal) {
			const {timer, ...others} = changes;
			if (await isKeptByService()) {
				await (isLocal && timer ? refuseUnkept() : undefined);
				return client.editInstalled(installed, changes, signal);
			}

			if (timer) {
				return setTimer(installed, {...others, timer}, signal);
			}

			const after = await edit(installed, others, signal);
			const former = timerOf(installed.id);
			const isCancelled = timer === null || (others.enabled ?? installed.isEnabled) !== installed.isEnabled;
			const next = isCancelled || former === undefined ? undefined : {...former, changedAt: await changedAtOf(installed, after, signal)};
			if (former !== undefined && (isCancelled || former.changedAt !== undefined)) {
				const written = open().replace(former, next);
				// A switch cancels it even where that cannot be written: it is then dropped at its time.
				await (timer === null ? written : written.catch(() => undefined));
			}

			return showTimer(after, next);
		},
		async uninstallAbility(installed, signal) {
			await client.uninstallAbility(installed, signal);
			await remove(({record}) => record === installed.id);
		},
		async deleteAbility(ability, signal) {
			await client.deleteAbility(ability, signal);
			await remove(({name}) => name === ability.name);
		},
	};
	return {client: shown, keptBy, isKeptHere, refuseUnkept};
}

/** Returns the error for a timer where the person wants nothing noted. */
export function noneWithoutLog(): SwitchboardError {
	return new SwitchboardError('refused', 'No timers are kept with SWITCHBOARD_JOURNAL=off.', {nextStep: 'Leave that variable out.'});
}

type InstalledList = ResourceList<InstalledAbility>;

/** Returns a list with the timers that are kept here; the list itself if it shows them already. */
function showTimers(list: InstalledList, timers: readonly KeptTimer[], before: InstalledList | undefined): InstalledList {
	const byRecord = new Map(timers.map(timer => [timer.record, timer]));
	const known = timers.length === 0 ? undefined : new Map(before?.records.map(record => [record.id, record]));
	const records = list.records.map(record => showTimer(record, byRecord.get(record.id), known));
	return records.some((record, index) => record !== list.records[index]) ? {...list, records} : list;
}

/** Returns a record with its timer, unless it was switched since, which cancels the timer. */
function showTimer(record: InstalledAbility, kept: KeptTimer | undefined, known?: ReadonlyMap<number, InstalledAbility>): InstalledAbility {
	const timer = kept?.name === record.name && record.isEnabled === !kept.enabled ? timerJson(kept) : undefined;
	if (isDeepStrictEqual(record.timer, decodeTimer(timer))) {
		return record;
	}

	const {timer: _, ...raw} = record.raw;
	const decoded = decodeRecord('installed', timer === undefined ? raw : {...raw, timer}, known)!;
	return record.isUnconfirmed === true ? {...decoded, isUnconfirmed: true} : decoded;
}

/** Returns a timer as the bundled service shows it in its record. */
const timerJson = ({enabled, at, by, note, overdue}: Timer): JsonObject => ({enabled, at, by, note, overdue: overdue ?? null});
