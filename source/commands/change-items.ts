import {failureStatus, notSent, type ChangeOutcome} from '../changes/send-changes.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {cleanName, type DecodedRecord} from '../interface/records.ts';
import type {Step, Done, StepOutcome} from '../state/plan.ts';
import {isForPerson, noteDryRun, toPublicError, type Context} from './context.ts';
import {sendSteps} from './send-steps.ts';
import {withService, type Service} from './with-service.ts';

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

/** The notes about a change of one record. */
export const outcomeNotes = (name: string, doneWord: string) => ({
	ifDone: `${name} was ${doneWord}.`,
	ifUnknown: `It is not known whether ${name} was ${doneWord}: the change was sent and may still arrive.`,
	ifNotSent: `${name} was not ${doneWord}.`,
});

type Changed = {readonly isChanged: boolean};

/** How a command reports its changes. */
export type ItemReport = {
	/** The JSON field of the id. */
	readonly idField: string;
	/** The JSON fields after id and name. */
	readonly toJson: (outcome: StepOutcome) => JsonObject;
	/** The tab-separated fields for a pipe; by default the id, the name and the status. */
	readonly toFields?: (outcome: StepOutcome, name: string, status: string) => ReadonlyArray<string | number>;
	/** The sentence for a person about an item that did not fail; `undefined` for none. */
	readonly toSentence: (name: string, result: Done, step: Step) => string | undefined;
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

/** The record as it is known after a step: after a failure, what was read before may be out of date. */
export const recordAfter = (outcome: StepOutcome): DecodedRecord | undefined =>
	'result' in outcome
		? outcome.result.record
		: (failureStatus(outcome) === 'not known' || outcome.error.kind === 'no-effect' ? outcome.seen : outcome.item)?.record;

/** Explains failures on standard error, unless the error that ends the command does: that of the only change. */
export const noteFailures = (
	{signal, note}: Context,
	outcomes: ReadonlyArray<ChangeOutcome<{readonly name: string}, unknown>>,
	changeCount: number,
): void => {
	for (const outcome of outcomes) {
		if ('error' in outcome && (changeCount > 1 || signal.aborted)) {
			note(`${cleanName(outcome.item.name)}: ${outcome.error.message}`, 'error');
		}
	}
};

/** Prints the outcome of each item, or what it would be. Explains failures on standard error, unless the error that ends the command does. */
export const reportItems = async (context: Context, outcomes: readonly StepOutcome[], report: ItemReport): Promise<void> => {
	const {idField, toJson, toFields, toSentence, doneWord, statusWord = doneWord, keptWord = 'unchanged'} = report;
	if (context.options.isJson) {
		await context.printJson(
			outcomes.map(outcome => ({
				[idField]: outcome.item.record?.id ?? null,
				name: outcome.item.name,
				...toJson(outcome),
				...('error' in outcome && {error: toPublicError(outcome.error)}),
				...(outcome.noticed !== undefined && {noticed: outcome.noticed}),
			})),
		);
		return;
	}

	for (const outcome of outcomes) {
		const {item} = outcome;
		const name = cleanName(item.name);
		const sentence = 'result' in outcome ? toSentence(name, outcome.result, item) : undefined;
		if (!isForPerson(context)) {
			const status = 'error' in outcome ? failureStatus(outcome) : outcome.result.isChanged ? statusWord : keptWord;
			context.print((toFields?.(outcome, name, status) ?? [item.record?.id ?? '', name, status]).join('\t'));
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

type FailureWords = Pick<ItemReport, 'doneWord' | 'keptWord' | 'nextStep'>;

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

type Prepared = {
	readonly steps: readonly Step[];
	/** Adds what the answers did not show. */
	readonly complete?: (outcomes: readonly StepOutcome[]) => Promise<readonly StepOutcome[]>;
};

/** Changes records, prints the outcome of each, and throws if one failed. */
export const changeAndReport = async (
	context: Context,
	report: ItemReport,
	/** Finds all records before anything is sent. */
	prepare: (service: Service) => Promise<Prepared>,
): Promise<void> => {
	throwFailures(
		await withService(context, async service => {
			const {steps, complete} = await prepare(service);
			const change = async (): Promise<readonly StepOutcome[]> => {
				const sent = await sendSteps(context, service, steps);
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
export const reportUndone = async (context: Context, report: ItemReport, steps: readonly Step[], isCut: boolean): Promise<void> =>
	reportItems(
		context,
		steps.map(item => (isCut ? notSent(item, context.readSignal) : {item, result: {isChanged: false, record: item.record}})),
		report,
	);
