import {SwitchboardError} from '../interface/errors.ts';

export type FailedItem<Item> = {
	readonly item: Item;
	readonly error: SwitchboardError;
	/** If the outcome is unknown, the item as a list showed it afterwards. */
	readonly seen?: Item | undefined;
};

/** The outcome of one item of several. */
export type ItemOutcome<Item, Result> = FailedItem<Item> | {readonly item: Item; readonly result: Result};

/** Why an item is not done: it failed, a signal came before it was sent, or its outcome is unknown. */
export const failureStatus = ({error: {kind, isOutcomeUnknown}}: FailedItem<unknown>): 'failed' | 'not sent' | 'not known' =>
	isOutcomeUnknown ? 'not known' : (kind === 'interrupted' ? 'not sent' : 'failed');

/** The outcome of an item that was not sent before a signal ended the command. */
export const notSent = <Item>(item: Item): FailedItem<Item> => ({item, error: new SwitchboardError('interrupted', 'Not sent: the command was interrupted first.')});
