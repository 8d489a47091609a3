import process from 'node:process';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';
import {tellWhatIsUnknown} from './unknown-outcome.ts';

/** What became of one item of several. */
export type ItemOutcome<Item, Result> =
	| {readonly item: Item; readonly result: Result}
	| {readonly item: Item; readonly error: SwitchboardError};

/** Enough to hide the line's latency, few enough to be no burden on the service. */
const requestsAtATime = 4;

const clearLine = '\r\u{1B}[K';

/** Counts on standard error while several requests are made, where that is a terminal. */
const createProgress = (total: number) => {
	const isShown = process.stderr.isTTY && total > 1;
	return {
		show(count: number) {
			if (isShown) {
				process.stderr.write(`${clearLine}${count} of ${total} …`);
			}
		},
		end() {
			if (isShown) {
				process.stderr.write(clearLine);
			}
		},
	};
};

/**
Does the same to each item, a few at a time, and goes on where one fails. Where the command is ended meanwhile, it says
which items had been started: what became of them is not known.

@returns the outcomes in the order of the items.
*/
export const applyToEach = async <Item extends {readonly name: string}, Result>(
	context: Context,
	items: readonly Item[],
	action: (item: Item) => Promise<Result>,
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	const outcomes: Array<ItemOutcome<Item, Result>> = [];
	const underWay = new Set<Item>();
	const progress = createProgress(items.length);
	let next = 0;
	let finished = 0;

	const work = async (): Promise<void> => {
		while (next < items.length && !context.signal.aborted) {
			const index = next++;
			const item = items[index]!;
			underWay.add(item);
			try {
				outcomes[index] = {item, result: await action(item)};
			} catch (error) {
				outcomes[index] = {item, error: toSwitchboardError(error)};
			}

			underWay.delete(item);
			progress.show(++finished);
		}
	};

	await tellWhatIsUnknown(context, () => {
		progress.end();
		return underWay.size === 0 ? undefined : `It is not known what became of: ${[...underWay].map(({name}) => name).join(', ')}.`;
	}, async () => Promise.all(Array.from({length: Math.min(requestsAtATime, items.length)}, work)));
	progress.end();
	return outcomes;
};

/**
Ends the command as its items ended: quietly where all went well, with the item's own error where it was the only one,
else with `some-failed`.
*/
export const throwFailures = (outcomes: ReadonlyArray<ItemOutcome<unknown, unknown>>): void => {
	const errors = outcomes.flatMap(outcome => 'error' in outcome ? [outcome.error] : []);
	if (errors[0] === undefined) {
		return;
	}

	throw outcomes.length === 1
		? errors[0]
		: new SwitchboardError('some-failed', `${errors.length} of ${outcomes.length} failed.`, {nextStep: 'Run the command again for those.'});
};
