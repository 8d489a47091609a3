import {styleText} from 'node:util';
import {formatCount} from '../../interface/format-count.ts';
import {changeText} from '../../state/change-text.ts';
import type {Change} from '../../state/change.ts';
import {isForPerson, type Context} from '../context.ts';
import type {Plan} from './prepare-plan.ts';
import {toPublicChanges} from './public-changes.ts';

export type Planned = Pick<Plan, 'steps' | 'unchangedCount'>;

/** Counts what a plan would change: “3 to change, 9 unchanged.” */
const countText = (changeCount: number, unchangedCount: number): string => changeCount === 0
	? `Nothing to do: ${formatCount(unchangedCount)} unchanged.`
	: `${formatCount(changeCount)} to change, ${formatCount(unchangedCount)} unchanged.`;

/** The lines of a plan: each change, abilities first and agents last, then the counts. */
export const planLines = ({steps, unchangedCount}: Planned): readonly string[] => {
	const changes = steps.flatMap(step => step.changes);
	return [...changes.map(change => changeText(change)), countText(changes.length, unchangedCount)];
};

const colors = {'+': 'green', '-': 'red', '~': 'yellow'} as const;

/** A change in one line, in colour on a terminal. */
export const shownChange = (change: Change, context: Context): string => {
	const text = changeText(change);
	const color = colors[text[0] as keyof typeof colors];
	return isForPerson(context) && context.options.isColorWanted && color !== undefined ? styleText(color, text, {validateStream: false}) : text;
};

/** Prints what a plan would change: as a person reads it, or the value for `--json`. */
export const printPlan = async (context: Context, planned: Planned): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson(toPublicChanges(planned));
		return;
	}

	const changes = planned.steps.flatMap(step => step.changes);
	for (const change of changes) {
		context.print(shownChange(change, context));
	}

	context.print(countText(changes.length, planned.unchangedCount));
};
