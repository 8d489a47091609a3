import {refuseEmptyPrompts} from './agents-edit.ts';
import type {Context} from './context.ts';
import type {Unaskable} from './input/confirm.ts';
import {refuseSteps} from './key-limits.ts';
import {sendSteps} from './send-steps.ts';
import type {StepOutcome} from '../state/plan.ts';
import type {Plan} from './state/prepare-plan.ts';
import {confirmPlan, printPlan, reportOutcomes, sendableSteps} from './state/show-plan.ts';
import type {Service} from './with-service.ts';

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
	/** Called before the first change is sent. Returns a function that gets the outcomes, once they are printed. */
	readonly begin?: (plan: P) => Promise<(outcomes: readonly StepOutcome[]) => Promise<void> | void>;
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
	if (context.isDryRun || steps.length === 0) {
		await printPlan(context, plan);
		return [];
	}

	refuseEmptyPrompts(context, steps);
	const isAsked = sendableSteps(plan).length > 0 && (isAlwaysAsked || !context.isSure);
	const agreed = isAsked ? await confirmPlan(context, plan, async () => makePlan(false), asking) : plan;
	const carryOut = async (): Promise<readonly StepOutcome[]> => {
		const end = await begin?.(agreed);
		const outcomes = await sendSteps(context, service, agreed.steps, {isPlan: true});
		await reportOutcomes(context, outcomes, agreed);
		await end?.(outcomes);
		return outcomes;
	};

	return context.finishBeforeExit(carryOut());
}
