import {cleanText, hasHiddenCharacters, normalizeText} from '../interface/clean-text.ts';
import {refuseField, triggerPhraseProblem} from '../interface/names.ts';

/** Returns a name as it is stored and compared: trimmed, in the normal form of Unicode. */
export function normalizeName(name: string): string {
	return normalizeText(name.trim());
}

/** Some emoji are several joined signs, which screens show separately (`cleanText`). */
const withoutJoiners = (name: string): string => name.replaceAll(/[\u{200D}\u{FE0F}]/gu, '');

/** Returns the problem of a name that people choose freely, as a clause that follows its label; `undefined` if it has none. */
export function displayNameProblem(name: string, maximumLength: number): string | undefined {
	const normalized = normalizeName(name);
	if (normalized === '') {
		return 'must not be empty';
	}

	return [...normalized].length > maximumLength
		? `may be at most ${maximumLength} characters long`
		: !hasHiddenCharacters(normalized) && withoutJoiners(cleanText(normalized)) === withoutJoiners(normalized)
			? undefined
			: 'must not contain control, invisible or line-break characters';
}

/**
Reads the name of an ability.

@throws SwitchboardError `refused`, naming the field.
*/
export function readAbilityName(name: string): string {
	checkField('name', displayNameProblem(name, 200));
	const normalized = normalizeName(name);
	checkField('name', /^\d+$/.test(normalized) ? 'must not be digits alone, which would be an id' : undefined);
	return normalized;
}

/** @throws SwitchboardError `refused`, naming the field, if there is a problem: a clause. */
export function checkField(field: string, problem: string | undefined): void {
	refuseField(field, `The field ${field}`, problem);
}

/** @throws SwitchboardError `refused`, naming the field, if the text is too long. */
export function checkLength(field: string, text: string, maximumLength: number): void {
	checkField(field, text.length > maximumLength ? `may be at most ${maximumLength} characters long` : undefined);
}

/** @throws SwitchboardError `refused`, naming the field and the phrase, if the phrase is not valid. */
export function checkTriggerPhrase(phrase: string): void {
	refuseField('trigger_words', `The field trigger_words is not valid: “${cleanText(phrase, 220)}”`, triggerPhraseProblem(phrase));
}
