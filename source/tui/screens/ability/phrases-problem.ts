import {triggerPhraseProblem, splitTriggerPhrases} from '../../../interface/names.ts';

/**
What is wrong with the phrases of a comma-separated list, as a sentence about the first that breaks a rule.

@param accepted - phrases that the service has already: they are not judged again.
*/
export const phrasesProblem = (list: string, accepted: readonly string[] = []): string | undefined => {
	for (const phrase of splitTriggerPhrases(list)) {
		const complaint = accepted.includes(phrase) ? undefined : triggerPhraseProblem(phrase);
		if (complaint !== undefined) {
			return `“${phrase}” ${complaint}.`;
		}
	}

	return undefined;
};
