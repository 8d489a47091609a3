import {SwitchboardError} from '../interface/errors.ts';

export type FailedItem<Item> = {
	readonly item: Item;
	readonly error: SwitchboardError;
	/** If the outcome is unknown, the item as a list showed it afterwards. */
	readonly seen?: Item | undefined;
	/** True if the command ended before the item was sent. */
	readonly isNotSent?: boolean;
};

/** The outcome of one item of several. */
export type ItemOutcome<Item, Result> = FailedItem<Item> | {readonly item: Item; readonly result: Result};

/** Why an item is not done: it failed, the command ended before it was sent, or its outcome is unknown. */
export const failureStatus = ({error: {isOutcomeUnknown}, isNotSent}: FailedItem<unknown>): 'failed' | 'not sent' | 'not known' =>
	isOutcomeUnknown ? 'not known' : (isNotSent ? 'not sent' : 'failed');

/**
The outcome of an item that was not sent before the command ended.

@param signal - was aborted by the end: by a signal to the process, or because the time of `--timeout` was up.
*/
export const notSent = <Item>(item: Item, {reason}: AbortSignal): FailedItem<Item> => ({
	item,
	isNotSent: true,
	error: reason instanceof SwitchboardError && reason.kind === 'timeout'
		? new SwitchboardError('timeout', 'Not sent: the time of the command was up first.', {nextStep: reason.nextStep})
		: new SwitchboardError('interrupted', 'Not sent: the command was interrupted first.'),
});
