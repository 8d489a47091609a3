import process from 'node:process';
import type {InstalledAbility} from '../interface/records.ts';
import {stateWord} from '../interface/state-word.ts';
import type {Context} from './context.ts';
import {failureStatus, noteFailures, type ItemOutcome} from './each.ts';
import {rawName} from './output/raw-name.ts';
import {toPublicError} from './report-error.ts';

export type Switched = {readonly isEnabled: boolean | undefined; readonly isChanged: boolean};

export type SwitchOutcome = ItemOutcome<InstalledAbility, Switched>;

/** What is known of an item now: a state that was read before does not count where a change may have arrived since. */
const known = (outcome: SwitchOutcome): {readonly isEnabled: boolean | undefined; readonly isChanged: boolean | undefined} => {
	if ('result' in outcome) {
		return outcome.result;
	}

	return failureStatus(outcome) === 'not known'
		? {isEnabled: outcome.seen?.isEnabled, isChanged: undefined}
		: {isEnabled: outcome.item.isEnabled, isChanged: false};
};

const toJson = (outcome: SwitchOutcome) => {
	const {isEnabled, isChanged} = known(outcome);
	return {
		installed_cap_id: outcome.item.id,
		name: rawName(outcome.item),
		enabled: isEnabled ?? null,
		changed: isChanged ?? null,
		...('error' in outcome && {error: toPublicError(outcome.error)}),
	};
};

const toFields = (outcome: SwitchOutcome): string => {
	const {item: {id, name}} = outcome;
	const {isEnabled, isChanged} = known(outcome);
	return [id, stateWord(isEnabled), name, 'error' in outcome ? failureStatus(outcome) : (isChanged ? 'changed' : 'unchanged')].join('\t');
};

const toSentence = (name: string, {isEnabled, isChanged}: Switched): string => `${name} ${isChanged ? 'is' : 'was already'} ${stateWord(isEnabled)}.`;

/** Prints what became of each ability that was to be switched. */
export const reportSwitched = (context: Context, outcomes: readonly SwitchOutcome[]): void => {
	if (context.options.isJson) {
		context.printJson(outcomes.map(outcome => toJson(outcome)));
		return;
	}

	for (const outcome of outcomes) {
		if (!process.stdout.isTTY) {
			context.print(toFields(outcome));
		} else if ('result' in outcome) {
			context.print(toSentence(outcome.item.name, outcome.result));
		}
	}

	noteFailures(context, outcomes);
};
