import {removeKeys} from '../client/redact-key.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {passwordsIn} from '../platform/database-url.ts';
import {keyVariables} from '../platform/key-variables.ts';

/** Keys are long, and have letters and a longer part with digits; a name of that kind is rare, and hiding one costs little. */
const isKeyLike = (text: string): boolean =>
	text.length >= 16 && /[a-z]/i.test(text) && text.split('-').some(part => part.length >= 8 && /\d/.test(part));

/** The parts of a word of the command line that may be a key. A name or a path of several words is none, unless it stands where no word belongs. */
const keyLikeParts = (word: string, isMisplaced: boolean): readonly string[] =>
	(word.match(isMisplaced ? /\b[\w-]+/g : /\w+/g) ?? []).filter(part => isKeyLike(part));

/** True for the keys of the bundled service and those that others begin in the same way. */
const hasKeyPrefix = (part: string): boolean => /^(?:sb|sk|pk)[-_]/.test(part);

const giveKeyElsewhere = 'Keys are not given on the command line: run switchboard login, or set SWITCHBOARD_API_KEY.';

const noKeyNeeded = 'Keys are not given on the command line: the server has its own.';

type CommandLineWords = {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly isMisplaced: boolean;
	readonly isOverSsh?: boolean;
};

const withTexts = ({kind, status, field, isOutcomeUnknown}: SwitchboardError, message: string, nextStep: string | undefined): SwitchboardError =>
	new SwitchboardError(kind, message, {
		nextStep, status, field, isOutcomeUnknown,
	});

/** The passwords in the URLs of the command line. */
const hidePasswords = (error: SwitchboardError, words: readonly string[]): SwitchboardError => {
	const passwords = words.flatMap(word => passwordsIn(word));
	const message = removeKeys(error.message, passwords);
	const nextStep = error.nextStep && removeKeys(error.nextStep, passwords);
	return message === error.message && nextStep === error.nextStep ? error : withTexts(error, message, nextStep);
};

/**
The error without the keys and passwords that the command line holds: where the command line is wrong what looks like a key,
since one was probably put where none belongs; everywhere those of the environment, and those that begin like one.

@param isMisplaced - true if the words do not fit the command line at all.
@param isOverSsh - true for someone who came over SSH and needs no key.
*/
export const hideKeys = (given: SwitchboardError, {words, env, isMisplaced, isOverSsh = false}: CommandLineWords): SwitchboardError => {
	const error = hidePasswords(given, words);
	const isUsage = error.kind === 'usage';
	const guessed = words.flatMap(word => [
		...(isUsage ? keyLikeParts(word, isMisplaced) : []),
		...keyLikeParts(word, true).filter(part => hasKeyPrefix(part)),
	]);
	const known = keyVariables.map(name => env[name]?.trim() ?? '').filter(key => key !== '' && words.some(word => word.includes(key)));
	const redact = (text: string): string => removeKeys(text, [...known, ...guessed]);
	const message = redact(error.message);
	const nextStep = error.nextStep && redact(error.nextStep);
	return message === error.message && nextStep === error.nextStep
		? error
		: withTexts(error, message, isUsage ? (isOverSsh ? noKeyNeeded : giveKeyElsewhere) : nextStep);
};
