import type {ResourceList} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';
import type {FailedItem, ItemOutcome} from './each.ts';

/** However long an answer may take, nobody waits longer for the look at a list after all answers. */
const maximumMilliseconds = 5000;

/**
The list as it is now, after writes whose answers never came; nothing where it cannot be read in the time that one answer
may take, 5 s at most, or where a signal ends the command, which makes no new request.
*/
export const readListAfterwards = async <Record_>(
	{signal, options}: Context,
	read: (signal: AbortSignal) => Promise<ResourceList<Record_>>,
): Promise<ResourceList<Record_> | undefined> => {
	const limit = Math.min(options.timeoutMilliseconds ?? maximumMilliseconds, maximumMilliseconds);
	try {
		return await read(AbortSignal.any([signal, AbortSignal.timeout(limit)]));
	} catch {
		return undefined;
	}
};

/**
Looks up what became of items whose outcome is not known: all of them in one list, at the end.

@param isOpen - whether the list may say more than the error does.
@param judge - the outcome of such an item after the look at the list, or at nothing where that could not be read.
*/
export const resolveUncertain = async <Item, Result>(
	context: Context,
	outcomes: ReadonlyArray<ItemOutcome<Item, Result>>,
	{read, judge, isOpen = ({isOutcomeUnknown}) => isOutcomeUnknown}: {
		readonly read: (signal: AbortSignal) => Promise<ResourceList<Item>>;
		readonly judge: (failed: FailedItem<Item>, list: ResourceList<Item> | undefined) => ItemOutcome<Item, Result>;
		readonly isOpen?: (error: SwitchboardError) => boolean;
	},
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	if (outcomes.every(outcome => !('error' in outcome && isOpen(outcome.error)))) {
		return outcomes;
	}

	const list = await readListAfterwards(context, read);
	return outcomes.map(outcome => 'error' in outcome && isOpen(outcome.error) ? judge(outcome, list) : outcome);
};

/**
The error of a write whose outcome is not known, with what is known of it.

@param seen - a whole sentence: what the list shows, or that nothing was seen.
@param nextStep - how to find out.
*/
export const unknownOutcomeError = (error: SwitchboardError, seen: string, nextStep: string | undefined): SwitchboardError =>
	// What a signal cut off failed by nothing else.
	new SwitchboardError(error.kind, error.kind === 'interrupted' ? seen : `${error.message} ${seen}`, {
		nextStep, status: error.status, isOutcomeUnknown: true, cause: error,
	});

type Write<T> = {
	readonly write: (signal: AbortSignal) => Promise<T>;
	/** Said where a signal came as it was done. */
	readonly ifDone: string;
	/** Said where a signal came before the answer: the write may have been carried out all the same. */
	readonly ifUnknown: string;
	/** Said where a signal came before anything was sent. */
	readonly ifNotSent: string;
};

/** Makes one write; where a signal ends the command before the answer, the person is told what is known of it. */
export const writeOnce = async <T>({signal, note, finishBeforeExit: letEnd}: Context, {write, ifDone, ifUnknown, ifNotSent}: Write<T>): Promise<T> => {
	const tellIfCut = async (): Promise<T> => {
		try {
			const result = await write(signal);
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

	return letEnd(tellIfCut());
};
