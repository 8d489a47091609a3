import type {Change} from '../../state/change.ts';
import {failureStatus} from '../item-outcome.ts';
import {toPublicError} from '../report-error.ts';
import type {Plan} from './prepare-plan.ts';
import type {StepOutcome} from './step-outcome.ts';

/** A change, and what became of it: `done` is null if that is not known (`CONTRACT.md`). */
export type PublicChange = Change & {
	readonly done?: boolean | null;
	readonly error?: {readonly kind: string; readonly message: string};
};

export type PublicChanges = {readonly changes: readonly PublicChange[]; readonly unchanged: number};

const inOrder = ({kind, name, field, from, to}: Change): Change => ({
	kind, name, field, from, to,
});

/** What a plan would change, for scripts. */
export const toPublicChanges = ({steps, unchangedCount}: Pick<Plan, 'steps' | 'unchangedCount'>): PublicChanges => ({
	changes: steps.flatMap(({changes}) => changes.map(change => inOrder(change))),
	unchanged: unchangedCount,
});

const statusOf = (outcome: StepOutcome): Pick<PublicChange, 'done' | 'error'> => 'error' in outcome
	? {done: failureStatus(outcome) === 'not known' ? null : false, error: toPublicError(outcome.error)}
	: {done: true};

/** What became of each change, for scripts. */
export const toPublicOutcomes = (outcomes: readonly StepOutcome[], {unchangedCount}: Pick<Plan, 'unchangedCount'>): PublicChanges => ({
	changes: outcomes.flatMap(outcome => outcome.item.changes.map(change => ({...inOrder(change), ...statusOf(outcome)}))),
	unchanged: unchangedCount,
});
