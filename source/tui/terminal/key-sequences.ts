import {
	controlKeyByCodePoint,
	keypadCharacterByLetter,
	keypadCharacterByCodePoint,
	keyNameByFinalLetter,
	keyNameByTildeNumber,
	keyNameByCodePoint,
} from './key-tables.ts';
import {
	characterKey,
	chordKey,
	controlKey,
	functionKey,
	noModifiers,
	toModifiers,
	type Key,
	type Modifiers,
} from './key.ts';

const shift: Modifiers = {...noModifiers, hasShift: true};

/** Rxvt encodes modifiers as the final character. */
const rxvtModifiers = new Map<string, Modifiers>([
	['~', noModifiers],
	['$', shift],
	['^', {...noModifiers, hasCtrl: true}],
	['@', {...noModifiers, hasCtrl: true, hasShift: true}],
]);

/** A key given by code point and modifiers: kitty's CSI u, xterm's modifyOtherKeys. */
const keyOfCodePoint = (codePoint: number, modifiers: Modifiers): Key | undefined => {
	const control = controlKeyByCodePoint.get(codePoint);
	if (control !== undefined) {
		return controlKey(control, modifiers);
	}

	const name = keyNameByCodePoint.get(codePoint);
	if (name !== undefined) {
		return functionKey(name, modifiers);
	}

	const character = keypadCharacterByCodePoint.get(codePoint) ?? (codePoint <= 0x10_FF_FF ? String.fromCodePoint(codePoint) : '');
	if (!/^[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol} ]$/u.test(character)) {
		return undefined;
	}

	if (modifiers.hasCtrl || modifiers.hasAlt || modifiers.hasSuper) {
		// Ctrl+[ is Escape in ASCII.
		return character === '[' && modifiers.hasCtrl && !modifiers.hasAlt && !modifiers.hasSuper ? controlKey('escape') : chordKey(character, modifiers);
	}

	return characterKey(modifiers.hasShift ? character.toUpperCase() : character);
};

/** The number of a parameter; subparameters (after a colon) are ignored. */
const toNumber = (parameter: string | undefined): number | undefined => {
	const digits = /^\d+/.exec(parameter ?? '')?.[0];
	return digits === undefined ? undefined : Number(digits);
};

/** CSI sequences that do not follow the pattern of parameters and a final character. */
const keyOfIrregularSequence = (sequence: string): Key | undefined => {
	if (/^\[[A-E]$/.test(sequence)) {
		// The Linux console.
		return functionKey(`f${'ABCDE'.indexOf(sequence[1]!) + 1}`);
	}

	if (/^[a-d]$/.test(sequence)) {
		// Rxvt's arrows.
		return functionKey(keyNameByFinalLetter.get(sequence.toUpperCase())!, shift);
	}

	return sequence === 'Z' ? controlKey('tab', shift) : undefined;
};

type Parameters = {
	/** `undefined` if not given. */
	readonly first: number | undefined;
	readonly second: number | undefined;
	readonly third: number | undefined;
	readonly final: string;
};

const readParameters = (sequence: string): Parameters | undefined => {
	const {first, second, third, final = ''} = /^(?<first>[\d:]+)?(?:;(?<second>[\d:]*))?(?:;(?<third>[\d:]*))?(?<final>[$@A-Z^u~])$/.exec(sequence)?.groups ?? {};
	// The subparameter is the event type: press (1), repeat (2) or release (3).
	const isRelease = second?.split(':', 2)[1] === '3';
	return final === '' || isRelease
		? undefined
		: {
			first: toNumber(first),
			second: toNumber(second),
			third: toNumber(third),
			final,
		};
};

const keyOfLetter = ({first = 1, second, third, final}: Parameters): Key | undefined => {
	// `1;2R` is Shift+F3, but a cursor position report has the same shape.
	const isPositionReport = final === 'R' && second !== undefined && (second === 1 || second > 8);
	const name = first === 1 && third === undefined && !isPositionReport ? keyNameByFinalLetter.get(final) : undefined;
	return name === undefined ? undefined : functionKey(name, toModifiers(second ?? 1));
};

const keyOfNumber = ({first, second, third, final}: Parameters): Key | undefined => {
	if (first === undefined) {
		return undefined;
	}

	if (first === 27 && third !== undefined) {
		return keyOfCodePoint(third, toModifiers(second ?? 1));
	}

	const name = third === undefined ? keyNameByTildeNumber.get(first) : undefined;
	return name === undefined ? undefined : functionKey(name, second === undefined ? rxvtModifiers.get(final)! : toModifiers(second));
};

/**
The key of a complete CSI sequence, given without its introducer; `undefined` if it is no key press: mouse and focus
reports, responses of the terminal, key releases, unknown sequences.
*/
export const keyOfControlSequence = (sequence: string): Key | undefined => {
	const parameters = readParameters(sequence);
	if (parameters === undefined) {
		return keyOfIrregularSequence(sequence);
	}

	const {first, second, final} = parameters;
	if (final === 'u') {
		return first === undefined ? undefined : keyOfCodePoint(first, toModifiers(second ?? 1));
	}

	return rxvtModifiers.has(final) ? keyOfNumber(parameters) : (keyOfLetter(parameters) ?? keyOfIrregularSequence(sequence));
};

/** The key of a complete SS3 sequence, given without its introducer: `A`, `5A`, `p`. */
export const keyOfSingleShift = (sequence: string): Key | undefined => {
	const {modifier = '', letter = ''} = /^(?<modifier>\d*)(?<letter>.)$/.exec(sequence)?.groups ?? {};
	const modifiers = toModifiers(toNumber(modifier) ?? 1);
	const name = keyNameByFinalLetter.get(letter);
	if (name !== undefined) {
		return functionKey(name, modifiers);
	}

	if (/^[a-d]$/.test(letter)) {
		return functionKey(keyNameByFinalLetter.get(letter.toUpperCase())!, {...noModifiers, hasCtrl: true});
	}

	if (letter === 'M') {
		return controlKey('enter', modifiers);
	}

	const character = letter === 'X' ? '=' : keypadCharacterByLetter.get(letter);
	return character === undefined ? undefined : characterKey(character);
};
