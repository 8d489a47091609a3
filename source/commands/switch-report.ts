import type {InstalledAbility} from '../interface/records.ts';
import {stateWord} from '../interface/state-word.ts';
import type {Context} from './context.ts';
import {failureStatus, type ItemOutcome} from './item-outcome.ts';
import {reportItems} from './report-items.ts';

export type Switched = {readonly isEnabled: boolean | undefined; readonly isChanged: boolean};

export type SwitchOutcome = ItemOutcome<InstalledAbility, Switched>;

/** The known state of an item: one that was read before the change may be out of date. */
export const stateAfter = (outcome: SwitchOutcome): {readonly isEnabled: boolean | undefined; readonly isChanged: boolean | undefined} => {
	if ('result' in outcome) {
		return outcome.result;
	}

	return failureStatus(outcome) === 'not known'
		? {isEnabled: outcome.seen?.isEnabled, isChanged: undefined}
		: {isEnabled: outcome.item.isEnabled, isChanged: false};
};

/** Prints the outcome for each ability. */
export const reportSwitched = async (context: Context, outcomes: readonly SwitchOutcome[]): Promise<void> => {
	await reportItems(context, outcomes, {
		idField: 'installed_cap_id',
		toJson(outcome) {
			const {isEnabled, isChanged} = stateAfter(outcome);
			return {enabled: isEnabled ?? null, changed: isChanged ?? null};
		},
		toFields(outcome) {
			const {isEnabled, isChanged} = stateAfter(outcome);
			return [outcome.item.id, stateWord(isEnabled), outcome.item.name, 'error' in outcome ? failureStatus(outcome) : (isChanged ? 'changed' : 'unchanged')];
		},
		toSentence({name}, {isEnabled, isChanged}) {
			const verb = context.isDryRun ? (isChanged ? 'would be' : 'is already') : (isChanged ? 'is' : 'was already');
			return `${name} ${verb} ${stateWord(isEnabled)}.`;
		},
	});
};
