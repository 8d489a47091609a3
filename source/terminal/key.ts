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
	/** True for Alt and a key whose ESC came before the rest: more likely Escape, and then that key. */
	readonly isInTwoParts?: boolean;
};

/** Returns a character that types itself. */
export function characterKey(text: string): Key {
	return {name: text === ' ' ? 'space' : text, text};
}

/** Returns a key that types nothing: an arrow, Enter, F5, a character pressed with Control or Alt. The modifiers are those of its name. */
export function namedKey(name: string, modifiers = ''): Key {
	return {name: modifiers + (name === ' ' ? 'space' : name), text: ''};
}

const controlNames = new Map([
	['\b', 'backspace'],
	['\t', 'tab'],
	['\n', 'enter'],
	['\r', 'enter'],
	['\u{1B}', 'escape'],
	['\u{7F}', 'backspace'],
]);

/** Returns the key of an ASCII character pressed with Alt. */
export function altKey(character: string): Key {
	return namedKey(controlNames.get(character) ?? character, 'alt+');
}

/**
Returns the key of a C0 control character or DEL: Control clears the upper bits of a letter. Until raw mode is on, Enter is a line feed.
*/
export function keyOfControlCharacter(character: string): Key {
	const name = controlNames.get(character);
	return name === undefined
		? namedKey(character === '\0' ? ' ' : String.fromCodePoint(character.codePointAt(0)! + 0x40).toLowerCase(), 'ctrl+')
		: namedKey(name);
}

/** Keys by the final letter of their CSI or SS3 sequence: xterm, and the Linux console's application mode. */
const namesByLetter = new Map(
	[...'ABCDFHPQRS'].map(
		(letter, index) => [letter, ['up', 'down', 'right', 'left', 'end', 'home', 'f1', 'f2', 'f3', 'f4'][index]!] as const,
	),
);

/** Keys by the number before `~` (or rxvt's `^`, `$`, `@`), from 1. 1 and 4 are Home and End of the VT220, 7 and 8 of rxvt. */
const namesByNumber =
	'home insert delete end pageup pagedown home end - - f1 f2 f3 f4 f5 - f6 f7 f8 f9 f10 - f11 f12 f13 f14 - f15 f16 - f17 f18 f19 f20'.split(
		' ',
	);

/** Rxvt encodes modifiers as the final character. */
const rxvtModifiers = new Map([
	['~', ''],
	['$', 'shift+'],
	['^', 'ctrl+'],
	['@', 'ctrl+shift+'],
]);

export function hasBit(bits: number, bit: number): boolean {
	return Math.floor(bits / bit) % 2 === 1;
}

/**
Returns the key of a complete CSI sequence, given without its introducer; `undefined` if it is not a key press: mouse and focus reports,
responses of the terminal, unknown sequences, and releases of keys, which kitty's protocol calls event 3.
*/
export function keyOfControlSequence(sequence: string): Key | undefined {
	if (/^\[[A-E]$/.test(sequence)) {
		// The Linux console.
		return namedKey(`f${'ABCDE'.indexOf(sequence[1]!) + 1}`);
	}

	if (sequence === 'Z') {
		return namedKey('tab', 'shift+');
	}

	if (/^[a-d]$/.test(sequence)) {
		// Rxvt's arrows.
		return namedKey(namesByLetter.get(sequence.toUpperCase())!, 'shift+');
	}

	const {
		first = '',
		second = '',
		final = '',
	} = /^(?<first>\d*)(?:;(?<second>\d*)(?::[12])?)?(?<final>[$@A-Z^~])$/.exec(sequence)?.groups ?? {};
	const modifiers = rxvtModifiers.get(final);
	if (modifiers !== undefined) {
		const name = namesByNumber[Number(first) - 1] ?? '-';
		return name === '-' ? undefined : namedKey(name, second === '' ? modifiers : modifiersOf(second));
	}

	// `1;2R` is Shift+F3, but a cursor position report has the same shape.
	const isPositionReport = final === 'R' && second !== '' && (Number(second) === 1 || Number(second) > 8);
	const name = (first === '' || first === '1') && !isPositionReport ? namesByLetter.get(final) : undefined;
	return name === undefined ? undefined : namedKey(name, modifiersOf(second));
}

/** Reads xterm's modifier parameter: 1 plus the sum of shift (1), alt (2), control (4), and super, hyper and meta (8 to 32). */
function modifiersOf(parameter: string): string {
	const bits = Math.max(0, Number(parameter) - 1);
	const isSuper = hasBit(bits, 8) || hasBit(bits, 16) || hasBit(bits, 32);
	return (hasBit(bits, 4) ? 'ctrl+' : '') + (hasBit(bits, 2) ? 'alt+' : '') + (isSuper ? 'super+' : '') + (hasBit(bits, 1) ? 'shift+' : '');
}

/** The characters of the keypad in application mode, from `ESC O j`. */
const keypadCharacters = '*+,-./0123456789';

/** Returns the key of a complete SS3 sequence, given without its introducer: `A`, `5A`, `M` on the keypad. */
export function keyOfSingleShift(sequence: string): Key | undefined {
	if (sequence === 'M') {
		return namedKey('enter');
	}

	const letter = sequence.at(-1)!;
	const character = keypadCharacters['jklmnopqrstuvwxy'.indexOf(sequence)];
	if (character !== undefined) {
		return characterKey(character);
	}

	// Rxvt's arrows with Control.
	const isRxvt = /[a-d]/.test(letter);
	const name = namesByLetter.get(isRxvt ? letter.toUpperCase() : letter);
	return name === undefined ? undefined : namedKey(name, isRxvt ? 'ctrl+' : modifiersOf(sequence.slice(0, -1)));
}

/**
The keys of one chunk that look like a text: it was pasted into a terminal without bracketed paste, or before the program asked for that. A
person who holds a key, types ahead or counts sends fewer characters, or equal ones.
*/
export type Chunk = {
	readonly text: string;
	/** True if it was taken as pasted; `undefined` until its first key is read. */
	isPasted?: boolean;
};

const fewestCharacters = 8;

const fewestDifferent = 5;

/** Returns the keys that arrived together as a text if they look like one. */
export function chunkOf(keys: readonly Key[]): Chunk | undefined {
	const text = keys.map(key => textOf(key)).join('');
	const isCommand = /^[/:]/.test(text);
	const characters = [...text.replaceAll('\n', '')];
	const isLong = characters.length >= fewestCharacters && new Set(characters).size >= fewestDifferent;
	return (isLong && !isCommand) || hasMoreLines(text, isCommand) ? {text} : undefined;
}

/** Escape right before a character means Alt and that character. */
const textOf = ({name, text}: Key): string =>
	name === 'enter' ? '\n' : (/^alt\+(?<character>.)$/u.exec(name)?.groups?.['character'] ?? text);

/** Tells whether a line follows the first one. After a filter or a command one key may follow: `/pantry`, Enter, Space. */
function hasMoreLines(text: string, isCommand: boolean): boolean {
	const end = text.indexOf('\n');
	const rest = end === -1 ? '' : text.slice(end).replaceAll('\n', '');
	return isCommand ? rest.trim().length > 1 : rest !== '';
}
