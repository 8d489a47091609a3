import {findField, type Values} from '../../changes/fields.ts';
import {categories, categoryLabel, categoryMeanings} from '../../interface/categories.ts';
import {counted, wordList} from '../../interface/format-count.ts';
import {splitTriggerPhrases, straightenPhrase, triggerPhraseProblem} from '../../interface/names.ts';
import type {Resource} from '../../interface/records.ts';

/* The words for fields that are edited in a form. */

/** With a longer list a message would need more than its line. */
const maximumListLength = 48;

/** Returns a list such as “good morning” and “wake the house”. */
export function quotedList(phrases: readonly string[]): string {
	return wordList(phrases.map(phrase => `“${phrase}”`));
}

/** Returns the phrases in quotation marks, or their number. */
export function phraseListText(phrases: readonly string[]): string {
	const list = quotedList(phrases);
	return phrases.length === 0 ? 'no trigger phrases' : list.length > maximumListLength ? counted(phrases.length, 'trigger phrase') : list;
}

/** Returns a clause that follows the name of an ability, such as: listens for “good morning” and “wake the house”. */
export function phrasesText(phrases: readonly string[]): string {
	return `${phrases.length === 0 ? 'has' : 'listens for'} ${phraseListText(phrases)}`;
}

/** Returns a count such as “1 ability”. */
export function abilityCountText(count: number): string {
	return count === 0 ? 'no abilities' : count === 1 ? '1 ability' : `${count} abilities`;
}

/** Returns the fields of changes in words, such as “name and description”. */
export function changedText(resource: Resource, values: Values): string {
	return Object.entries(values)
		.flatMap(([name, value]) => (value === undefined ? [] : (findField(resource, name)?.noun ?? [])))
		.join(' and ');
}

/**
Returns a sentence about the first phrase of a comma-separated list that breaks a rule.

@param accepted - phrases that the service already has: they are not checked again.
*/
export function phrasesProblem(list: string, accepted: readonly string[] = []): string | undefined {
	for (const phrase of splitTriggerPhrases(list)) {
		const problem = accepted.includes(phrase) ? undefined : triggerPhraseProblem(straightenPhrase(phrase));
		if (problem !== undefined) {
			return `“${phrase}” ${problem}.`;
		}
	}

	return undefined;
}

/** Tells whether an empty list would leave a skill without a way to start it. An unknown category may be a skill. */
export function leavesSkillSilent(category: string, list: string): boolean {
	return (category === 'skill' || category === '') && splitTriggerPhrases(list).length === 0;
}

export const silentSkillText = 'A skill starts on a trigger phrase. Without one, nothing that is said starts it.';

export const categoryChoices = categories.map(value => ({value, label: categoryLabel(value), meaning: categoryMeanings[value]}));
