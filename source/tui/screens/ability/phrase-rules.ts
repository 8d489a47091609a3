import {splitTriggerPhrases, triggerPhraseProblem} from '../../../interface/names.ts';

/**
Finds the first phrase of a comma-separated list that breaks a rule, and says why in a sentence.

@param accepted - phrases that the service already has: they are not checked again.
*/
export const phrasesProblem = (list: string, accepted: readonly string[] = []): string | undefined => {
	for (const phrase of splitTriggerPhrases(list)) {
		const problem = accepted.includes(phrase) ? undefined : triggerPhraseProblem(phrase);
		if (problem !== undefined) {
			return `“${phrase}” ${problem}.`;
		}
	}

	return undefined;
};

/** True if an empty list would leave a skill that nothing starts. An unknown category may be a skill. */
export const leavesSkillSilent = (category: string, list: string): boolean =>
	(category === 'skill' || category === '') && splitTriggerPhrases(list).length === 0;

export const silentSkillText = 'A skill starts on a trigger phrase. Without one, nothing that is said starts it.';
