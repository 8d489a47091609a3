import {failureStatus, notSent, sendChanges, type ChangeOutcome, type FailedChange, type LookUp} from '../changes/send-changes.ts';
import type {ResourceList} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {rawName, type Records, type Resource} from '../interface/records.ts';
import {limitRead, nameBefore, startCheck, type ChangeCheck, type Expectation} from './check-changes.ts';
import {isForPerson, noteDryRun, toPublicError, type Context} from './context.ts';
import {withService, type Service} from './with-service.ts';

/**
Reads what the service has now, after writes that got no answer. Returns `undefined` if that cannot be read within what is left of
`--timeout` (at most 5 s), or if a signal has ended the command, which then sends no new request.
*/
export const readAfterwards = async <Result>(
	context: Context,
	read: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> => {
	context.showProgress('No answer came; looking for the outcome …');
	try {
		return await read(limitRead(context));
	} catch {
		return undefined;
	}
};

/** Changes of records, as a command declares them. */
export type ItemChanges<Item, Result, R extends Resource = Resource> = {
	/** The work as a word of the progress line, such as `Switching`. */
	readonly doing: string;
	/** Must stop when the `writeSignal` of the context is aborted. */
	readonly send: (item: Item) => Promise<Result>;
	/** How lost answers are cleared up, and how it is checked that a change had effect; left out if the sending itself does the one, and `expect` the other. */
	readonly lookUp?: Pick<LookUp<Item, Result, ResourceList<Records[R]>>, 'find' | 'isUncertain'> & {
		readonly resource: R;
		/** Whether records stay in the list, come or go; by default they stay. */
		readonly effect?: Expectation['effect'];
		readonly newName?: Expectation['newName'];
		/** The item if the change has not arrived, such as “lamps is not on”, and if it has: “lamps is on now”. */
		readonly words: (item: Item) => readonly [notYet: string, arrived: string];
		readonly nextStep?: string;
	};
	/** How it is checked that a change had effect, if not by `lookUp`; `undefined` if it is not. */
	readonly expect?: (item: Item, result: Result) => Expectation<R> | undefined;
	/** True for a change that was not needed, or that its answer showed; by default for a result that says that nothing was changed. */
	readonly isConfirmed?: (result: Result) => boolean;
	/** The check of a command that sends changes in several goes; without it they are checked at once. */
	readonly check?: ChangeCheck | undefined;
};

const isKept = (result: unknown): boolean => (result as Partial<Changed> | undefined)?.isChanged === false;

/** Sends changes for a command, checks that they had effect, with a line of progress. After a signal, or when the time is up, no other change is begun. */
export const changeItems = async <Item extends {readonly name: string}, Result, R extends Resource = Resource>(
	context: Context,
	service: Service,
	items: readonly Item[],
	{doing, send, lookUp, expect, isConfirmed = isKept, check: wholeCheck}: ItemChanges<Item, Result, R>,
): Promise<ReadonlyArray<ChangeOutcome<Item, Result>>> => {
	const check = wholeCheck ?? startCheck(context, service);
	let finished = 0;
	const showFinished = (): void => {
		context.showProgress(items.length === 1 ? `${doing} ${items[0]!.name} …` : `${doing}: ${finished} of ${items.length} …`);
	};

	if (items.length > 0) {
		showFinished();
	}

	const outcomes = await sendChanges<Item, Result, ResourceList<Records[R]>>(items, {
		send,
		signal: context.writeSignal,
		onOutcome() {
			finished++;
			showFinished();
		},
		lookUp: lookUp && {
			...lookUp,
			async read() {
				const list = await readAfterwards(context, async signal => service.client.list(lookUp.resource, signal));
				if (list !== undefined && wholeCheck === undefined) {
					check.know(lookUp.resource, list);
				}

				return list;
			},
			explain(error, item, finding) {
				const [notYet, arrived] = lookUp.words(item);
				const state = finding === undefined ? `It is not known whether ${arrived}` : `${notYet} yet`;
				const sentence = finding?.sentence ?? `${state}: the change was sent and may still arrive.`;
				return unknownOutcomeError(error, sentence, lookUp.nextStep ?? `Check with: switchboard ${lookUp.resource}`);
			},
		},
	});
	for (const outcome of outcomes) {
		if ('error' in outcome || isConfirmed(outcome.result) || context.isDryRun) {
			continue;
		}

		const {item, result} = outcome;
		const expectation = expect?.(item, result);
		if (expectation !== undefined) {
			check.expect(item, expectation);
		} else if (lookUp !== undefined) {
			const {resource, effect = 'edits', newName, find, words, nextStep} = lookUp;
			const [notYet] = words(item);
			check.expect(item, {resource, effect, name: nameBefore(item), newName, find: list => find(item, list), notYet, nextStep});
		}
	}

	return wholeCheck === undefined ? check.settle(outcomes) : outcomes;
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
export const writeOnce = async <T>(
	{signal, note, finishBeforeExit}: Context,
	{write, ifDone, ifUnknown, ifNotSent}: Write<T>,
): Promise<T> => {
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

/** An ability that does not exist yet has no id. */
type Reportable = {readonly id: number | undefined; readonly name: string; readonly raw: JsonObject};

type Changed = {readonly isChanged: boolean};

/** How a command reports its changes. */
export type ItemReport<Item, Result> = {
	/** The JSON field of the id. */
	readonly idField: string;
	/** The JSON fields after id and name. */
	readonly toJson: (outcome: ChangeOutcome<Item, Result>) => JsonObject;
	/** The tab-separated fields for a pipe; by default the id, the name and the status. */
	readonly toFields?: (outcome: ChangeOutcome<Item, Result>, status: string) => ReadonlyArray<string | number>;
	/** The sentence for a person about an item that did not fail; `undefined` for none. */
	readonly toSentence: (item: Item, result: Result) => string | undefined;
	/** The work as done to an item, such as `switched`. */
	readonly doneWord: string;
	/** The status of an item that was changed, if it is another word. */
	readonly statusWord?: string;
	/** That of an item which was not changed; by default `unchanged`. */
	readonly keptWord?: string;
	/** The next step after failures. */
	readonly nextStep?: string;
};

/** Whether an item was changed; null if that is not known. */
export const changedOf = (outcome: ChangeOutcome<unknown, Changed>): boolean | null =>
	'result' in outcome ? outcome.result.isChanged : failureStatus(outcome) === 'not known' ? null : false;

/** The record as it is known after a change failed: what was read before it may be out of date. */
export const itemAfter = <Item>(outcome: FailedChange<Item>): Item | undefined =>
	failureStatus(outcome) === 'not known' || outcome.error.kind === 'no-effect' ? outcome.seen : outcome.item;

/** Explains failures on standard error, unless the error that ends the command does: that of the only change. */
export const noteFailures = (
	{signal, note}: Context,
	outcomes: ReadonlyArray<ChangeOutcome<{readonly name: string}, unknown>>,
	changeCount: number,
): void => {
	for (const outcome of outcomes) {
		if ('error' in outcome && (changeCount > 1 || signal.aborted)) {
			note(`${outcome.item.name}: ${outcome.error.message}`, 'error');
		}
	}
};

/** Prints the outcome of each item, or what it would be. Explains failures on standard error, unless the error that ends the command does. */
export const reportItems = async <Item extends Reportable, Result extends Changed>(
	context: Context,
	outcomes: ReadonlyArray<ChangeOutcome<Item, Result>>,
	report: ItemReport<Item, Result>,
): Promise<void> => {
	const {idField, toJson, toFields, toSentence, doneWord, statusWord = doneWord, keptWord = 'unchanged'} = report;
	if (context.options.isJson) {
		await context.printJson(
			outcomes.map(outcome => ({
				[idField]: outcome.item.id ?? null,
				name: rawName(outcome.item),
				...toJson(outcome),
				...('error' in outcome && {error: toPublicError(outcome.error)}),
				...(outcome.noticed !== undefined && {noticed: outcome.noticed}),
			})),
		);
		return;
	}

	for (const outcome of outcomes) {
		const sentence = 'result' in outcome ? toSentence(outcome.item, outcome.result) : undefined;
		if (!isForPerson(context)) {
			const status = 'error' in outcome ? failureStatus(outcome) : outcome.result.isChanged ? statusWord : keptWord;
			context.print((toFields?.(outcome, status) ?? [outcome.item.id ?? '', outcome.item.name, status]).join('\t'));
		} else if (sentence !== undefined) {
			context.print(sentence);
		}
	}

	noteFailures(context, outcomes, outcomes.length);
};

/** Counts outcomes: “2 switched, 1 not known.” */
const summarize = (outcomes: ReadonlyArray<ChangeOutcome<unknown, Changed>>, doneWord: string, keptWord: string): string => {
	const counts = new Map([[doneWord, 0]]);
	for (const outcome of outcomes) {
		const word = 'error' in outcome ? failureStatus(outcome) : outcome.result.isChanged ? doneWord : keptWord;
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}

	return `${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}.`;
};

type FailureWords = Pick<ItemReport<unknown, unknown>, 'doneWord' | 'keptWord' | 'nextStep'>;

/** If items failed, throws the error of the only item, or `some-failed` for several. */
export const throwFailures = (
	outcomes: ReadonlyArray<ChangeOutcome<unknown, Changed>>,
	{doneWord, keptWord = 'unchanged', nextStep = 'Run the command again for the ones that failed.'}: FailureWords,
): void => {
	const failed = outcomes.filter(outcome => 'error' in outcome);
	if (failed[0] === undefined) {
		return;
	}

	if (outcomes.length === 1) {
		throw failed[0].error;
	}

	// A next step that all items share says more than the general one.
	const [ownStep, ...otherSteps] = new Set(failed.map(({error}) => error.nextStep));
	const [status, ...otherStatuses] = new Set(failed.map(outcome => failureStatus(outcome)));
	// A change that may still arrive is to be looked up, not to be sent again.
	const isStepShared = otherSteps.length === 0 && otherStatuses.length === 0 && status !== 'not sent';
	throw new SwitchboardError(
		'some-failed',
		otherStatuses.length === 0 && status === 'failed'
			? `${failed.length} of ${outcomes.length} failed.`
			: summarize(outcomes, doneWord, keptWord),
		{nextStep: (isStepShared ? ownStep : undefined) ?? nextStep},
	);
};

type Prepared<Item, Result, R extends Resource> = ItemChanges<Item, Result, R> & {
	readonly items: readonly Item[];
	/** Adds what the answers did not show. */
	readonly complete?: (outcomes: ReadonlyArray<ChangeOutcome<Item, Result>>) => Promise<ReadonlyArray<ChangeOutcome<Item, Result>>>;
};

/** Changes records, prints the outcome of each, and throws if one failed. */
export const changeAndReport = async <Item extends Reportable, Result extends Changed, R extends Resource = Resource>(
	context: Context,
	report: ItemReport<Item, Result>,
	/** Finds all records before anything is sent. */
	prepare: (service: Service) => Promise<Prepared<Item, Result, R>>,
): Promise<void> => {
	throwFailures(
		await withService(context, async service => {
			const {items, complete, ...changes} = await prepare(service);
			const change = async (): Promise<ReadonlyArray<ChangeOutcome<Item, Result>>> => {
				const sent = await changeItems(context, service, items, changes);
				const outcomes = (await complete?.(sent)) ?? sent;
				await reportItems(context, outcomes, report);
				if (outcomes.some(outcome => 'error' in outcome)) {
					// The report looks as if the others were changed.
					noteDryRun(context);
				}

				return outcomes;
			};

			return context.finishBeforeExit(change());
		}),
		report,
	);
};

/** Prints that nothing was done, after a no to a question; or that nothing was sent, if the command was cut short at it. */
export const reportUndone = async <Item extends Reportable, Result extends Changed>(
	context: Context,
	report: ItemReport<Item, Result>,
	unchanged: ReadonlyArray<{readonly item: Item; readonly result: Result}>,
	isCut: boolean,
): Promise<void> => reportItems(context, isCut ? unchanged.map(({item}) => notSent(item, context.readSignal)) : unchanged, report);
