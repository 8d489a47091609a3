import {hasMorePhrases, type InstalledAbility} from '../interface/records.ts';

/** Whether an installed ability has exactly these trigger phrases, in any order; `undefined` if the service does not show them all. */
export const hasPhrases = ({raw, triggerPhrases}: InstalledAbility, phrases: readonly string[]): boolean | undefined =>
	Object.hasOwn(raw, 'trigger_words') && !hasMorePhrases(raw)
		? new Set(triggerPhrases).symmetricDifference(new Set(phrases)).size === 0
		: undefined;
