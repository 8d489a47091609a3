import {SwitchboardError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {rawName} from '../interface/records.ts';
import {isForPerson, type Context} from './context.ts';
import {noteDryRun} from './dry-run.ts';
import {failureStatus, type ItemOutcome} from './item-outcome.ts';
import {toPublicError} from './report-error.ts';

/** What does not exist yet has no id. */
type Reportable = {readonly id: number | undefined; readonly name: string; readonly raw: JsonObject};

type ItemReport<Item, Result> = {
	/** The JSON field of the id. */
	readonly idField: string;
	/** The JSON fields after id and name. */
	readonly toJson: (outcome: ItemOutcome<Item, Result>) => JsonObject;
	/** The tab-separated fields for a pipe. */
	readonly toFields: (outcome: ItemOutcome<Item, Result>) => ReadonlyArray<string | number>;
	/** What a person reads about an item that did not fail; `undefined` for nothing. */
	readonly toSentence: (item: Item, result: Result) => string | undefined;
};

/** Prints the outcome of each item, or what it would be. Explains failures on standard error, unless the error that ends the command does. */
export const reportItems = async <Item extends Reportable, Result>(
	context: Context,
	outcomes: ReadonlyArray<ItemOutcome<Item, Result>>,
	{idField, toJson, toFields, toSentence}: ItemReport<Item, Result>,
): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson(outcomes.map(outcome => ({
			[idField]: outcome.item.id ?? null,
			name: rawName(outcome.item),
			...toJson(outcome),
			...('error' in outcome && {error: toPublicError(outcome.error)}),
		})));
		noteDryRun(context);
		return;
	}

	for (const outcome of outcomes) {
		const sentence = 'result' in outcome ? toSentence(outcome.item, outcome.result) : undefined;
		if (!isForPerson(context)) {
			context.print(toFields(outcome).join('\t'));
		} else if (sentence !== undefined) {
			context.print(sentence);
		}
	}

	for (const outcome of outcomes) {
		if ('error' in outcome && (outcomes.length > 1 || context.signal.aborted)) {
			context.note(`${outcome.item.name}: ${outcome.error.message}`);
		}
	}

	noteDryRun(context);
};

/** Counts outcomes: “2 switched, 1 not known.” */
const summarize = <Result>(outcomes: ReadonlyArray<ItemOutcome<unknown, Result>>, wordOf: (result: Result) => string, doneWord: string): string => {
	const counts = new Map([[doneWord, 0]]);
	for (const outcome of outcomes) {
		const word = 'error' in outcome ? failureStatus(outcome) : wordOf(outcome.result);
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}

	return `${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}.`;
};

type FailureWords<Result> = {
	/** What the command does to an item, such as `switched`. */
	readonly doneWord: string;
	/** What it did to this one, which may be less. */
	readonly wordOf: (result: Result) => string;
	/** What to do about the items that failed. */
	readonly nextStep: string;
};

/** If items failed, throws the error of the only item, or `some-failed` for several. */
export const throwFailures = <Result>(outcomes: ReadonlyArray<ItemOutcome<unknown, Result>>, {doneWord, wordOf, nextStep}: FailureWords<Result>): void => {
	const failed = outcomes.filter(outcome => 'error' in outcome);
	if (failed[0] === undefined) {
		return;
	}

	if (outcomes.length === 1) {
		throw failed[0].error;
	}

	// A next step that all items share says more than the general one.
	const [ownStep, ...otherSteps] = new Set(failed.map(({error}) => error.nextStep));
	const statuses = new Set(failed.map(outcome => failureStatus(outcome)));
	const areAllKnown = statuses.size === 1 && statuses.has('failed');
	// What may still arrive is to be looked up, not to be sent again.
	const areAllUnknown = statuses.size === 1 && statuses.has('not known');
	throw new SwitchboardError(
		'some-failed',
		areAllKnown ? `${failed.length} of ${outcomes.length} failed.` : summarize(outcomes, wordOf, doneWord),
		{nextStep: otherSteps.length === 0 && ownStep !== undefined && (areAllKnown || areAllUnknown) ? ownStep : nextStep},
	);
};
