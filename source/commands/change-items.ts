import {failureStatus, notSent, type ChangeOutcome, type Noticed} from '../changes/send-changes.ts';
import {SwitchboardError, toSwitchboardError, throwIfAny} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {cleanName, toPublicRecord, withoutLinkedKeys, type DecodedRecord, type Records, type Resource} from '../interface/records.ts';
import type {Step, StepResult, StepOutcome} from '../state/plan.ts';
import {isForPerson, noteDryRun, toPublicError, type Context} from './context.ts';
import {confirmOnTerminal, requireYes, type Unaskable} from './input/confirm.ts';
import type {Column} from './output/lay-table.ts';
import {printTable} from './output/table.ts';
import {sendSteps, type SendOptions} from './send-steps.ts';
import {withService, type Service} from './with-service.ts';

/** The notes about a write that a signal ends. */
type OutcomeNotes = {
	readonly ifDone: string;
	/** For a signal before the answer: the write may still have been carried out. */
	readonly ifUnknown: string;
	readonly ifNotSent: string;
};

/** Sends one write, which must stop when the `writeSignal` of the context is aborted; after a signal, prints a note about the outcome. */
export async function writeOnce<T>(
	{signal, note, finishBeforeExit}: Context,
	{ifDone, ifUnknown, ifNotSent}: OutcomeNotes,
	write: () => Promise<T>,
): Promise<T> {
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
}

/** Sends the only step of a command, as `writeOnce` does; throws its error. */
export async function sendStep(context: Context, service: Service, step: Step, notes: string | OutcomeNotes, options?: SendOptions) {
	const name = cleanName(step.name);
	const words =
		typeof notes === 'string'
			? {
					ifDone: `${name} was ${notes}.`,
					ifUnknown: `It is not known whether ${name} was ${notes}: the change was sent and may still arrive.`,
					ifNotSent: `${name} was not ${notes}.`,
				}
			: notes;
	return writeOnce(context, words, async () => {
		const [outcome] = await sendSteps(context, service, [step], options);
		if ('error' in outcome!) {
			throw outcome.error;
		}

		return {...outcome!.result, noticed: outcome!.noticed};
	});
}

/** Prints the only record of a command as it is after a change. */
export async function reportRecord<R extends Resource>(
	context: Context,
	resource: R,
	record: Records[R],
	{
		columns,
		sentence,
		noticed,
	}: {readonly columns: ReadonlyArray<Column<Records[R]>>; readonly sentence: string; readonly noticed?: readonly Noticed[] | undefined},
): Promise<void> {
	if (context.options.isJson) {
		await context.printJson({...withoutLinkedKeys(toPublicRecord(resource, record)), ...(noticed !== undefined && {noticed})});
	} else if (isForPerson(context)) {
		context.print(sentence);
	} else {
		await printTable(context, columns, [record]);
	}
}

export type ItemReport = {
	readonly idField: string;
	readonly toJson: (outcome: StepOutcome) => JsonObject;
	/** The tab-separated fields for a pipe; by default the id, the name and the status. */
	readonly toFields?: (outcome: StepOutcome, name: string, status: string) => ReadonlyArray<string | number>;
	/** The sentence for a person about an item that did not fail; `undefined` for none. */
	readonly toSentence: (name: string, result: StepResult, step: Step) => string | undefined;
	/** The action as done to an item, such as `switched`. */
	readonly doneWord: string;
	/** The status of a changed item, if it is another word. */
	readonly statusWord?: string;
	/** The status of an unchanged item; by default `unchanged`. */
	readonly keptWord?: string;
	readonly nextStep?: string;
};

type Changed = {readonly isChanged: boolean};

/** Tells whether an item was changed; null if that is not known. */
export function changedOf(outcome: ChangeOutcome<unknown, Changed>): boolean | null {
	return 'result' in outcome ? outcome.result.isChanged : failureStatus(outcome) === 'not known' ? null : false;
}

/** Returns the record as it is known after a step: after a failure, the earlier reading may be out of date. */
export function recordAfter(outcome: StepOutcome): DecodedRecord | undefined {
	return 'result' in outcome
		? outcome.result.record
		: (failureStatus(outcome) === 'not known' || outcome.error.kind === 'no-effect' ? outcome.seen : outcome.item)?.record;
}

/** Explains failures on standard error, except for a command's only change, whose error ends the command. */
export function noteFailures(
	{signal, note}: Context,
	outcomes: ReadonlyArray<ChangeOutcome<{readonly name: string}, unknown>>,
	changeCount: number,
): void {
	for (const outcome of outcomes) {
		if ('error' in outcome && (changeCount > 1 || signal.aborted)) {
			const [name, {message}] = [cleanName(outcome.item.name), outcome.error];
			note(message.startsWith(`${name} `) ? message : `${name}: ${message}`, 'error');
		}
	}
}

/**
Prints the outcome of each item, or the planned one in a dry run. Explains failures on standard error, unless the error that ends the
command does.
*/
export async function reportItems(context: Context, outcomes: readonly StepOutcome[], report: ItemReport): Promise<void> {
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
}

type FailureWords = Pick<ItemReport, 'doneWord' | 'keptWord' | 'nextStep'>;

/** Throws the error of failed changes, if there are any. */
export function throwFailures(outcomes: ReadonlyArray<ChangeOutcome<unknown, Changed>>, words: FailureWords): void {
	throwIfAny(failureOf(outcomes, words));
}

/** Returns the error of the only item, or `some-failed` for several; `undefined` if none failed. */
export function failureOf(
	outcomes: ReadonlyArray<ChangeOutcome<unknown, Changed>>,
	{doneWord, keptWord = 'unchanged', nextStep = 'Run the command again for the ones that failed.'}: FailureWords,
): SwitchboardError | undefined {
	const failed = outcomes.filter(outcome => 'error' in outcome);
	if (failed[0] === undefined) {
		return undefined;
	}

	if (outcomes.length === 1) {
		return failed[0].error;
	}

	// A next step that all items share is more helpful than the general one.
	const [ownStep, ...otherSteps] = new Set(failed.map(({error}) => error.nextStep));
	const [status, ...otherStatuses] = new Set(failed.map(outcome => failureStatus(outcome)));
	// A change that may still arrive should be looked up, not sent again.
	const isStepShared = otherSteps.length === 0 && otherStatuses.length === 0 && status !== 'not sent';
	return new SwitchboardError(
		'some-failed',
		otherStatuses.length === 0 && status === 'failed'
			? `${failed.length} of ${outcomes.length} failed.`
			: summarize(outcomes, doneWord, keptWord),
		{nextStep: (isStepShared ? ownStep : undefined) ?? nextStep},
	);
}

/** Counts outcomes: “2 switched, 1 not known.” */
function summarize(outcomes: ReadonlyArray<ChangeOutcome<unknown, Changed>>, doneWord: string, keptWord: string): string {
	const counts = new Map([[doneWord, 0]]);
	for (const outcome of outcomes) {
		const word = 'error' in outcome ? failureStatus(outcome) : outcome.result.isChanged ? doneWord : keptWord;
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}

	return `${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}.`;
}

/** Called before the first change is sent. Returns a function that gets the outcomes, once they are printed. */
export type Begin = () => Promise<((outcomes: readonly StepOutcome[]) => Promise<void> | void) | undefined>;

type CarryOptions = SendOptions & {
	readonly begin?: Begin | undefined;
	/** Prints the outcomes, and returns them, perhaps with information that the answers did not have. */
	readonly report: (outcomes: readonly StepOutcome[]) => Promise<readonly StepOutcome[]>;
};

/** Sends the steps of a command, and prints what became of each, also after a signal. */
export async function carryOut(
	context: Context,
	service: Service,
	steps: readonly Step[],
	{begin, report, ...options}: CarryOptions,
): Promise<readonly StepOutcome[]> {
	const sendAndReport = async (): Promise<readonly StepOutcome[]> => {
		const end = await begin?.();
		const outcomes = await report(await sendSteps(context, service, steps, options));
		await end?.(outcomes);
		return outcomes;
	};

	return context.finishBeforeExit(sendAndReport());
}

type Prepared = {
	readonly steps: readonly Step[];
	/** Asked before anything is sent. */
	readonly questions?: ReadonlyArray<string | (() => Promise<string>)>;
	/** For questions that are refused, without `--yes`, if nobody can answer; others are asked only on a terminal. */
	readonly unaskable?: Unaskable;
	/** A sentence that says what stays as it was. */
	readonly ifNo?: string;
	/** Called after a yes, which may have taken long, for the steps in the present state. */
	readonly prepareAgain?: () => Promise<readonly Step[]>;
	readonly begin?: Begin;
	/** Adds information that the answers did not have. */
	readonly complete?: (outcomes: readonly StepOutcome[]) => Promise<readonly StepOutcome[]>;
};

/**
Changes records, prints the outcome of each, and throws if a change failed. After a no nothing is done; if the command is cut short at a
question, nothing is sent.

@param isGiven - false if there is nothing to change.
@param prepare - finds all records before anything is asked or sent.
*/
export async function changeAndReport(
	context: Context,
	report: ItemReport,
	isGiven: boolean,
	prepare: (service: Service) => Promise<Prepared>,
): Promise<void> {
	if (!isGiven) {
		await reportItems(context, [], report);
		return;
	}

	const outcomes = await withService(context, async service => {
		const {begin, complete, ...prepared} = await prepare(service);
		return carryOut(context, service, await ask(context, report, prepared), {
			begin,
			async report(sent) {
				const completed = (await complete?.(sent)) ?? sent;
				await reportItems(context, completed, report);
				if (completed.some(outcome => 'error' in outcome)) {
					// The report reads as if the others were changed.
					noteDryRun(context);
				}

				return completed;
			},
		});
	});
	throwFailures(outcomes, report);
}

/** Asks the questions, and returns the confirmed steps. */
async function ask(
	context: Context,
	report: ItemReport,
	{steps, questions = [], unaskable, ifNo = '', prepareAgain}: Prepared,
): Promise<readonly Step[]> {
	const {isSure, isDryRun, readSignal} = context;
	const reportUndone = async (isCut: boolean): Promise<void> =>
		reportItems(
			context,
			steps.map(item => (isCut ? notSent(item, readSignal) : {item, result: {isChanged: false, record: item.record}})),
			report,
		);
	let wasAsked = false;
	for (const question of isSure || isDryRun ? [] : questions) {
		if (unaskable !== undefined) {
			await requireYes(context, question, {...unaskable, ifNo, report: reportUndone});
		} else if (await confirmOnTerminal(context, question, ifNo, reportUndone)) {
			wasAsked = true;
		}
	}

	return (wasAsked ? await prepareAgain?.() : undefined) ?? steps;
}
