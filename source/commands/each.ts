import process from 'node:process';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Context} from './context.ts';

export type FailedItem<Item> = {
	readonly item: Item;
	readonly error: SwitchboardError;
	/** The item as a list showed it afterwards, where what became of it is not known. */
	readonly seen?: Item | undefined;
};

/** What became of one item of several. */
export type ItemOutcome<Item, Result> = FailedItem<Item> | {readonly item: Item; readonly result: Result};

/** How an item ended that was not done: it failed, a signal came before it was sent, or nobody knows. */
export const failureStatus = ({error: {kind, isOutcomeUnknown}}: FailedItem<unknown>): 'failed' | 'not sent' | 'not known' =>
	isOutcomeUnknown ? 'not known' : (kind === 'interrupted' ? 'not sent' : 'failed');

/** The outcomes of items of which none was sent before a signal ended the command. */
export const notSent = <Item>(items: readonly Item[]): ReadonlyArray<FailedItem<Item>> =>
	items.map(item => ({item, error: new SwitchboardError('interrupted', 'Not sent: the command was interrupted first.')}));

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
Does the same to each item, a few at a time, and goes on where one fails. Once a signal comes, no other is begun.

@param action - to be cancelled by the signal of the context.
@returns the outcomes of all items, in their order.
*/
export const applyToEach = async <Item, Result>(
	{signal}: Context,
	items: readonly Item[],
	action: (item: Item) => Promise<Result>,
): Promise<ReadonlyArray<ItemOutcome<Item, Result>>> => {
	const outcomes: Array<ItemOutcome<Item, Result>> = [...notSent(items)];
	const progress = createProgress(items.length);
	let next = 0;
	let finished = 0;

	const work = async (): Promise<void> => {
		while (next < items.length && !signal.aborted) {
			const index = next++;
			const item = items[index]!;
			try {
				outcomes[index] = {item, result: await action(item)};
			} catch (error_) {
				const error = toSwitchboardError(error_);
				const wasCancelled = error.kind === 'interrupted' && !error.isOutcomeUnknown;
				outcomes[index] = wasCancelled ? outcomes[index]! : {item, error};
			}

			progress.show(++finished);
		}
	};

	await Promise.all(Array.from({length: Math.min(requestsAtATime, items.length)}, work));
	progress.end();
	return outcomes;
};

/**
Tells on standard error what became of each item that was not done, where the error that ends the command does not: of one
among several, or where that is the signal.
*/
export const noteFailures = ({signal, note}: Context, outcomes: ReadonlyArray<ItemOutcome<{readonly name: string}, unknown>>): void => {
	for (const outcome of outcomes) {
		if ('error' in outcome && (outcomes.length > 1 || signal.aborted)) {
			note(`${outcome.item.name}: ${outcome.error.message}`);
		}
	}
};

/** Says what is known of several items: “2 switched, 1 not known.” */
const summarize = <Result>(outcomes: ReadonlyArray<ItemOutcome<unknown, Result>>, wordOf: (result: Result) => string, doneWord: string): string => {
	const counts = new Map([[doneWord, 0]]);
	for (const outcome of outcomes) {
		const word = 'error' in outcome ? failureStatus(outcome) : wordOf(outcome.result);
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}

	return `${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}.`;
};

type FailureWords<Result> = {
	/** What a command does to an item, as `switched`. */
	readonly doneWord: string;
	/** What it did to this one, where that may be less. */
	readonly wordOf: (result: Result) => string;
	/** What to do about those that failed. */
	readonly nextStep: string;
};

/**
Ends the command as its items ended: quietly where all went well, with the item's own error where it was the only one,
else with `some-failed`.
*/
export const throwFailures = <Result>(outcomes: ReadonlyArray<ItemOutcome<unknown, Result>>, {doneWord, wordOf, nextStep}: FailureWords<Result>): void => {
	const failed = outcomes.filter(outcome => 'error' in outcome);
	if (failed[0] === undefined) {
		return;
	}

	if (outcomes.length === 1) {
		throw failed[0].error;
	}

	// What helps all of them helps better than what helps most.
	const [ownStep, ...otherSteps] = new Set(failed.map(({error}) => error.nextStep));
	const areAllKnown = failed.every(outcome => failureStatus(outcome) === 'failed');
	throw new SwitchboardError(
		'some-failed',
		areAllKnown ? `${failed.length} of ${outcomes.length} failed.` : summarize(outcomes, wordOf, doneWord),
		{nextStep: otherSteps.length === 0 && ownStep !== undefined && areAllKnown ? ownStep : nextStep},
	);
};
