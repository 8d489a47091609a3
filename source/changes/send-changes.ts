import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';

/*
The one way in which several changes are sent: a few at a time and past failures, until a signal stops it. Changes whose answer was lost are
looked up in a list that is read once afterwards; the queue of toggles, in which intents change meanwhile, looks its own up.
*/

/** A record that came or went beside a change, with the name as the service has it. */
export type Noticed = {readonly kind: 'appeared' | 'disappeared'; readonly name: string; readonly id: number};

type Beside = {readonly noticed?: readonly Noticed[]};

export type FailedChange<Item> = Beside & {
	readonly item: Item;
	readonly error: SwitchboardError;
	/** If the outcome is unknown, or there was no effect: the item as the list showed it afterwards. */
	readonly seen?: Item | undefined;
	readonly isNotSent?: boolean;
};

export type ChangeOutcome<Item, Result> = FailedChange<Item> | (Beside & {readonly item: Item; readonly result: Result});

/** Enough to hide the latency of the network, few enough not to burden the service. */
export const changesAtATime = 4;

/** Returns the status of a change that is not done: it failed, was not sent, or has an unknown outcome. */
export function failureStatus({error: {isOutcomeUnknown}, isNotSent}: FailedChange<unknown>): 'failed' | 'not sent' | 'not known' {
	return isOutcomeUnknown ? 'not known' : isNotSent ? 'not sent' : 'failed';
}

const isOutcomeUnknown = (error: SwitchboardError): boolean => error.isOutcomeUnknown;

/**
Returns the outcome of a change that was not sent.

@param signal - was aborted: by a signal to the process, or because the time of `--timeout` was up.
*/
export function notSent<Item>(item: Item, {reason}: AbortSignal): FailedChange<Item> {
	return {
		item,
		isNotSent: true,
		error:
			reason instanceof SwitchboardError && reason.kind === 'timeout'
				? new SwitchboardError('timeout', 'Not sent: the time of the command was up first.', {nextStep: reason.nextStep})
				: new SwitchboardError('interrupted', 'Not sent: the command was interrupted first.'),
	};
}

/** A change as a list shows it: done, not done, or `undefined` if the list does not show it. */
export type Finding<Item, Result> = NotDone<Item> | {readonly result: Result};

/** `isOvertaken` is true if the record is neither as it was before nor as it was changed: somebody else has changed it since. */
export type NotDone<Item> = {readonly seen?: Item; readonly sentence?: string; readonly isOvertaken?: boolean} | undefined;

/** @param isDone - whether the list shows the change; `undefined` if it does not show that. */
export function findingOf<Item, Result>(
	isDone: boolean | undefined,
	result: Result,
	seen?: Item,
	isOvertaken = false,
): Finding<Item, Result> {
	return isDone === undefined ? undefined : isDone ? {result} : {...(seen !== undefined && {seen}), isOvertaken};
}

/** Returns the finding for a record that a list does not have. */
export function missingFrom({isComplete}: {readonly isComplete: boolean}, name: string): NotDone<never> {
	return isComplete ? {sentence: `${name} is no longer in the list.`} : undefined;
}

type LookUp<Item, Result, List> = {
	/** Reads the list. If that fails, nothing is known. */
	readonly read: () => Promise<List | undefined>;
	readonly find: (item: Item, list: List) => Finding<Item, Result>;
	/** The error of a change that may still arrive. */
	readonly explain: (error: SwitchboardError, item: Item, finding: NotDone<Item>) => SwitchboardError;
	/** True for an error that the list may clear up; by default that of an unknown outcome. */
	readonly isUncertain?: (error: SwitchboardError) => boolean;
};

type Sending<Item, Result, List> = {
	/** Sends one change; must stop when the signal is aborted. */
	readonly send: (item: Item) => Promise<Result>;
	readonly signal?: AbortSignal;
	/** Called after each change with its outcome, before a look-up. */
	readonly onOutcome?: (outcome: ChangeOutcome<Item, Result>) => void;
	/** Left out if the sending itself clears lost answers up. */
	readonly lookUp?: LookUp<Item, Result, List> | undefined;
};

/** Sends changes. Never rejects; returns the outcome of each, in the order of the items. */
export async function sendChanges<Item, Result, List = never>(
	items: readonly Item[],
	{send, signal, onOutcome, lookUp}: Sending<Item, Result, List>,
): Promise<ReadonlyArray<ChangeOutcome<Item, Result>>> {
	const sendOne = async (item: Item): Promise<ChangeOutcome<Item, Result>> => {
		try {
			return {item, result: await send(item)};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isCut = signal?.aborted && ['interrupted', 'timeout'].includes(error.kind);
			return isCut && !error.isOutcomeUnknown ? notSent(item, signal) : {item, error};
		}
	};

	const sent: Array<ChangeOutcome<Item, Result>> = [];
	const entries = items.entries();
	const sendInTurn = async (): Promise<void> => {
		for (const [index, item] of entries) {
			if (signal?.aborted) {
				sent[index] = notSent(item, signal);
				continue;
			}

			sent[index] = await sendOne(item);
			onOutcome?.(sent[index]);
		}
	};

	// The first ones begin at once, so that leaving right afterwards waits for them.
	await Promise.all(Array.from({length: changesAtATime}, sendInTurn));
	return lookUp === undefined ? sent : lookUpLost(sent, lookUp);
}

/** Looks up the changes whose outcome is unknown, all in one list. */
async function lookUpLost<Item, Result, List>(
	outcomes: ReadonlyArray<ChangeOutcome<Item, Result>>,
	{read, find, explain, isUncertain = isOutcomeUnknown}: LookUp<Item, Result, List>,
): Promise<ReadonlyArray<ChangeOutcome<Item, Result>>> {
	if (outcomes.every(outcome => !('error' in outcome && isUncertain(outcome.error)))) {
		return outcomes;
	}

	// Without a list nothing is known of any of them.
	const list = await read().catch(() => undefined);
	return outcomes.map(outcome => {
		if (!('error' in outcome) || !isUncertain(outcome.error)) {
			return outcome;
		}

		const {item, error} = outcome;
		const finding = list === undefined ? undefined : find(item, list);
		if (finding !== undefined && 'result' in finding) {
			return {item, result: finding.result};
		}

		return error.isOutcomeUnknown ? {item, seen: finding?.seen, error: explain(error, item, finding)} : outcome;
	});
}

/** Sends one change; returns its result, or throws its error. */
export async function sendChange<Result, List>(sending: Sending<undefined, Result, List>): Promise<Result> {
	const [outcome] = await sendChanges([undefined], sending);
	if ('error' in outcome!) {
		throw outcome.error;
	}

	return outcome!.result;
}
