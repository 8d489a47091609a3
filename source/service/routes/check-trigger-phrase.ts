import {refuseField, triggerPhraseProblem} from '../../interface/names.ts';

/** @throws SwitchboardError `refused`, naming the field and the phrase, if the phrase is not valid. */
export const checkTriggerPhrase = (phrase: string): void => {
	refuseField('trigger_words', `The field trigger_words is not valid: “${phrase}”`, triggerPhraseProblem(phrase));
};
