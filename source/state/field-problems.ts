import {abilityLimits} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {triggerPhraseProblem} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';
import {hasHiddenCharacters} from '../interface/reveal-text.ts';
import {storedTextProblem} from '../interface/stored-text.ts';

/*
What a state file may not say because no service takes it. Each returns sentences; none if all is well. Export asks them too: what
they refuse could not be read back.
*/

export const promptProblems = (prompt: string): readonly string[] => {
	const problem = storedTextProblem(prompt);
	return problem === undefined ? [] : [`The prompt ${problem}.`];
};

export const descriptionProblems = (description: string): readonly string[] => {
	const problem = description.length > abilityLimits.descriptionLength
		? `may be at most ${abilityLimits.descriptionLength} characters long`
		: storedTextProblem(description);
	return problem === undefined ? [] : [`The description ${problem}.`];
};

export const phraseProblems = (phrase: string): readonly string[] => {
	const problem = triggerPhraseProblem(phrase);
	return problem === undefined ? [] : [`The trigger phrase “${cleanText(phrase, 80)}” ${problem}.`];
};

export const phraseCountProblems = ({length}: readonly string[]): readonly string[] => length > abilityLimits.triggerPhrases
	? [`There are ${length} trigger phrases; an ability may have at most ${abilityLimits.triggerPhrases}.`]
	: [];

export const nameProblems = (name: string): readonly string[] => {
	if (cleanName(name) === '') {
		return ['A name is empty.'];
	}

	const problem = storedTextProblem(name);
	return problem === undefined ? [] : [`The name “${cleanName(name)}” ${problem}.`];
};

/** Problems with a name that a record is to get: nobody could type one with a character that is not seen. */
export const newNameProblems = (name: string): readonly string[] => {
	const problems = nameProblems(name);
	return problems.length === 0 && hasHiddenCharacters(name) ? [`The name “${cleanName(name)}” may not contain an invisible character.`] : problems;
};
