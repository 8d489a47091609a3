import {changesAtATime, sendChanges, type ChangeOutcome, type FailedChange} from '../../changes/send-changes.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {createObservable, when} from '../observable.ts';

export type SwitchTarget = {readonly id: number; readonly isEnabled: boolean};

/** A state that a person requested for an installed ability, and the service has not confirmed yet. */
export type Intent = {
	/** The record as it was known when the change was requested. */
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** False while it waits for the first list of this run or for a free request slot. */
	readonly isSent: boolean;
};

/** By the id of the record. */
export type Intents = ReadonlyMap<number, Intent>;

/** A change that failed, or whose outcome is unknown: the row shows what the service said last. */
export type ToggleFailure = {
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** Its own `isOutcomeUnknown` is true if no answer came: then the change may still arrive, whatever the list shows. */
	readonly error: SwitchboardError;
	/** True if the list does not show whether the change was made either. */
	readonly isOutcomeUnknown: boolean;
	/** True if the list shows that it is no longer installed. */
	readonly isGone?: boolean;
};

/** How an intent ended. */
export type ToggleOutcome = {
	/** The record as the service has it now. */
	readonly installed: InstalledAbility;
	readonly failure?: ToggleFailure;
	/** True if nothing was sent: it was taken back before, or the list showed it so already. */
	readonly isUnsent?: boolean;
};

/** The state that the screen shows: the one requested last, or the service's last one; `undefined` if the service doesn't show it. */
export const isShownEnabled = (installed: InstalledAbility, intents: Intents): boolean | undefined =>
	intents.get(installed.id)?.isWantedEnabled ?? installed.isEnabled;

/** True if the list did not show the change, but it may still arrive. */
export const isLate = ({error, isOutcomeUnknown}: Pick<ToggleFailure, 'error' | 'isOutcomeUnknown'>): boolean =>
	error.isOutcomeUnknown && !isOutcomeUnknown;

/** The error of a switch that was answered with 2xx while the service still has the former state. */
export const noEffect = (isEnabled: boolean | undefined): SwitchboardError =>
	new SwitchboardError('no-effect', `The service said yes, but still says ${stateWord(isEnabled)}.`);

/** Why a change failed, for the details of its record. */
export const reasonText = (failure: ToggleFailure): string =>
	isLate(failure) ? `${failure.error.message} It may still arrive.` : failure.error.message;

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

/** A request, with the record as it was sent. */
type Sent = {readonly installed: InstalledAbility; readonly isSentEnabled: boolean};

/** An answer that leaves the outcome unknown; it is looked up in the list. */
const isLost = ({isOutcomeUnknown, kind}: SwitchboardError): boolean => isOutcomeUnknown || kind === 'not-found';

/**
Each installed ability has at most one request in flight; key presses in the meantime fold into one last intent.
Nothing is resent automatically: one request per intent. An answer costs the same however many wait.
*/
export const createToggleQueue = (options: ToggleQueueOptions) => {
	const intents = new Map<number, Intent>();
	/** `intents` as the screens see them. */
	const published = createObservable<Intents>(new Map());
	/** Ids of the intents that are not sent yet, in their order. */
	let waiting = new Set<number>();
	let answers: Array<ChangeOutcome<Sent, InstalledAbility>> = [];
	/** Not reported yet. */
	let outcomes: ToggleOutcome[] = [];
	let inFlightCount = 0;
	/** Ids of the intents for which a request was sent. */
	const sentIds = new Set<number>();
	/** Ids of the records whose state the list may not show: the outcome of a change is unknown, and no list was read since. */
	const doubtful = new Set<number>();

	/** Ends an intent. If it was folded back to the service's state, nothing failed. */
	const end = (
		installed: InstalledAbility,
		error?: SwitchboardError,
		how: Partial<Pick<ToggleFailure, 'isOutcomeUnknown' | 'isGone'>> = {},
	): void => {
		const {id, isEnabled} = installed;
		const {isWantedEnabled} = intents.get(id)!;
		intents.delete(id);
		waiting.delete(id);
		const isUnsent = !sentIds.delete(id);
		if (error === undefined || (isWantedEnabled === isEnabled && !how.isOutcomeUnknown && !how.isGone)) {
			outcomes.push({installed, isUnsent});
			return;
		}

		const failure: ToggleFailure = {installed, isWantedEnabled, error, isOutcomeUnknown: false, ...how};
		if (failure.isOutcomeUnknown) {
			doubtful.add(id);
		}

		outcomes.push({installed, failure});
	};

	/** The service no longer lists the record. */
	const endGone = (id: number): void => {
		const {installed} = intents.get(id)!;
		end(installed, new SwitchboardError('not-found', `${installed.name} is no longer installed.`), {isGone: true});
	};

	/** The service's state is known now: ends the intent, or queues what was requested in the meantime. */
	const conclude = (installed: InstalledAbility, isSentEnabled: boolean, error?: SwitchboardError): void => {
		const {id, isEnabled} = installed;
		const {isWantedEnabled} = intents.get(id)!;
		if (isWantedEnabled !== isEnabled && isWantedEnabled !== isSentEnabled) {
			intents.set(id, {installed, isWantedEnabled, isSent: false});
			waiting = new Set([id, ...waiting]);
		} else {
			end(installed, error, {isOutcomeUnknown: error?.isOutcomeUnknown === true && isEnabled === undefined});
		}
	};

	const send = async (installed: InstalledAbility, isSentEnabled: boolean): Promise<void> => {
		waiting.delete(installed.id);
		sentIds.add(installed.id);
		intents.set(installed.id, {installed, isWantedEnabled: isSentEnabled, isSent: true});
		inFlightCount++;
		const [answer] = await sendChanges([{installed, isSentEnabled}], {send: async () => options.setEnabled(installed, isSentEnabled)});
		inFlightCount--;
		answers.push(answer!);
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
			if (inFlightCount === changesAtATime) {
				break;
			}

			const installed = options.find(id);
			const {isWantedEnabled} = intents.get(id)!;
			if (installed === undefined) {
				endGone(id);
			} else if (installed.isEnabled === isWantedEnabled) {
				end(installed);
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

	const checkLost = async (lost: ReadonlyArray<FailedChange<Sent>>): Promise<void> => {
		let isRead = true;
		try {
			await options.readAgain();
			doubtful.clear();
		} catch {
			isRead = false;
		}

		for (const {
			item: {installed, isSentEnabled},
			error,
		} of lost) {
			const found = options.find(installed.id);
			if (!isRead) {
				end(found ?? installed, error, {isOutcomeUnknown: error.isOutcomeUnknown || doubtful.has(installed.id)});
			} else if (found === undefined) {
				endGone(installed.id);
			} else {
				conclude(found, isSentEnabled, error);
			}
		}

		proceed();
	};

	const handleAnswers = (): void => {
		const lost: Array<FailedChange<Sent>> = [];
		const answered = answers;
		answers = [];
		options.settle(answered.flatMap(answer => ('result' in answer ? [answer.result] : [])));
		for (const answer of answered) {
			const {installed, isSentEnabled} = answer.item;
			if ('result' in answer) {
				doubtful.delete(installed.id);
				const {isEnabled} = answer.result;
				conclude(answer.result, isSentEnabled, isEnabled === isSentEnabled ? undefined : noEffect(isEnabled));
			} else if (isLost(answer.error) || doubtful.has(installed.id)) {
				lost.push(answer);
			} else {
				// If later presses ended at the state that this request wanted, no second one is sent.
				end(options.find(installed.id) ?? installed, answer.error);
			}
		}

		if (lost.length > 0) {
			void checkLost(lost);
		}

		if (answered.some(answer => 'error' in answer && answer.error.kind === 'unreachable' && !lost.includes(answer))) {
			options.recheckList();
		}

		proceed();
	};

	const handleSoon = options.throttle?.(handleAnswers) ?? handleAnswers;

	return {
		subscribe: published.subscribe,
		getIntents: published.get,
		/** Requests a state for each, even if the service does not show the current one. */
		setAll(targets: readonly SwitchTarget[]): void {
			for (const {id, isEnabled} of targets) {
				const intent = intents.get(id);
				const installed = options.find(id);
				if (installed?.isEnabled === isEnabled && waiting.has(id) && options.isListFresh()) {
					end(installed);
				} else if (intent !== undefined) {
					intents.set(id, {...intent, isWantedEnabled: isEnabled});
				} else if (installed !== undefined && (installed.isEnabled !== isEnabled || !options.isListFresh())) {
					// A list of an earlier run may be wrong about the state: what is wanted waits for a new one.
					intents.set(id, {installed, isWantedEnabled: isEnabled, isSent: false});
					waiting.add(id);
				}
			}

			proceed();
		},
		/** A list of this run has arrived: what waited for it is sent. */
		handleFreshList(): void {
			doubtful.clear();
			if (waiting.size > 0) {
				proceed();
			}
		},
		/** The list could not be read: what waited for it fails. */
		handleUnreadableList(error: SwitchboardError): void {
			// Changes that wait for a request slot need no other list.
			if (waiting.size === 0 || options.isListFresh()) {
				return;
			}

			for (const id of waiting) {
				end(intents.get(id)!.installed, error);
			}

			proceed();
		},
		/** Handles the answers that have come, without waiting for the throttle. */
		catchUp(): void {
			if (answers.length > 0) {
				handleAnswers();
			}
		},
		/** Resolves when no intent is left. */
		whenIdle: async (): Promise<void> => when(() => intents.size === 0, published.subscribe),
	};
};

export type ToggleQueue = ReturnType<typeof createToggleQueue>;
