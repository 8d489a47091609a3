import {assert, nextTurn} from '../../helpers/node.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {stateWord} from '../../../source/interface/installed-lookup.ts';
import {decodeRecord, type InstalledAbility} from '../../../source/interface/records.ts';
import {ChangeQueue, type Outcome, type QueueOptions} from '../../../source/changes/queue.ts';

export function installedAbility(id: number, isEnabled: boolean | undefined, name = `ability ${id}`): InstalledAbility {
	return decodeRecord('installed', {installed_cap_id: id, name, enabled: isEnabled ?? null})!;
}

/** A service with its list, of which the test gives every answer by hand. */
export function createHeldService(
	records: readonly InstalledAbility[],
	{isFresh = true, throttle}: {isFresh?: boolean; throttle?: QueueOptions['throttle']} = {},
) {
	/** What the service holds, what the screens know of it. `undefined` is a state that it does not show. */
	const stored = new Map(records.map(record => [record.id, record.isEnabled]));
	const hidden = new Set(records.filter(({isEnabled}) => isEnabled === undefined).map(({id}) => id));
	let known = records;
	let isListFresh = isFresh;
	const failures: Array<Outcome<'installed'>> = [];
	let freshListsWanted = 0;
	let lookUpCount = 0;
	let listener: ((outcomes: ReadonlyArray<Outcome<'installed'>>) => void) | undefined;

	const readNow = (): void => {
		known = records
			.filter(({id}) => stored.has(id))
			.map(({id, name}) => installedAbility(id, hidden.has(id) ? undefined : stored.get(id), name));
		isListFresh = true;
	};

	const unreachable = (): SwitchboardError => new SwitchboardError('unreachable', 'Nothing listens there.');

	const hold = <Result>() => {
		const {promise, resolve, reject} = Promise.withResolvers<Result>();
		return {
			promise,
			async succeed(result: Result) {
				resolve(result);
				await settle();
			},
			async fail(error: SwitchboardError) {
				reject(error);
				await settle();
			},
		};
	};

	/** A request that waits for the test to answer it. */
	const holdRequest = ({id, name}: InstalledAbility, isEnabled: boolean) => {
		const held = hold<InstalledAbility>();
		return {
			id,
			isEnabled,
			promise: held.promise,
			/** The service carries it out and says so; `isSettledEnabled` if it says something else than was requested. */
			async succeed(isSettledEnabled = isEnabled) {
				stored.set(id, isSettledEnabled);
				await held.succeed(installedAbility(id, isSettledEnabled, name));
			},
			/** The service refuses it, or it never got there: nothing was done. */
			refuse: async (message = 'The service failed (HTTP 500).') => held.fail(new SwitchboardError('server-error', message)),
			/** No answer came. Carried out or not, only the list can tell. */
			async lose(outcome: 'carried-out' | 'not-carried-out') {
				if (outcome === 'carried-out') {
					stored.set(id, isEnabled);
				}

				await held.fail(new SwitchboardError('timeout', 'No answer came in time.', {isOutcomeUnknown: true}));
			},
		};
	};

	const holdRead = () => {
		const held = hold<void>();
		return {
			promise: held.promise,
			async succeed() {
				readNow();
				await held.succeed();
			},
			fail: async () => held.fail(unreachable()),
		};
	};

	const requests: Array<ReturnType<typeof holdRequest>> = [];
	const reads: Array<ReturnType<typeof holdRead>> = [];
	const changes = new ChangeQueue({
		find(_resource, id) {
			lookUpCount++;
			return known.find(record => record.id === id) as never;
		},
		isListFresh: () => isListFresh,
		async send(_resource, installed, {enabled}) {
			requests.push(holdRequest(installed as InstalledAbility, enabled as boolean));
			return requests.at(-1)!.promise;
		},
		settle(_resource, settled) {
			known = known.map(record => (settled.find(({id}) => id === record.id) as InstalledAbility | undefined) ?? record);
		},
		async readAgain() {
			reads.push(holdRead());
			return reads.at(-1)!.promise;
		},
		requestList() {
			freshListsWanted++;
		},
		recheckList() {
			// How fresh the list is said to be is the screens' matter.
		},
		throttle,
		onOutcomes(outcomes) {
			failures.push(...(outcomes as ReadonlyArray<Outcome<'installed'>>).filter(({error}) => error !== undefined));
			listener?.(outcomes as ReadonlyArray<Outcome<'installed'>>);
		},
	});

	const intents = () => changes.intents('installed', 'enabled');

	const queue = {
		subscribe: changes.subscribe,
		whenIdle: async () => changes.whenIdle(),
		catchUp() {
			changes.catchUp();
		},
		intents,
		setAll(targets: ReadonlyArray<{readonly id: number; readonly isEnabled: boolean}>): void {
			changes.set(targets.map(({id, isEnabled}) => ({resource: 'installed', id, values: {enabled: isEnabled}})));
		},
		set(id: number, isEnabled: boolean): void {
			queue.setAll([{id, isEnabled}]);
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
		return record && {name: record.name, isEnabled: (intents().get(id)?.values.enabled as boolean | undefined) ?? record.isEnabled};
	};

	return {
		queue,
		/** Hands on the outcomes of the queue. */
		listen(newListener: typeof listener): void {
			listener = newListener;
		},
		stored,
		requests,
		reads,
		failures,
		freshListsWanted: () => freshListsWanted,
		/** How often the queue looked a record up in the list. */
		lookUpCount: () => lookUpCount,
		shownOf,
		/** What the screen shows of a record, with `~` while it is not confirmed. */
		shown(id: number): string {
			const record = shownOf(id);
			return record === undefined ? 'gone' : stateWord(record.isEnabled) + (intents().has(id) ? '~' : '');
		},
		/** The requests so far, as they were asked for. */
		asked: () => requests.map(({id, isEnabled}) => `${id} ${isEnabled ? 'on' : 'off'}`),
		failureTexts: () =>
			failures.map(({record, values, error, isOutcomeUnknown}) => {
				const certainty = isOutcomeUnknown ? 'unknown: ' : error!.isOutcomeUnknown ? 'may still arrive: ' : '';
				return `${record.name} ${stateWord(values.enabled as boolean)}, is ${stateWord(record.isEnabled)}: ${certainty}${error!.message}`;
			}),
		/** A list of this run arrives, as the service holds it now. */
		async giveFreshList() {
			readNow();
			changes.handleFreshList('installed');
			await settle();
		},
		async failFreshList() {
			changes.handleUnreadableList('installed', unreachable());
			await settle();
		},
		nextRequest(index = requests.length - 1) {
			assert.ok(requests[index], `There is no request ${index} yet`);
			return requests[index];
		},
	};
}

/** Lets all that was answered be thought through to its end; there are no timers in the queue. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) {
		await nextTurn();
	}
}
