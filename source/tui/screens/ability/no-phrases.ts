import {splitTriggerPhrases} from '../../../interface/names.ts';

/** True where a list of phrases would leave a skill that nobody could start. A category that the service does not give is perhaps a skill. */
export const leavesSkillSilent = (category: string, list: string): boolean =>
	(category === 'skill' || category === '') && splitTriggerPhrases(list).length === 0;

export const silentSkillText = 'A skill runs on a trigger phrase: without one, nothing that is said starts it.';
