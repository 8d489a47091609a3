import {abilityLimits} from '../interface/ability-package/limits.ts';
import {quotePath} from '../interface/ability-package/refusals.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {triggerPhraseProblem} from '../interface/names.ts';

/** What is wrong with the trigger phrases of an ability: an error of the kind `refused` for each problem. */
export const checkTriggerPhrases = (phrases: readonly string[]): readonly SwitchboardError[] => {
	const problems = phrases.flatMap(phrase => {
		const problem = triggerPhraseProblem(phrase);
		return problem === undefined
			? []
			: [new SwitchboardError('refused', `The trigger phrase ${quotePath(phrase)} ${problem}.`, {
				field: 'trigger_words',
				nextStep: 'Write it in plain words, as it is spoken.',
			})];
	});
	return phrases.length <= abilityLimits.triggerPhrases
		? problems
		: [new SwitchboardError('refused', `There are ${phrases.length} trigger phrases; an ability may have at most ${abilityLimits.triggerPhrases}.`, {
			field: 'trigger_words',
			nextStep: 'Keep those that people say.',
		}), ...problems];
};
