import type {ResourceList} from '../client/client.ts';
import {type SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';
import type {FailedItem, ItemOutcome} from './item-outcome.ts';

/** The longest wait for what the service has now. */
const maximumMilliseconds = 5000;

/**
Reads what the service has now, after writes that got no answer. Returns `undefined` if that cannot be read within what is left of
`--timeout` (at most 5 s), or if a signal has ended the command, which then sends no new request.
*/
export const readAfterwards = async <Result>({readSignal, showProgress}: Context, read: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
	showProgress('No answer came; looking for the outcome …');
	try {
		return await read(AbortSignal.any([readSignal, AbortSignal.timeout(maximumMilliseconds)]));
	} catch {
		return undefined;
	}
};

/**
Looks up the items whose outcome is unknown, all in one list.

@param isUncertain - true for an error that the list may clear up.
@param judge - returns the outcome of such an item, given the list; `undefined` if it could not be read.
*/
export const resolveUncertain = async <Item, Result, Listed = Item>(
	context: Context,
	outcomes: ReadonlyArray<ItemOutcome<Item, Result>>,
	{read, judge, isUncertain = ({isOutcomeUnknown}) => isOutcomeUnknown}: {
		readonly read: (signal: AbortSignal) => Promise<ResourceList<Listed>>;
		readonly judge: (failed: FailedItem<Item>, list: ResourceList<Listed> | undefined) => ItemOutcome<Item, Result>;
		readonly isUncertain?: (error: SwitchboardError) => boolean;
	},
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	if (outcomes.every(outcome => !('error' in outcome && isUncertain(outcome.error)))) {
		return outcomes;
	}

	const list = await readAfterwards(context, read);
	return outcomes.map(outcome => 'error' in outcome && isUncertain(outcome.error) ? judge(outcome, list) : outcome);
};

type Write<T> = {
	readonly write: () => Promise<T>;
	/** The note if a signal came, but the write is done. */
	readonly ifDone: string;
	/** The note if a signal came before the answer: the write may still have been carried out. */
	readonly ifUnknown: string;
	/** The note if a signal came before anything was sent. */
	readonly ifNotSent: string;
};

/** Sends one write, which must stop when the `writeSignal` of the context is aborted; if a signal ends the command before the answer, prints a note about the outcome. */
export const writeOnce = async <T>({signal, note, finishBeforeExit}: Context, {write, ifDone, ifUnknown, ifNotSent}: Write<T>): Promise<T> => {
	const writeAndNote = async (): Promise<T> => {
		try {
			const result = await write();
			if (signal.aborted) {
				note(ifDone);
			}

			return result;
		} catch (error) {
			if (signal.aborted) {
				note(toSwitchboardError(error).isOutcomeUnknown ? ifUnknown : ifNotSent);
			}

			throw error;
		}
	};

	return finishBeforeExit(writeAndNote());
};
