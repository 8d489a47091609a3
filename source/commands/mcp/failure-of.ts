import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import type {ItemOutcome} from '../item-outcome.ts';
import {throwFailures} from '../report-items.ts';

/** The error of a call of which some items failed; `undefined` if none did. */
export const failureOf = <Result>(outcomes: ReadonlyArray<ItemOutcome<unknown, Result>>, doneWord: string, wordOf: (result: Result) => string = () => doneWord): SwitchboardError | undefined => {
	try {
		throwFailures(outcomes, {doneWord, wordOf, nextStep: 'Call the tool again for what failed.'});
		return undefined;
	} catch (error) {
		return toSwitchboardError(error);
	}
};
