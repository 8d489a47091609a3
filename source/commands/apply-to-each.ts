import pMap from 'p-map';
import {toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';
import {notSent, type ItemOutcome} from './item-outcome.ts';

/** Enough to hide the latency of the network, few enough not to burden the service. */
const requestsAtATime = 4;

/**
Does the same to each item, a few at a time, and goes on if one fails; a progress line counts them. After a signal, or when
the time is up, no other item is begun.

@param action - must stop when the `writeSignal` of the context is aborted.
@param doing - what is done to the items, for the progress line, such as `Switching`.
@returns the outcomes of all items, in the order of the items.
*/
export const applyToEach = async <Item extends {readonly name: string}, Result>(
	{writeSignal, showProgress}: Context,
	items: readonly Item[],
	{action, doing}: {readonly action: (item: Item) => Promise<Result>; readonly doing: string},
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	let finished = 0;
	const showFinished = (): void => {
		showProgress(items.length === 1 ? `${doing} ${items[0]!.name} …` : `${doing}: ${finished} of ${items.length} …`);
	};

	const apply = async (item: Item): Promise<ItemOutcome<Item, Result>> => {
		try {
			return {item, result: await action(item)};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isCut = writeSignal.aborted && ['interrupted', 'timeout'].includes(error.kind);
			return isCut && !error.isOutcomeUnknown ? notSent(item, writeSignal) : {item, error};
		}
	};

	showFinished();
	return pMap(items, async item => {
		if (writeSignal.aborted) {
			return notSent(item, writeSignal);
		}

		const outcome = await apply(item);
		finished++;
		showFinished();
		return outcome;
	}, {concurrency: requestsAtATime});
};
