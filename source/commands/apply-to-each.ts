import pMap from 'p-map';
import {toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';
import {notSent, type ItemOutcome} from './item-outcome.ts';
import {createStatusLine} from './output/status-line.ts';

/** Enough to hide the latency of the network, few enough not to burden the service. */
const requestsAtATime = 4;

/**
Does the same to each item, a few at a time, and goes on if one fails; a progress line counts them. After a signal no other
item is begun.

@param action - must stop when the signal of the context is aborted.
@returns the outcomes of all items, in the order of the items.
*/
export const applyToEach = async <Item, Result>(
	{signal}: Context,
	items: readonly Item[],
	action: (item: Item) => Promise<Result>,
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	const statusLine = createStatusLine();
	let finished = 0;

	const apply = async (item: Item): Promise<ItemOutcome<Item, Result>> => {
		try {
			return {item, result: await action(item)};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			return error.kind === 'interrupted' && !error.isOutcomeUnknown ? notSent(item) : {item, error};
		}
	};

	const outcomes = await pMap(items, async item => {
		if (signal.aborted) {
			return notSent(item);
		}

		const outcome = await apply(item);
		finished++;
		if (items.length > 1) {
			statusLine.show(`${finished} of ${items.length} …`);
		}

		return outcome;
	}, {concurrency: requestsAtATime});
	statusLine.clear();
	return outcomes;
};
