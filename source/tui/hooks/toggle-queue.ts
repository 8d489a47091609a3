import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {
	type Intent,
	type Intents,
	type SwitchTarget,
	type ToggleOutcome,
} from './intents.ts';
import {createListeners, type Listeners} from './listeners.ts';

export type ToggleQueueOptions = {
	/** The newest record of the list. */
	find(id: number): InstalledAbility | undefined;
	/** True where the list was read in this run, so that its records may be sent back. */
	isListFresh(): boolean;
	setEnabled(installed: InstalledAbility, isEnabled: boolean): Promise<InstalledAbility>;
	/** Puts settled records where `find` and the screens read them, in place of an older list that may be on its way. */
	settle(records: readonly InstalledAbility[]): void;
	/** Reads the list now, whatever is being read already. Rejects where that fails. */
	readAgain(): Promise<void>;
	/** Asks for a first list of this run, unless one is on its way. */
	requestList(): void;
	/** The service was unreachable: the list may be older than the screens say. */
	recheckList(): void;
	/** Told of all that ended at the same moment at once. */
	onOutcomes(outcomes: readonly ToggleOutcome[]): void;
	/** Limits how often answers are handled, so that many at once are drawn together; each is handled when it comes unless given. */
	throttle?(handle: () => void): () => void;
};

export type ToggleQueue = Pick<Listeners, 'subscribe'> & {
	getIntents(): Intents;
	/** Requests a state for each. Where the service does not show what it is, it is sent all the same. */
	setAll(targets: readonly SwitchTarget[]): void;
	/** A list of this run has arrived: what waited for it is sent. */
	handleFreshList(): void;
	/** The list could not be read: what waited for it fails. */
	handleUnreadableList(error: SwitchboardError): void;
	/** Handles the answers that have come, without waiting for the throttle. */
	catchUp(): void;
	/** Resolves when nothing is wanted any more. */
	whenIdle(): Promise<void>;
};

type Answer = {
	/** The record as it was sent. */
	readonly installed: InstalledAbility;
	readonly isSentEnabled: boolean;
	readonly result: InstalledAbility | SwitchboardError;
};

/** An answer that leaves open what became of the change; the list tells. */
type LostAnswer = Answer & {readonly result: SwitchboardError};

/** Many at once are sent a few at a time. */
const maximumInFlight = 4;

const isLost = (answer: Answer): answer is LostAnswer =>
	answer.result instanceof SwitchboardError && (answer.result.isOutcomeUnknown || answer.result.kind === 'not-found');

/**
Per installed ability at most one request is in flight; presses meanwhile fold into one last intent (`DESIGN.md`, the
main trip). Nothing is sent twice by itself: one request per intent. An answer costs the same however many wait.
*/
export const createToggleQueue = (options: ToggleQueueOptions): ToggleQueue => {
	const intents = new Map<number, Intent>();
	/** `intents` as listeners see them, copied when they look. */
	let snapshot: Intents | undefined;
	/** Ids of the intents that are not sent yet, in their order. */
	let waiting = new Set<number>();
	let answers: Answer[] = [];
	let inFlightCount = 0;
	const {subscribe, notify} = createListeners();

	const put = (id: number, intent: Intent): void => {
		intents.set(id, intent);
		snapshot = undefined;
	};

	const drop = (id: number): void => {
		intents.delete(id);
		waiting.delete(id);
		snapshot = undefined;
	};

	const settled = (installed: InstalledAbility): ToggleOutcome => {
		drop(installed.id);
		return {installed};
	};

	const failed = (installed: InstalledAbility, error: SwitchboardError, isOutcomeUnknown = false): ToggleOutcome => {
		const {isWantedEnabled} = intents.get(installed.id)!;
		drop(installed.id);
		// Folded back to what the service has: there is nothing to report.
		return !isOutcomeUnknown && isWantedEnabled === installed.isEnabled
			? {installed}
			: {
				installed,
				failure: {
					installed, isWantedEnabled, error, isOutcomeUnknown,
				},
			};
	};

	/** The service no longer lists the record. */
	const gone = (id: number): ToggleOutcome => {
		const {installed, isWantedEnabled} = intents.get(id)!;
		drop(id);
		return {
			installed,
			failure: {
				installed,
				isWantedEnabled,
				error: new SwitchboardError('not-found', `${installed.name} is not installed any more.`),
				isOutcomeUnknown: false,
				isGone: true,
			},
		};
	};

	/** Ends the intent, or has sent next what was wanted meanwhile, now that the service is known to be at `installed`. */
	const conclude = (installed: InstalledAbility, isSentEnabled: boolean, error?: SwitchboardError): readonly ToggleOutcome[] => {
		const {id, isEnabled} = installed;
		const {isWantedEnabled} = intents.get(id)!;
		if (isWantedEnabled !== isEnabled && isWantedEnabled !== isSentEnabled) {
			put(id, {installed, isWantedEnabled, isSent: false});
			waiting = new Set([id, ...waiting]);
			return [];
		}

		return [error === undefined ? settled(installed) : failed(installed, error, error.isOutcomeUnknown && isEnabled === undefined)];
	};

	const report = (outcomes: readonly ToggleOutcome[]): void => {
		if (outcomes.length === 0) {
			return;
		}

		notify();
		options.onOutcomes(outcomes);
	};

	const checkLost = async (lost: readonly LostAnswer[]): Promise<void> => {
		let isRead = true;
		try {
			await options.readAgain();
		} catch {
			isRead = false;
		}

		report(lost.flatMap(({installed, isSentEnabled, result: error}) => {
			const found = options.find(installed.id);
			if (!isRead) {
				return failed(found ?? installed, error, error.isOutcomeUnknown);
			}

			return found === undefined ? gone(installed.id) : conclude(found, isSentEnabled, error);
		}));
		startWaiting();
	};

	const handleAnswers = (): void => {
		const handled = answers;
		answers = [];
		options.settle(handled.flatMap(({result}) => result instanceof SwitchboardError ? [] : [result]));
		report(handled.filter(answer => !isLost(answer)).flatMap(({installed, isSentEnabled, result}) =>
			// Presses since a refused request that ended where it would have led ask for no second one.
			result instanceof SwitchboardError ? failed(options.find(installed.id) ?? installed, result) : conclude(result, isSentEnabled)));
		const lost = handled.filter(answer => isLost(answer));
		if (lost.length > 0) {
			void checkLost(lost);
		}

		if (handled.some(answer => answer.result instanceof SwitchboardError && answer.result.kind === 'unreachable' && !isLost(answer))) {
			options.recheckList();
		}

		startWaiting();
	};

	const handleSoon = options.throttle?.(handleAnswers) ?? handleAnswers;

	const send = async (installed: InstalledAbility, isEnabled: boolean): Promise<void> => {
		waiting.delete(installed.id);
		put(installed.id, {installed, isWantedEnabled: isEnabled, isSent: true});
		inFlightCount++;
		let result: Answer['result'];
		try {
			result = await options.setEnabled(installed, isEnabled);
		} catch (error) {
			result = toSwitchboardError(error);
		}

		inFlightCount--;
		answers.push({installed, isSentEnabled: isEnabled, result});
		handleSoon();
		// The answer may be handled later; its slot is free now.
		startWaiting();
	};

	/** Fills the free request slots from what waits, and looks no further. */
	const startWaiting = (): void => {
		if (waiting.size > 0 && !options.isListFresh()) {
			options.requestList();
			return;
		}

		const outcomes: ToggleOutcome[] = [];
		for (const id of waiting) {
			if (inFlightCount === maximumInFlight) {
				break;
			}

			const installed = options.find(id);
			const {isWantedEnabled} = intents.get(id)!;
			if (installed === undefined) {
				outcomes.push(gone(id));
			} else if (installed.isEnabled === isWantedEnabled) {
				outcomes.push(settled(installed));
			} else {
				void send(installed, isWantedEnabled);
			}
		}

		report(outcomes);
	};

	return {
		subscribe,
		getIntents() {
			snapshot ??= new Map(intents);
			return snapshot;
		},
		setAll(targets) {
			for (const {id, isEnabled} of targets) {
				const intent = intents.get(id);
				const installed = options.find(id);
				if (intent !== undefined) {
					put(id, {...intent, isWantedEnabled: isEnabled});
				} else if (installed !== undefined && installed.isEnabled !== isEnabled) {
					put(id, {installed, isWantedEnabled: isEnabled, isSent: false});
					waiting.add(id);
				}
			}

			notify();
			startWaiting();
		},
		handleFreshList: startWaiting,
		handleUnreadableList(error) {
			// What waits for a request slot needs no other list.
			if (!options.isListFresh()) {
				report([...waiting].map(id => failed(intents.get(id)!.installed, error)));
			}
		},
		catchUp: handleAnswers,
		async whenIdle() {
			const {promise, resolve} = Promise.withResolvers<void>();
			const look = (): void => {
				if (intents.size === 0) {
					resolve();
				}
			};

			const unsubscribe = subscribe(look);
			look();
			await promise;
			unsubscribe();
		},
	};
};
