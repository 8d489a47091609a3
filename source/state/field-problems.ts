import {checkDescription, checkTriggerPhrases} from '../bundle/check-draft.ts';
import {hasHiddenCharacters} from '../interface/clean-text.ts';
import type {SwitchboardError} from '../interface/errors.ts';
import {storedTextProblem} from '../interface/names.ts';
import {cleanName} from '../interface/records.ts';
import type {NamedPlace, Problem} from './state.ts';

/*
Values that no state file may have because no service accepts them. Each function returns sentences; none if the value is valid. Export uses
them too, because a value that they refuse could not be read back.
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

function nameProblems(name: string): readonly string[] {
	if (cleanName(name) === '') {
		return ['A name is empty.'];
	}

	const problem = storedTextProblem(name);
	return problem === undefined ? [] : [`The name “${cleanName(name)}” ${problem}.`];
}

/** Returns the problems with a new name for a record: nobody could type a name with an invisible character. */
export function newNameProblems(name: string): readonly string[] {
	const problems = nameProblems(name);
	return problems.length === 0 && hasHiddenCharacters(name)
		? [`The name “${cleanName(name)}” may not contain an invisible character.`]
		: problems;
}

/** Returns the problems with names that must differ from all names before them. Names that differ in case only may be two records. */
export function checkNames(names: readonly NamedPlace[]): readonly Problem[] {
	const first = new Map<string, NamedPlace>();
	return names.flatMap((named): readonly Problem[] => {
		const {name, place} = named;
		const problems = nameProblems(name);
		if (problems.length > 0) {
			return problems.map(message => ({place, message}));
		}

		const earlier = first.get(cleanName(name));
		first.set(cleanName(name), earlier ?? named);
		return earlier === undefined ? [] : [{place, message: `“${cleanName(name)}” occurs twice, first in line ${earlier.place.line}.`}];
	});
}
