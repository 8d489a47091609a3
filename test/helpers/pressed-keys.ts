const sequences = new Map([
	['space', ' '],
	['enter', '\r'],
	['escape', '\u{1B}'],
	['tab', '\t'],
	['shift+tab', '\u{1B}[Z'],
	['backspace', '\u{7F}'],
	['delete', '\u{1B}[3~'],
	['up', '\u{1B}[A'],
	['down', '\u{1B}[B'],
	['right', '\u{1B}[C'],
	['left', '\u{1B}[D'],
	['home', '\u{1B}[H'],
	['end', '\u{1B}[F'],
	['pageup', '\u{1B}[5~'],
	['pagedown', '\u{1B}[6~'],
	['f1', '\u{1B}OP'],
]);

/** What a terminal sends for a key, by the name that the program knows it by; a character sends itself. */
export const sequenceOf = (key: string): string => {
	const letter = /^ctrl\+(?<letter>[a-z])$/.exec(key)?.groups?.['letter'];
	return letter === undefined ? sequences.get(key) ?? key : String.fromCodePoint(letter.codePointAt(0)! - 96);
};
