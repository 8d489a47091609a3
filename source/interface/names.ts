import {cleanText, normalizeText} from './clean-text.ts';
import {SwitchboardError} from './errors.ts';

/** The problem of a value, as a clause that follows the field's label; `undefined` if it is valid. */
type Problem = string | undefined;

/**
Returns the problem of an ability's name that no service can take. The service decides about all other names (`docs/interface.md`, Upload).
*/
export function abilityNameProblem(name: string): Problem {
	return name.trim() === '' ? 'is needed' : storedTextProblem(name);
}

/** Tells whether a name has the form that the vendor's client asks for. Services also take other names (`docs/interface.md`, Upload). */
export function isPlainAbilityName(name: string): boolean {
	return /^[a-z][\da-z]*$/i.test(name);
}

/** Returns the letters and digits of an ability's name, for the names of files and folders in a package: every system takes them. */
export function packageName(name: string): string {
	const plain = normalizeText(name.slice(0, 400), 'NFKD')
		.replaceAll(/[^\da-z]/gi, '')
		.replace(/^\d+/, '')
		.slice(0, 100);
	return plain === '' ? 'ability' : plain;
}

/**
Returns the problem of a trigger phrase: it has letters, digits, spaces, `'` and `-`, with at least four letters (`docs/interface.md`,
Upload).
*/
export function triggerPhraseProblem(phrase: string): Problem {
	// Before the rules that inspect every character.
	if (phrase.length > 200) {
		return 'may be at most 200 characters long';
	}

	const wrong = /[^\p{Decimal_Number}\p{Letter}\p{Mark} '-]/u.exec(phrase)?.[0];
	if (wrong !== undefined) {
		return `may contain only letters, digits, spaces, ' and -, not ${quoteCharacter(wrong)}`;
	}

	return (phrase.match(/\p{Letter}/gu)?.length ?? 0) < 4 ? 'must have at least four letters' : undefined;
}

/** Returns a character in a message. A character that a terminal would obey or hide is described. */
function quoteCharacter(character: string): string {
	if (character === ' ') {
		return 'a space';
	}

	const shown = cleanText(character);
	return shown === '' || !character.isWellFormed() ? 'an invisible character' : `“${shown}”`;
}

/** Phrases trimmed, without empty ones and duplicates. */
export function tidyTriggerPhrases(phrases: readonly string[]): readonly string[] {
	return [...new Set(phrases.map(phrase => phrase.trim()).filter(phrase => phrase !== ''))];
}

/** Returns a phrase as services take it: `’`, which phones and word processors type, is refused where `'` is not. */
export function straightenPhrase(phrase: string): string {
	return phrase.replaceAll('’', "'");
}

/** Returns phrases as they are sent. Phrases that the record has already stay as they are. */
export function straightenPhrases(phrases: readonly string[], known: readonly string[] = []): readonly string[] {
	return tidyTriggerPhrases(phrases.map(phrase => (known.includes(phrase) ? phrase : straightenPhrase(phrase))));
}

/** Returns a note for each phrase that is sent in another spelling. */
export function straightenedNotes(phrases: readonly string[], known?: readonly string[]): readonly string[] {
	const sent = straightenPhrases(phrases, known);
	return phrases
		.filter(phrase => !sent.includes(phrase))
		.map(phrase => `The trigger phrase is sent as “${cleanText(straightenPhrase(phrase), 200)}”, with ' for ’.`);
}

/** Returns the phrases of a comma-separated list. */
export function splitTriggerPhrases(list: string): readonly string[] {
	return tidyTriggerPhrases(list.split(','));
}

export function refuseField(field: string, label: string, problem: Problem): void {
	if (problem !== undefined) {
		throw new SwitchboardError('refused', `${label} ${problem}.`, {field});
	}
}

/**
Returns the problem with a text that is to be stored as it is, as a clause that follows its label; `undefined` if there is none. Not every
step on the way to a database and back keeps U+0000, which ends a text for some programs, or half of a surrogate pair, which has no UTF-8
form (RFC 3629, section 3).
*/
export function storedTextProblem(text: string): string | undefined {
	if (text.includes('\0')) {
		return 'contains the character U+0000';
	}

	return text.isWellFormed() ? undefined : 'contains half of a surrogate pair, which is not a character';
}
