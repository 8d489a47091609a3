import {complainAboutTriggerPhrase, splitTriggerPhrases} from '../../../interface/names.ts';

/**
What is wrong with the phrases of a comma-separated list, as a sentence about the first that breaks a rule.

@param accepted - phrases that the service has already: they are not judged again.
*/
export const complainAboutPhrases = (list: string, accepted: readonly string[] = []): string | undefined => {
	for (const phrase of splitTriggerPhrases(list)) {
		const complaint = accepted.includes(phrase) ? undefined : complainAboutTriggerPhrase(phrase);
		if (complaint !== undefined) {
			return `“${phrase}” ${complaint}.`;
		}
	}

	return undefined;
};
