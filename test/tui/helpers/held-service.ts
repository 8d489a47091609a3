import assert from 'node:assert/strict';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {decodeRecord, type InstalledAbility} from '../../../source/interface/records.ts';
import {stateWord} from '../../../source/interface/state-word.ts';
import {type ToggleFailure} from '../../../source/tui/hooks/intents.ts';
import {
	createToggleQueue,
	type ToggleQueue,
	type ToggleQueueOptions,
} from '../../../source/tui/hooks/toggle-queue.ts';

export const installedAbility = (id: number, isEnabled: boolean | undefined, name = `ability ${id}`): InstalledAbility =>
	decodeRecord('installed', {installed_cap_id: id, name, enabled: isEnabled ?? null})!;

/** A request that waits for the test to answer it. */
export type HeldRequest = {
	readonly id: number;
	readonly isEnabled: boolean;
	/** The service carries it out and says so; `isEnabled` where it says something else than was asked for. */
	succeed(isEnabled?: boolean): Promise<void>;
	/** The service refuses it, or it never got there: nothing was done. */
	refuse(message?: string): Promise<void>;
	/** No answer came. Carried out or not, only the list can tell. */
	lose(outcome: 'carried-out' | 'not-carried-out'): Promise<void>;
};

export type HeldRead = {
	succeed(): Promise<void>;
	fail(): Promise<void>;
};

/** Lets all that was answered be thought through to its end; there are no timers in the queue. */
const settle = async (): Promise<void> => {
	for (let turn = 0; turn < 5; turn++) {
		await nextTurn();
	}
};

/** A service with its list, of which the test gives every answer by hand. */
export const createHeldService = (records: readonly InstalledAbility[], {isFresh = true, throttle}: {isFresh?: boolean; throttle?: ToggleQueueOptions['throttle']} = {}) => {
	/** What the service holds, what the screens know of it. `undefined` is a state that it does not show. */
	const stored = new Map(records.map(record => [record.id, record.isEnabled]));
	const hidden = new Set(records.filter(({isEnabled}) => isEnabled === undefined).map(({id}) => id));
	let known = records;
	let isListFresh = isFresh;
	const requests: HeldRequest[] = [];
	const reads: HeldRead[] = [];
	const failures: ToggleFailure[] = [];
	const settledRecords: InstalledAbility[] = [];
	let freshListsWanted = 0;
	let mostAtOnce = 0;
	let lookUpCount = 0;
	const inFlight = new Map<number, number>();
	let listener: ToggleQueueOptions['onOutcomes'] | undefined;

	const readNow = (): void => {
		known = records.filter(({id}) => stored.has(id)).map(({id, name}) => installedAbility(id, hidden.has(id) ? undefined : stored.get(id), name));
		isListFresh = true;
	};

	const toggleQueue: ToggleQueue = createToggleQueue({
		find(id) {
			lookUpCount++;
			return known.find(record => record.id === id);
		},
		isListFresh: () => isListFresh,
		async setEnabled(installed, isEnabled) {
			const {id} = installed;
			const {promise, resolve, reject} = Promise.withResolvers<InstalledAbility>();
			inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
			mostAtOnce = Math.max(mostAtOnce, inFlight.get(id)!);
			let isAnswered = false;
			const answer = async (give: () => void): Promise<void> => {
				if (isAnswered) {
					return;
				}

				isAnswered = true;
				inFlight.set(id, inFlight.get(id)! - 1);
				give();
				await settle();
			};

			requests.push({
				id,
				isEnabled,
				succeed: async (isSettledEnabled = isEnabled) => answer(() => {
					stored.set(id, isSettledEnabled);
					resolve(installedAbility(id, isSettledEnabled, installed.name));
				}),
				refuse: async (message = 'The service failed (HTTP 500).') => answer(() => {
					reject(new SwitchboardError('server-error', message));
				}),
				lose: async outcome => answer(() => {
					if (outcome === 'carried-out') {
						stored.set(id, isEnabled);
					}

					reject(new SwitchboardError('timeout', 'No answer came in time.', {isOutcomeUnknown: true}));
				}),
			});
			return promise;
		},
		settle(settled) {
			known = known.map(record => settled.find(({id}) => id === record.id) ?? record);
		},
		async readAgain() {
			const {promise, resolve, reject} = Promise.withResolvers<void>();
			reads.push({
				async succeed() {
					readNow();
					resolve();
					await settle();
				},
				async fail() {
					reject(new SwitchboardError('unreachable', 'Nothing listens there.'));
					await settle();
				},
			});
			return promise;
		},
		requestList() {
			freshListsWanted++;
		},
		recheckList() {
			// How fresh the list is said to be is the screens' matter.
		},
		...(throttle !== undefined && {throttle}),
		onOutcomes(outcomes) {
			for (const {installed, failure} of outcomes) {
				if (failure === undefined) {
					settledRecords.push(installed);
				} else {
					failures.push(failure);
				}
			}

			listener?.(outcomes);
		},
	});

	const queue = {
		...toggleQueue,
		set(id: number, isEnabled: boolean): void {
			toggleQueue.setAll([{id, isEnabled}]);
		},
		/** Requests the opposite of what the screen shows; nothing where it shows no state. */
		toggle(id: number): void {
			const shown = shownOf(id)?.isEnabled;
			if (shown !== undefined) {
				queue.set(id, !shown);
			}
		},
	};

	const shownOf = (id: number): {readonly name: string; readonly isEnabled: boolean | undefined} | undefined => {
		const record = known.find(each => each.id === id);
		return record && {name: record.name, isEnabled: queue.getIntents().get(id)?.isWantedEnabled ?? record.isEnabled};
	};

	return {
		queue,
		/** Hands on what the queue tells. */
		listen(newListener: typeof listener): void {
			listener = newListener;
		},
		stored,
		requests,
		reads,
		failures,
		settledRecords,
		freshListsWanted: () => freshListsWanted,
		/** How often the queue looked a record up in the list. */
		lookUpCount: () => lookUpCount,
		/** The most requests that were ever under way for one record. */
		mostAtOnce: () => mostAtOnce,
		shownOf,
		/** What the screen shows of a record, with `~` while it is not confirmed. */
		shown(id: number): string {
			const record = shownOf(id);
			return record === undefined ? 'gone' : stateWord(record.isEnabled) + (queue.getIntents().has(id) ? '~' : '');
		},
		/** The requests so far, as they were asked for. */
		asked: () => requests.map(({id, isEnabled}) => `${id} ${isEnabled ? 'on' : 'off'}`),
		failureTexts: () => failures.map(({installed, isWantedEnabled, error, isOutcomeUnknown}) => {
			const certainty = isOutcomeUnknown ? 'unknown: ' : (error.isOutcomeUnknown ? 'may still arrive: ' : '');
			return `${installed.name} ${stateWord(isWantedEnabled)}, is ${stateWord(installed.isEnabled)}: ${certainty}${error.message}`;
		}),
		/** A list of this run arrives, as the service holds it now. */
		async giveFreshList() {
			readNow();
			queue.handleFreshList();
			await settle();
		},
		async failFreshList() {
			queue.handleUnreadableList(new SwitchboardError('unreachable', 'Nothing listens there.'));
			await settle();
		},
		nextRequest(index = requests.length - 1): HeldRequest {
			assert.ok(requests[index], `There is no request ${index} yet`);
			return requests[index];
		},
	};
};
