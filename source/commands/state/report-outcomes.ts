import {formatCount} from '../../interface/format-count.ts';
import {changeText} from '../../state/change-text.ts';
import {isForPerson, type Context} from '../context.ts';
import {failureStatus} from '../item-outcome.ts';
import {throwFailures} from '../report-items.ts';
import type {Plan} from './prepare-plan.ts';
import {shownChange} from './print-plan.ts';
import {toPublicOutcomes} from './public-changes.ts';
import type {StepOutcome} from './step-outcome.ts';

type Counted = Pick<Plan, 'unchangedCount'>;

const wordOf = (outcome: StepOutcome): string => 'error' in outcome ? failureStatus(outcome) : 'done';

/** As wide as “not known”. */
const statusWidth = 9;

const changeCount = (outcomes: readonly StepOutcome[]): number => outcomes.reduce((sum, {item}) => sum + item.changes.length, 0);

/** Prints the outcome of each change. Explains failures on standard error, unless the error that ends the command does. */
export const reportOutcomes = async (context: Context, outcomes: readonly StepOutcome[], counted: Counted): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson(toPublicOutcomes(outcomes, counted));
		return;
	}

	for (const outcome of outcomes) {
		for (const change of outcome.item.changes) {
			context.print(isForPerson(context)
				? `${wordOf(outcome).padEnd(statusWidth)}  ${shownChange(change, context)}`
				: `${wordOf(outcome)}\t${changeText(change)}`);
		}
	}

	const count = changeCount(outcomes);
	for (const outcome of outcomes) {
		if ('error' in outcome && (count > 1 || context.signal.aborted)) {
			context.note(`${outcome.item.name}: ${outcome.error.message}`);
		}
	}

	if (outcomes.every(outcome => 'result' in outcome)) {
		context.note(`${formatCount(count)} done, ${formatCount(counted.unchangedCount)} unchanged.`);
	}
};

/** If changes failed, throws the error of the only one, or `some-failed` for several. */
export const throwFailedChanges = (outcomes: readonly StepOutcome[]): void => {
	throwFailures(outcomes.flatMap(outcome => outcome.item.changes.map(() => outcome)), {
		doneWord: 'done',
		wordOf: () => 'done',
		nextStep: 'Run the command again: what is done stays done.',
	});
};
