import {keyNameByFinalLetter, keyNameByTildeNumber} from './key-tables.ts';

/** One key press, however the terminal encoded it. */
export type Key = {
	/**
	Its name in the key table: the character itself if it types one, else `space`, `enter`, `escape`, `tab`,
	`backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pageup`, `pagedown`, `f1` …, with
	`ctrl+`, `alt+`, `super+` and `shift+` before it, in that order (`ctrl+d`, `alt+x`, `shift+tab`, `ctrl+shift+up`).
	*/
	readonly name: string;
	/** The text it types into a field; empty if none. Never contains a control character. */
	readonly text: string;
	/** The form of the key press that Ink reads without waiting for more bytes; empty if Ink knows none. */
	readonly sequence: string;
	/** True for Alt and a key whose ESC came before the rest: more likely Escape, and then that key. */
	readonly isInTwoParts?: boolean;
};

export type Modifiers = {
	readonly hasShift: boolean;
	readonly hasAlt: boolean;
	readonly hasCtrl: boolean;
	readonly hasSuper: boolean;
};

export const noModifiers: Modifiers = {
	hasShift: false,
	hasAlt: false,
	hasCtrl: false,
	hasSuper: false,
};

const hasBit = (bits: number, bit: number): boolean => Math.floor(bits / bit) % 2 === 1;

/** Reads xterm's modifier parameter: 1 plus the sum of shift (1), alt (2), control (4) and, in newer protocols, more. */
export const toModifiers = (parameter: number): Modifiers => {
	const bits = Math.max(0, parameter - 1);
	return {
		hasShift: hasBit(bits, 1),
		hasAlt: hasBit(bits, 2),
		hasCtrl: hasBit(bits, 4),
		// Super, hyper and meta; caps lock (64) and num lock (128) are ignored.
		hasSuper: hasBit(bits, 8) || hasBit(bits, 16) || hasBit(bits, 32),
	};
};

const toParameter = ({hasShift, hasAlt, hasCtrl, hasSuper}: Modifiers): number =>
	1 + Number(hasShift) + (2 * Number(hasAlt)) + (4 * Number(hasCtrl)) + (8 * Number(hasSuper));

const nameWith = (name: string, {hasShift, hasAlt, hasCtrl, hasSuper}: Modifiers): string =>
	(hasCtrl ? 'ctrl+' : '') + (hasAlt ? 'alt+' : '') + (hasSuper ? 'super+' : '') + (hasShift ? 'shift+' : '') + name;

/** Xterm's final letter, or number before `~`, of each function key that Ink knows: those up to F12. */
const functionKeyForms = new Map<string, string | number>([
	...[...keyNameByTildeNumber].filter(([number]) => number <= 24),
	...keyNameByFinalLetter,
].map(([form, name]) => [name, form]));

const functionKeySequence = (name: string, parameter: number): string => {
	const form = functionKeyForms.get(name);
	if (form === undefined) {
		return '';
	}

	if (typeof form === 'number') {
		return parameter === 1 ? `\u{1B}[${form}~` : `\u{1B}[${form};${parameter}~`;
	}

	const introducer = /^f\d/.test(name) ? '\u{1B}O' : '\u{1B}[';
	return parameter === 1 ? introducer + form : `\u{1B}[1;${parameter}${form}`;
};

/** A key that types no character: an arrow, Home, F5 … */
export const functionKey = (name: string, modifiers: Modifiers = noModifiers): Key => ({
	name: nameWith(name, modifiers),
	text: '',
	sequence: functionKeySequence(name, toParameter(modifiers)),
});

const escapeSequence = '\u{1B}[27u';

/** What each control key sends to Ink. After a bare ESC Ink would wait for more, and join it with the next key. */
const controlKeySequences = new Map([
	['enter', '\r'],
	['tab', '\t'],
	['backspace', '\u{7F}'],
	['escape', escapeSequence],
]);

/** Enter, Tab, Backspace or Escape. */
export const controlKey = (name: 'enter' | 'tab' | 'backspace' | 'escape', modifiers: Modifiers = noModifiers): Key => {
	const plain = controlKeySequences.get(name)!;
	const parameter = toParameter(modifiers);
	const isShiftTab = name === 'tab' && parameter === 2;
	return {
		name: nameWith(name, modifiers),
		text: '',
		sequence: isShiftTab ? '\u{1B}[Z' : parameter === 1 ? plain : parameter === 3 && name !== 'escape' ? '\u{1B}' + plain : '',
	};
};

/** A character that types itself. */
export const characterKey = (text: string): Key => ({name: text === ' ' ? 'space' : text, text, sequence: text});

/** A character pressed with Control, Alt or Super, which types nothing. */
export const chordKey = (character: string, modifiers: Modifiers): Key => {
	const name = nameWith(character === ' ' ? 'space' : character, modifiers);
	const {hasShift, hasAlt, hasCtrl, hasSuper} = modifiers;
	const control = hasCtrl && /^[ @-_]$/i.test(character) ? String.fromCodePoint(character === ' ' ? 0 : character.codePointAt(0)! % 32) : undefined;
	const isKnownToInk = !hasSuper && !hasShift && (!hasCtrl || control !== undefined);
	return {name, text: '', sequence: isKnownToInk ? (hasAlt ? '\u{1B}' : '') + (control ?? character) : ''};
};
