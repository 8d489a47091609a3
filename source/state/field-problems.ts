import {checkDescription, checkTriggerPhrases} from '../bundle/check-draft.ts';
import {hasHiddenCharacters} from '../interface/clean-text.ts';
import type {SwitchboardError} from '../interface/errors.ts';
import {storedTextProblem} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';

/*
Values that no state file may have because no service accepts them. Each returns sentences; none if all is well. Export asks them too: what
they refuse could not be read back.
*/

export function promptProblems(prompt: string): readonly string[] {
	const problem = storedTextProblem(prompt);
	return problem === undefined ? [] : [`The prompt ${problem}.`];
}

const messagesOf = (problems: readonly SwitchboardError[]): readonly string[] => problems.map(({message}) => message);

export function descriptionProblems(description: string): readonly string[] {
	return messagesOf(checkDescription(description));
}

export function phraseProblems(phrases: readonly string[]): readonly string[] {
	return messagesOf(checkTriggerPhrases(phrases));
}

export function nameProblems(name: string): readonly string[] {
	if (cleanName(name) === '') {
		return ['A name is empty.'];
	}

	const problem = storedTextProblem(name);
	return problem === undefined ? [] : [`The name “${cleanName(name)}” ${problem}.`];
}

/** Problems with a name that a record is to get: nobody could type one with a character that is not seen. */
export function newNameProblems(name: string): readonly string[] {
	const problems = nameProblems(name);
	return problems.length === 0 && hasHiddenCharacters(name)
		? [`The name “${cleanName(name)}” may not contain an invisible character.`]
		: problems;
}
