import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {createObservable, type Observable} from '../observable.ts';
import {
	type Intent,
	type Intents,
	type SwitchTarget,
	type ToggleFailure,
	type ToggleOutcome,
} from './intents.ts';

export type ToggleQueueOptions = {
	/** The newest record of the list. */
	find(id: number): InstalledAbility | undefined;
	/** True if the list was read in this run, so that its records may be sent back. */
	isListFresh(): boolean;
	setEnabled(installed: InstalledAbility, isEnabled: boolean): Promise<InstalledAbility>;
	/** Stores settled records where `find` and the screens read them. A read under way is older and must not replace them. */
	settle(records: readonly InstalledAbility[]): void;
	/** Reads the list now, even if a read is under way. Rejects if that fails. */
	readAgain(): Promise<void>;
	/** Requests the first list of this run, unless a read is under way. */
	requestList(): void;
	/** The service was unreachable: the list may be older than the screens say. */
	recheckList(): void;
	/** Called once for all outcomes of the same moment. */
	onOutcomes(outcomes: readonly ToggleOutcome[]): void;
	/** Limits how often answers are handled, so that many are drawn together; by default each is handled at once. */
	throttle?(handle: () => void): () => void;
};

export type ToggleQueue = Pick<Observable<Intents>, 'subscribe'> & {
	getIntents(): Intents;
	/** Requests a state for each, even if the service does not show the current one. */
	setAll(targets: readonly SwitchTarget[]): void;
	/** A list of this run has arrived: what waited for it is sent. */
	handleFreshList(): void;
	/** The list could not be read: what waited for it fails. */
	handleUnreadableList(error: SwitchboardError): void;
	/** Handles the answers that have come, without waiting for the throttle. */
	catchUp(): void;
	/** Resolves when no intent is left. */
	whenIdle(): Promise<void>;
};

type Answer = {
	/** The record as it was sent. */
	readonly installed: InstalledAbility;
	readonly isSentEnabled: boolean;
	readonly result: InstalledAbility | SwitchboardError;
};

/** An answer that leaves the outcome unknown; the list tells. */
type LostAnswer = Answer & {readonly result: SwitchboardError};

/** Many at once are sent a few at a time. */
const maximumInFlight = 4;

const isLost = (answer: Answer): answer is LostAnswer =>
	answer.result instanceof SwitchboardError && (answer.result.isOutcomeUnknown || answer.result.kind === 'not-found');

/**
Each installed ability has at most one request in flight; key presses in the meantime fold into one last intent
(`DESIGN.md`, the main trip). Nothing is resent automatically: one request per intent. An answer costs the same however many
wait.
*/
export const createToggleQueue = (options: ToggleQueueOptions): ToggleQueue => {
	const intents = new Map<number, Intent>();
	/** `intents` as the screens see them. */
	const published = createObservable<Intents>(new Map());
	/** Ids of the intents that are not sent yet, in their order. */
	let waiting = new Set<number>();
	let answers: Answer[] = [];
	/** Not reported yet. */
	let outcomes: ToggleOutcome[] = [];
	let inFlightCount = 0;

	const end = (outcome: ToggleOutcome): void => {
		const {id} = outcome.installed;
		intents.delete(id);
		waiting.delete(id);
		outcomes.push(outcome);
	};

	const fail = (installed: InstalledAbility, error: SwitchboardError, how: Partial<Pick<ToggleFailure, 'isOutcomeUnknown' | 'isGone'>> = {}): void => {
		const {isWantedEnabled} = intents.get(installed.id)!;
		const failure: ToggleFailure = {
			installed, isWantedEnabled, error, isOutcomeUnknown: false, ...how,
		};
		// If the intent was folded back to the service's state, nothing failed.
		const isFoldedBack = isWantedEnabled === installed.isEnabled && !failure.isOutcomeUnknown && !failure.isGone;
		end(isFoldedBack ? {installed} : {installed, failure});
	};

	/** The service no longer lists the record. */
	const failGone = (id: number): void => {
		const {installed} = intents.get(id)!;
		fail(installed, new SwitchboardError('not-found', `${installed.name} is no longer installed.`), {isGone: true});
	};

	/** The service's state is known now: ends the intent, or queues what was requested in the meantime. */
	const conclude = (installed: InstalledAbility, isSentEnabled: boolean, error?: SwitchboardError): void => {
		const {id, isEnabled} = installed;
		const {isWantedEnabled} = intents.get(id)!;
		if (isWantedEnabled !== isEnabled && isWantedEnabled !== isSentEnabled) {
			intents.set(id, {installed, isWantedEnabled, isSent: false});
			waiting = new Set([id, ...waiting]);
		} else if (error === undefined) {
			end({installed});
		} else {
			fail(installed, error, {isOutcomeUnknown: error.isOutcomeUnknown && isEnabled === undefined});
		}
	};

	const send = async (installed: InstalledAbility, isEnabled: boolean): Promise<void> => {
		waiting.delete(installed.id);
		intents.set(installed.id, {installed, isWantedEnabled: isEnabled, isSent: true});
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
		// Its slot is free already, even if the answer is handled later.
		fillSlots();
	};

	/** Sends what waits, as far as there are free request slots, and looks no further. */
	const fillSlots = (): void => {
		if (waiting.size > 0 && !options.isListFresh()) {
			options.requestList();
			return;
		}

		for (const id of waiting) {
			if (inFlightCount === maximumInFlight) {
				break;
			}

			const installed = options.find(id);
			const {isWantedEnabled} = intents.get(id)!;
			if (installed === undefined) {
				failGone(id);
			} else if (installed.isEnabled === isWantedEnabled) {
				end({installed});
			} else {
				void send(installed, isWantedEnabled);
			}
		}
	};

	/** Goes on with what waits, and reports everything that has changed. */
	const proceed = (): void => {
		fillSlots();
		published.set(new Map(intents));
		const reported = outcomes;
		outcomes = [];
		if (reported.length > 0) {
			options.onOutcomes(reported);
		}
	};

	const checkLost = async (lost: readonly LostAnswer[]): Promise<void> => {
		let isRead = true;
		try {
			await options.readAgain();
		} catch {
			isRead = false;
		}

		for (const {installed, isSentEnabled, result: error} of lost) {
			const found = options.find(installed.id);
			if (!isRead) {
				fail(found ?? installed, error, {isOutcomeUnknown: error.isOutcomeUnknown});
			} else if (found === undefined) {
				failGone(installed.id);
			} else {
				conclude(found, isSentEnabled, error);
			}
		}

		proceed();
	};

	const handleAnswers = (): void => {
		const lost = answers.filter(answer => isLost(answer));
		const known = answers.filter(answer => !isLost(answer));
		answers = [];
		options.settle(known.flatMap(({result}) => result instanceof SwitchboardError ? [] : [result]));
		for (const {installed, isSentEnabled, result} of known) {
			if (result instanceof SwitchboardError) {
				// If later presses ended at the state that this request wanted, no second one is sent.
				fail(options.find(installed.id) ?? installed, result);
			} else {
				conclude(result, isSentEnabled);
			}
		}

		if (lost.length > 0) {
			void checkLost(lost);
		}

		if (known.some(({result}) => result instanceof SwitchboardError && result.kind === 'unreachable')) {
			options.recheckList();
		}

		proceed();
	};

	const handleSoon = options.throttle?.(handleAnswers) ?? handleAnswers;

	return {
		subscribe: published.subscribe,
		getIntents: published.get,
		setAll(targets) {
			for (const {id, isEnabled} of targets) {
				const intent = intents.get(id);
				const installed = options.find(id);
				if (intent !== undefined) {
					intents.set(id, {...intent, isWantedEnabled: isEnabled});
				} else if (installed !== undefined && (installed.isEnabled !== isEnabled || !options.isListFresh())) {
					// A list of an earlier run may be wrong about the state: what is wanted waits for a new one.
					intents.set(id, {installed, isWantedEnabled: isEnabled, isSent: false});
					waiting.add(id);
				}
			}

			proceed();
		},
		handleFreshList() {
			if (waiting.size > 0) {
				proceed();
			}
		},
		handleUnreadableList(error) {
			// What waits for a request slot needs no other list.
			if (waiting.size === 0 || options.isListFresh()) {
				return;
			}

			for (const id of waiting) {
				fail(intents.get(id)!.installed, error);
			}

			proceed();
		},
		catchUp() {
			if (answers.length > 0) {
				handleAnswers();
			}
		},
		async whenIdle() {
			while (intents.size > 0) {
				const {promise, resolve} = Promise.withResolvers<void>();
				const unsubscribe = published.subscribe(resolve);
				await promise;
				unsubscribe();
			}
		},
	};
};
