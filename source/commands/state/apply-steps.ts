import type {ResourceList} from '../../client/client.ts';
import {unknownOutcomeError, type SwitchboardError} from '../../interface/errors.ts';
import type {Step} from '../../state/plan.ts';
import {applyToEach} from '../apply-to-each.ts';
import type {Context} from '../context.ts';
import type {FailedItem} from '../item-outcome.ts';
import {resolveUncertain} from '../unknown-outcome.ts';
import {blockedBy, type StepOutcome} from './step-outcome.ts';

/** How a lost answer is cleared up. */
type LookUp<Taken extends Step, Record_> = {
	readonly read: (signal: AbortSignal) => Promise<ResourceList<Record_>>;
	/** Whether the list shows the step as done; `undefined` if it does not show that. */
	readonly isDone: (step: Taken, list: ResourceList<Record_>) => boolean | undefined;
	/** Where a person looks. */
	readonly nextStep: string;
};

type StepWork<Taken extends Step, Record_> = {
	/** What is done, for the progress line. */
	readonly doing: string;
	readonly action: (step: Taken) => Promise<void>;
	/** The failed step because of which this one is not sent. */
	readonly blockerOf?: (step: Taken) => FailedItem<Step> | undefined;
	/** Left out if the action itself does that. */
	readonly lookUp?: LookUp<Taken, Record_>;
};

const unknownError = ({name}: Step, error: SwitchboardError, isDone: boolean | undefined, nextStep: string): SwitchboardError => unknownOutcomeError(
	error,
	isDone === false
		? `${name} has not changed yet: the change was sent and may still arrive.`
		: `It is not known whether ${name} has changed: the change was sent and may still arrive.`,
	nextStep,
);

/** Takes steps, a few at a time, goes on if one fails, and looks up those whose answer was lost. */
export const applySteps = async <Taken extends Step, Record_ = never>(
	context: Context,
	steps: readonly Taken[],
	{
		doing, action, blockerOf, lookUp,
	}: StepWork<Taken, Record_>,
): Promise<ReadonlyArray<StepOutcome<Taken>>> => {
	const blocked = new Map(steps.map(step => [step, blockerOf?.(step)]));
	const open = steps.filter(step => blocked.get(step) === undefined);
	if (open.length === 0) {
		return steps.map(step => blockedBy(step, blocked.get(step)!));
	}

	const sent: ReadonlyArray<StepOutcome<Taken>> = await applyToEach(context, open, {
		doing,
		async action(step) {
			await action(step);
			return true as const;
		},
	});
	const settled: ReadonlyArray<StepOutcome<Taken>> = lookUp === undefined
		? sent
		: await resolveUncertain<Taken, true, Record_>(context, sent, {
			read: lookUp.read,
			judge({item, error}, list) {
				const isDone = list && lookUp.isDone(item, list);
				return isDone ? {item, result: true} : {item, error: unknownError(item, error, isDone, lookUp.nextStep)};
			},
		});
	const byStep = new Map(settled.map(outcome => [outcome.item, outcome]));
	return steps.map(step => byStep.get(step) ?? blockedBy(step, blocked.get(step)!));
};
