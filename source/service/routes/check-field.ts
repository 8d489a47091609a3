import {cleanText} from '../../interface/clean-text.ts';
import {refuseField, triggerPhraseProblem} from '../../interface/names.ts';

/**
@param problem - what is wrong with the value, as a clause; `undefined` if nothing is.
@throws SwitchboardError `refused`, naming the field, if there is a problem.
*/
export const checkField = (field: string, problem: string | undefined): void => {
	refuseField(field, `The field ${field}`, problem);
};

/** @throws SwitchboardError `refused`, naming the field, if the text is too long. */
export const checkLength = (field: string, text: string, maximumLength: number): void => {
	checkField(field, text.length > maximumLength ? `may be at most ${maximumLength} characters long` : undefined);
};

/** @throws SwitchboardError `refused`, naming the field and the phrase, if the phrase is not valid. */
export const checkTriggerPhrase = (phrase: string): void => {
	refuseField('trigger_words', `The field trigger_words is not valid: “${cleanText(phrase, 220)}”`, triggerPhraseProblem(phrase));
};
