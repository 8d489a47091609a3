/** One press of a key, whatever form the line gave it. */
export type Key = {
	/**
	What the key table knows it by: the character itself where it types one, else `space`, `enter`, `escape`, `tab`,
	`backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pageup`, `pagedown`, `f1` …, with
	`ctrl+`, `alt+`, `super+` and `shift+` before it, in that order (`ctrl+d`, `alt+x`, `shift+tab`, `ctrl+shift+up`).
	*/
	readonly name: string;
	/** What it types into a field; empty where it types nothing. Never holds a control character. */
	readonly text: string;
	/** The same press in the one form that Ink reads without waiting for more; empty where Ink knows none. */
	readonly sequence: string;
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

/** Xterm's parameter: one more than the sum of 1 shift, 2 alt, 4 control; from 8 on, what only newer keyboards send. */
export const toModifiers = (parameter: number): Modifiers => {
	const bits = Math.max(0, parameter - 1);
	return {
		hasShift: hasBit(bits, 1),
		hasAlt: hasBit(bits, 2),
		hasCtrl: hasBit(bits, 4),
		// Super, hyper and meta; caps lock (64) and num lock (128) are no modifiers of a press.
		hasSuper: hasBit(bits, 8) || hasBit(bits, 16) || hasBit(bits, 32),
	};
};

const toParameter = ({hasShift, hasAlt, hasCtrl, hasSuper}: Modifiers): number =>
	1 + Number(hasShift) + (2 * Number(hasAlt)) + (4 * Number(hasCtrl)) + (8 * Number(hasSuper));

const nameWith = (name: string, {hasShift, hasAlt, hasCtrl, hasSuper}: Modifiers): string =>
	(hasCtrl ? 'ctrl+' : '') + (hasAlt ? 'alt+' : '') + (hasSuper ? 'super+' : '') + (hasShift ? 'shift+' : '') + name;

/** How xterm says the keys that are no characters: a final letter, or a number before `~`. */
const functionKeyForms = new Map<string, string | number>([
	['up', 'A'],
	['down', 'B'],
	['right', 'C'],
	['left', 'D'],
	['end', 'F'],
	['home', 'H'],
	['f1', 'P'],
	['f2', 'Q'],
	['f3', 'R'],
	['f4', 'S'],
	['insert', 2],
	['delete', 3],
	['pageup', 5],
	['pagedown', 6],
	['f5', 15],
	['f6', 17],
	['f7', 18],
	['f8', 19],
	['f9', 20],
	['f10', 21],
	['f11', 23],
	['f12', 24],
]);

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

/** A key that is no character: an arrow, Home, F5 … */
export const functionKey = (name: string, modifiers: Modifiers = noModifiers): Key => ({
	name: nameWith(name, modifiers),
	text: '',
	sequence: functionKeySequence(name, toParameter(modifiers)),
});

const escapeSequence = '\u{1B}[27u';

/** What each named control key sends to Ink. A bare ESC would make Ink wait for more, and join the next key to it. */
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

/** A character held down together with Control, Alt or Super, which types nothing. */
export const chordKey = (character: string, modifiers: Modifiers): Key => {
	const name = nameWith(character === ' ' ? 'space' : character, modifiers);
	const {hasShift, hasAlt, hasCtrl, hasSuper} = modifiers;
	const control = hasCtrl && /^[ @-_]$/i.test(character) ? String.fromCodePoint(character === ' ' ? 0 : character.codePointAt(0)! % 32) : undefined;
	const isKnownToInk = !hasSuper && !hasShift && (!hasCtrl || control !== undefined);
	return {name, text: '', sequence: isKnownToInk ? (hasAlt ? '\u{1B}' : '') + (control ?? character) : ''};
};
