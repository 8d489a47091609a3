import {refuseEmptyPrompts} from './agents-edit.ts';
import {carryOut, noteFailures, throwFailures, type Begin} from './change-items.ts';
import {isForPerson, paint, toPublicError, type Context, type PrintTone} from './context.ts';
import {refuseUnaskable, requireYes, type Unaskable} from './input/confirm.ts';
import {changeText, countedChanges, type Change} from '../changes/change.ts';
import {failureStatus, notSent, type Noticed} from '../changes/send-changes.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import type {OutputStream} from '../platform/standard-streams.ts';
import type {StepOutcome, Step} from '../state/plan.ts';
import type {Plan} from './prepare-plan.ts';
import {noteCancelled} from './timed-switch.ts';
import {refuseSteps, type Service} from './with-service.ts';

type Asking = Unaskable & {
	readonly question?: string | undefined;
	/** True if `--yes` does not answer it. */
	readonly isAlwaysAsked?: boolean;
};

type PlannedWork<P extends Plan> = {
	/** Called again after a question, which may have waited long; the output is known already then. */
	readonly makePlan: (isShown: boolean) => Promise<P>;
	/** Notes everything that a person must know about the plan before it is carried out, and returns its question. */
	readonly explain: (plan: P) => Promise<Asking> | Asking;
	readonly begin?: (plan: P) => ReturnType<Begin>;
};

/**
Runs a plan: checks the rights, asks, sends the changes, and prints the outcome of each; in a dry run, prints the planned changes. Without
`--yes` or a yes, nothing is done.

@returns the outcomes, for `throwFailedChanges`.
*/
export async function runPlan<P extends Plan>(
	context: Context,
	service: Service,
	{makePlan, explain, begin}: PlannedWork<P>,
): Promise<readonly StepOutcome[]> {
	const plan = await makePlan(context.isDryRun || !context.isSure);
	const {steps} = plan;
	await refuseSteps(service.client, steps);
	const {isAlwaysAsked = false, ...asking} = await explain(plan);
	noteCancelledTimers(context, plan, context.isDryRun ? 'would be' : 'will be');
	if (context.isDryRun || steps.length === 0) {
		await printPlan(context, plan);
		return [];
	}

	refuseEmptyPrompts(context, steps);
	const isAsked = sendableSteps(plan).length > 0 && (isAlwaysAsked || !context.isSure);
	const agreed = isAsked ? await confirmPlan(context, plan, async () => makePlan(false), asking) : plan;
	return carryOut(context, service, agreed.steps, {
		isPlan: true,
		begin: begin && (async () => begin(agreed)),
		async report(outcomes) {
			await reportOutcomes(context, outcomes, agreed);
			return outcomes;
		},
	});
}

/** Notes the timers that the switches of a plan cancel; the plan itself shows those that it sets. */
export function noteCancelledTimers(context: Context, plan: Plan, verb: 'will be' | 'would be'): void {
	const changed = sendableSteps(plan).filter(step => step.changes.every(({field}) => field !== 'timer'));
	noteCancelled(context, changed, verb);
}

/** A change and its outcome: `done` is null if it is not known (`docs/compatibility.md`, JSON). */
export type PublicChange = Change & {
	readonly done?: boolean | null;
	readonly error?: {readonly kind: string; readonly message: string};
	readonly noticed?: readonly Noticed[];
};

export type PublicChanges = {readonly changes: readonly PublicChange[]; readonly unchanged: number};

/** Returns the steps of a plan that can be carried out. */
export function sendableSteps({steps}: Pick<Plan, 'steps'>): readonly Step[] {
	return steps.filter(({problem}) => problem === undefined);
}

type Planned = Pick<Plan, 'steps' | 'unchangedCount' | 'differences' | 'more'>;

type Status = Pick<PublicChange, 'done' | 'error' | 'noticed'>;

/** Returns the changes of a plan, for scripts. */
export function toPublicChanges({steps, unchangedCount, more}: Planned, status: Status = {}): PublicChanges {
	return {
		changes: steps.flatMap(step => withStatus(step, step.problem === undefined ? status : {error: toPublicError(step.problem)})),
		unchanged: unchangedCount,
		...more,
	};
}

const withStatus = ({changes}: Step, status: Status): readonly PublicChange[] =>
	changes.map(({kind, name, field, from, to}) => ({kind, name, field, from, to, ...status}));

/** Returns the outcome of each change, for scripts. */
export function toPublicOutcomes(
	outcomes: readonly StepOutcome[],
	{unchangedCount, more}: Pick<Planned, 'unchangedCount' | 'more'>,
): PublicChanges {
	return {changes: outcomes.flatMap(outcome => withStatus(outcome.item, statusOf(outcome))), unchanged: unchangedCount, ...more};
}

const statusOf = (outcome: StepOutcome): Status => ({
	...('error' in outcome
		? {done: failureStatus(outcome) === 'not known' ? null : false, error: toPublicError(outcome.error)}
		: {done: true}),
	...(outcome.noticed !== undefined && {noticed: outcome.noticed}),
});

const tones: Readonly<Partial<Record<string, PrintTone>>> = {'+': 'added', '-': 'removed', '~': 'changed'};

/** Prints the changes of a plan, for a person or as the value of `--json`. */
export async function printPlan(context: Context, planned: Planned): Promise<void> {
	if (context.options.isJson) {
		await context.printJson(toPublicChanges(planned));
		return;
	}

	for (const line of await planLines(context, planned, context.streams.stdout)) {
		context.print(line);
	}

	context.print(planCount(planned));
	noteFailed(context, planned);
}

/** Returns the changes of a plan, each with the lines of its difference below. All are safe to print. */
async function planLines(context: Context, planned: Planned, output: OutputStream): Promise<readonly string[]> {
	const {differences} = planned;
	const changes = sendableSteps(planned).flatMap(step => step.changes);
	// Other plans do not need the library that compares texts.
	const diff = differences === undefined || differences.size === 0 ? undefined : await import('./output/diff.ts');
	return changes.flatMap(change => [
		shownChange(context, change, output),
		...(diff?.linesBeneath(context, differences?.get(change) ?? [], output) ?? []),
	]);
}

/** Returns a change in one line, in the colour of its sign. */
function shownChange(context: Context, change: Change, output?: OutputStream): string {
	const text = changeText(change, context.timeZone);
	return paint(context, tones[text[0]!], text, output);
}

/** Returns the counts of a plan: “3 to change, 9 unchanged.” */
function planCount(planned: Planned): string {
	const [changeCount, unchanged] = [changeCountOf(planned), `${formatCount(planned.unchangedCount)} unchanged.`];
	return changeCount === 0 ? `Nothing to do: ${unchanged}` : `${formatCount(changeCount)} to change, ${unchanged}`;
}

const changeCountOf = (planned: Planned): number => sendableSteps(planned).flatMap(({changes}) => countedChanges(changes)).length;

/** Notes the steps that cannot be carried out. */
function noteFailed({note}: Context, {steps}: Planned): void {
	for (const {problem} of steps) {
		if (problem !== undefined) {
			note(problem.message);
		}
	}
}

/**
Shows a plan on standard error and asks whether to carry it out. A person may take long, so the plan is then made again.

@param planAgain - returns the plan for the service's present state.
@returns that plan.
@throws SwitchboardError `usage` if nobody can answer, `cancelled` after a no, `conflict` if the plan has changed by then.
*/
async function confirmPlan<P extends Planned>(
	context: Context,
	plan: P,
	planAgain: () => Promise<P>,
	{question, ...unaskable}: Unaskable & {readonly question?: string | undefined},
): Promise<P> {
	refuseUnaskable(context, unaskable);
	const steps = sendableSteps(plan);
	const changeCount = changeCountOf(plan);
	noteFailed(context, plan);
	context.noteStyled(await planLines(context, plan, context.streams.stderr));
	context.note(planCount(plan));
	await requireYes(context, question ?? `Make ${changeCount === 1 ? 'this change' : `these ${counted(changeCount, 'change')}`}?`, {
		...unaskable,
		ifNo: 'Nothing was changed.',
		report: context.options.isJson
			? async isCut =>
					context.printJson(
						isCut
							? toPublicOutcomes(
									steps.map(step => notSent(step, context.readSignal)),
									plan,
								)
							: toPublicChanges({...plan, steps}, {done: false}),
					)
			: undefined,
	});
	const now = await planAgain();
	refuseOther(plan, now);
	return now;
}

/** Refuses a plan that differs from the confirmed one. */
function refuseOther(agreed: Planned, {steps}: Planned): void {
	const changesOf = (planned: Planned['steps']): string => JSON.stringify(planned.map(({kind, changes}) => [kind, changes]));
	if (changesOf(agreed.steps) !== changesOf(steps)) {
		throw new SwitchboardError('conflict', 'The changes are no longer the ones that were shown. Nothing was done.', {
			nextStep: 'Run the command again to see the present changes.',
		});
	}
}

/** The width of “not known”. */
const statusWidth = 9;

/** Prints the outcome of each change. Explains failures on standard error, unless the error that ends the command does. */
async function reportOutcomes(
	context: Context,
	outcomes: readonly StepOutcome[],
	plan: Pick<Planned, 'unchangedCount' | 'more'>,
): Promise<void> {
	if (context.options.isJson) {
		await context.printJson(toPublicOutcomes(outcomes, plan));
		return;
	}

	for (const outcome of outcomes) {
		const word = 'error' in outcome ? failureStatus(outcome) : 'done';
		for (const change of outcome.item.changes) {
			context.print(
				isForPerson(context)
					? `${word.padEnd(statusWidth)}  ${shownChange(context, change)}`
					: `${word}\t${changeText(change, context.timeZone)}`,
			);
		}
	}

	const count = outcomes.reduce((sum, {item}) => sum + countedChanges(item.changes).length, 0);
	noteFailures(context, outcomes, count);
	if (outcomes.every(outcome => 'result' in outcome)) {
		context.note(`${formatCount(count)} done, ${formatCount(plan.unchangedCount)} unchanged.`);
	}
}

/** Throws, if changes failed, the error of the only one, or `some-failed` for several. */
export function throwFailedChanges(outcomes: readonly StepOutcome[]): void {
	throwFailures(
		outcomes.flatMap(outcome => countedChanges(outcome.item.changes).map(() => outcome)),
		{doneWord: 'done', nextStep: 'Run the command again: what is done stays done.'},
	);
}
