import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';

/** What a person wants of an installed ability and the service has not confirmed yet. */
export type Intent = {
	/** The record as it was known when the change was asked for. */
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/**
	`waiting` for the first list of this run or for a place among the requests, `sending` the request, or `checking` by reading the list again what became
	of a request whose answer never came.
	*/
	readonly phase: 'waiting' | 'sending' | 'checking';
	/** What the request that is or was under way asks for. */
	readonly isSentEnabled: boolean | undefined;
};

export type SwitchTarget = {readonly id: number; readonly isEnabled: boolean};

export type Intents = ReadonlyMap<number, Intent>;

/** A change that did not come about, or was not seen to: the row is back at what the service said last. */
export type ToggleFailure = {
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** Its own `isOutcomeUnknown` is true where no answer came: then the change may still arrive, whatever the list shows. */
	readonly error: SwitchboardError;
	/** True where not even the list could tell whether the change was made. */
	readonly isOutcomeUnknown: boolean;
	/** True where the list shows that it is not installed any more. */
	readonly isGone?: boolean;
};

export type ToggleQueueOptions = {
	/** The newest record; `isFresh` where it was read in this run and so may be sent back. */
	find(id: number): {readonly installed: InstalledAbility; readonly isFresh: boolean} | undefined;
	setEnabled(installed: InstalledAbility, isEnabled: boolean): Promise<InstalledAbility>;
	/** Puts the settled record where `find` and the screens read it, in place of an older list that may be on its way. */
	settle(installed: InstalledAbility): Promise<void>;
	/** Reads the list now, whatever is being read already. Rejects where that fails. */
	readAgain(): Promise<void>;
	/** Asks for a first list of this run, where none is on its way. */
	needFreshList(): void;
	/** Tells that the service was not reached: how fresh the list is said to be is not true any more. */
	doubtList(): void;
	onSettled(installed: InstalledAbility): void;
	onFailed(failure: ToggleFailure): void;
};

export type ToggleQueue = {
	getIntents(): Intents;
	subscribe(listener: () => void): () => void;
	/** Wants the opposite of what the screen shows now; nothing where it shows no state. */
	toggle(id: number): void;
	/** Wants this state, whatever it is now. Where the service does not show what it is, it is asked for all the same. */
	set(id: number, isEnabled: boolean): void;
	/** Wants each of these to have its state, likewise. */
	setAll(targets: readonly SwitchTarget[]): void;
	/** Tells that a list of this run has arrived: what waited for it is sent. */
	handleFreshList(): void;
	/** Tells that the list could not be read: what waited for it is taken back. */
	handleUnreadableList(error: SwitchboardError): void;
	/** Resolves when nothing is wanted any more. */
	whenIdle(): Promise<void>;
};

/** Many at once are sent a few at a time. */
const maximumInFlight = 4;

/**
Per installed ability at most one request is in flight; presses meanwhile fold into one last intent (`DESIGN.md`, the
main trip). Nothing is sent twice by itself: one request per intent.
*/
export const createToggleQueue = (options: ToggleQueueOptions): ToggleQueue => {
	let intents: Intents = new Map();
	const listeners = new Set<() => void>();

	const publish = (next: Intents): void => {
		intents = next;
		for (const listener of listeners) {
			listener();
		}
	};

	const put = (id: number, intent: Intent): void => {
		publish(new Map(intents).set(id, intent));
	};

	const drop = (id: number): void => {
		const next = new Map(intents);
		next.delete(id);
		publish(next);
		queueMicrotask(startWaiting);
	};

	const hasPlace = (): boolean => {
		let count = 0;
		for (const {phase} of intents.values()) {
			count += phase === 'waiting' ? 0 : 1;
			if (count === maximumInFlight) {
				return false;
			}
		}

		return true;
	};

	/** Gives the places of requests that have ended to what waits: only as far as there are any, where thousands wait. */
	const startWaiting = (): void => {
		for (const id of waitingIds()) {
			if (!hasPlace()) {
				return;
			}

			start(id);
		}
	};

	const fail = (installed: InstalledAbility, isWantedEnabled: boolean, error: SwitchboardError, isOutcomeUnknown = false): void => {
		drop(installed.id);
		if (isOutcomeUnknown || isWantedEnabled !== installed.isEnabled) {
			options.onFailed({
				installed, isWantedEnabled, error, isOutcomeUnknown,
			});
		} else {
			// Folded back to where the service is: nothing was taken from anyone.
			options.onSettled(installed);
		}
	};

	/** Ends the intent on a record that the service does not list any more. */
	const vanish = (id: number): void => {
		const {installed, isWantedEnabled} = intents.get(id)!;
		drop(id);
		options.onFailed({
			installed,
			isWantedEnabled,
			error: new SwitchboardError('not-found', `${installed.name} is not installed any more.`),
			isOutcomeUnknown: false,
			isGone: true,
		});
	};

	/** Ends the intent, or sends what was wanted meanwhile, now that the service is known to be at `installed`. */
	const conclude = async (installed: InstalledAbility, isSentEnabled: boolean, error?: SwitchboardError): Promise<void> => {
		const {isWantedEnabled} = intents.get(installed.id)!;
		if (isWantedEnabled !== installed.isEnabled && isWantedEnabled !== isSentEnabled) {
			await send(installed, isWantedEnabled);
			return;
		}

		if (error !== undefined && isWantedEnabled !== installed.isEnabled) {
			fail(installed, isWantedEnabled, error, error.isOutcomeUnknown && installed.isEnabled === undefined);
			return;
		}

		drop(installed.id);
		options.onSettled(installed);
	};

	const check = async (installed: InstalledAbility, isSentEnabled: boolean, error: SwitchboardError): Promise<void> => {
		const {id} = installed;
		put(id, {...intents.get(id)!, phase: 'checking'});
		try {
			await options.readAgain();
		} catch {
			fail(options.find(id)?.installed ?? installed, intents.get(id)!.isWantedEnabled, error, error.isOutcomeUnknown);
			return;
		}

		const found = options.find(id);
		if (found === undefined) {
			vanish(id);
			return;
		}

		await conclude(found.installed, isSentEnabled, error);
	};

	const send = async (installed: InstalledAbility, isEnabled: boolean): Promise<void> => {
		const {id} = installed;
		put(id, {
			installed, isWantedEnabled: isEnabled, phase: 'sending', isSentEnabled: isEnabled,
		});
		let settledRecord: InstalledAbility;
		try {
			settledRecord = await options.setEnabled(installed, isEnabled);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (error.isOutcomeUnknown || error.kind === 'not-found') {
				await check(installed, isEnabled, error);
			} else {
				// Presses since then that ended where the request would have led ask for no second one.
				const {isWantedEnabled} = intents.get(id)!;
				fail(options.find(id)?.installed ?? installed, isWantedEnabled, error);
				if (error.kind === 'unreachable') {
					options.doubtList();
				}
			}

			return;
		}

		await options.settle(settledRecord);
		await conclude(settledRecord, isEnabled);
	};

	const start = (id: number): void => {
		const found = options.find(id);
		const intent = intents.get(id);
		if (intent === undefined) {
			return;
		}

		if (found === undefined) {
			vanish(id);
			return;
		}

		if (!found.isFresh) {
			options.needFreshList();
			return;
		}

		if (found.installed.isEnabled === intent.isWantedEnabled) {
			drop(id);
			options.onSettled(found.installed);
			return;
		}

		if (hasPlace()) {
			void send(found.installed, intent.isWantedEnabled);
		}
	};

	const intentFor = (id: number, isEnabled: boolean): Intent | undefined => {
		const intent = intents.get(id);
		if (intent !== undefined) {
			return {...intent, isWantedEnabled: isEnabled};
		}

		const found = options.find(id);
		return found === undefined || found.installed.isEnabled === isEnabled
			? undefined
			: {
				installed: found.installed, isWantedEnabled: isEnabled, phase: 'waiting', isSentEnabled: undefined,
			};
	};

	/** Thousands are published at once: whoever listens looks at all of them each time. */
	const setAll = (targets: readonly SwitchTarget[]): void => {
		const wanted = targets.map(({id, isEnabled}) => [id, intentFor(id, isEnabled)] as const)
			.filter((entry): entry is [number, Intent] => entry[1] !== undefined);
		if (wanted.length === 0) {
			return;
		}

		const newIds = wanted.map(([id]) => id).filter(id => !intents.has(id));
		publish(new Map([...intents, ...wanted]));
		for (const id of newIds) {
			if (!hasPlace()) {
				return;
			}

			start(id);
		}
	};

	const set = (id: number, isEnabled: boolean): void => {
		setAll([{id, isEnabled}]);
	};

	const waitingIds = (): readonly number[] => [...intents].filter(([, {phase}]) => phase === 'waiting').map(([id]) => id);

	return {
		getIntents: () => intents,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		toggle(id) {
			const shown = intents.get(id)?.isWantedEnabled ?? options.find(id)?.installed.isEnabled;
			if (shown !== undefined) {
				set(id, !shown);
			}
		},
		set,
		setAll,
		handleFreshList: startWaiting,
		handleUnreadableList(error) {
			// What waits for a place among the requests needs no other list.
			const ids = waitingIds().filter(id => options.find(id)?.isFresh !== true);
			for (const id of ids) {
				const {installed, isWantedEnabled} = intents.get(id)!;
				fail(installed, isWantedEnabled, error);
			}
		},
		async whenIdle() {
			await new Promise<void>(resolve => {
				const look = (): void => {
					if (intents.size > 0) {
						return;
					}

					listeners.delete(look);
					resolve();
				};

				listeners.add(look);
				look();
			});
		},
	};
};
