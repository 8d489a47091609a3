import {cleanText} from '../interface/clean-text.ts';
import {normalizeText} from '../interface/normalize-text.ts';

/** A name as it is stored and compared: trimmed, in the normal form of Unicode. */
export const normalizeName = (name: string): string => normalizeText(name.trim());

/** What is wrong with a name that people choose freely, as a clause that follows its label; `undefined` if nothing is. */
export const displayNameProblem = (name: string, maximumLength: number): string | undefined => {
	const normalized = normalizeName(name);
	if (normalized === '') {
		return 'must not be empty';
	}

	return normalized.length > maximumLength
		? `may be at most ${maximumLength} characters long`
		: (cleanText(normalized) === normalized ? undefined : 'must not contain control or invisible characters');
};
