import type {Key} from '../../terminal/key.ts';
import {graphemes} from '../../terminal/wrap.ts';

/** A line of text and the position of the cursor in it, in UTF-16 units. */
export type EditedText = {readonly value: string; readonly offset: number};

/** A place in a text, relative to another one. */
export type Reach = (text: string, from: number) => number;

/** Longer than a character of any script. Segmenting all of a long text would take too long for a key. */
const longestCharacter = 256;

/** The start of the character before the cursor. A grapheme counts as one character, however many code points it has. */
export const characterBefore: Reach = (text, from) => {
	const start = Math.max(0, from - longestCharacter);
	return start + ([...graphemes.segment(text.slice(start, from))].at(-1)?.index ?? 0);
};

export const characterAfter: Reach = (text, from) => {
	const [next] = graphemes.segment(text.slice(from, from + longestCharacter));
	return from + (next?.segment.length ?? 0);
};

/** Words are separated by spaces, as for Ctrl+W in a terminal. A pattern would start over at every space of a long paste. */
export const wordBefore: Reach = (text, from) => {
	let start = text.slice(0, from).trimEnd().length;
	while (start > 0 && /\S/u.test(text[start - 1]!)) {
		start--;
	}

	return start;
};

export const wordAfter: Reach = (text, from) => from + /^\s*\S*/u.exec(text.slice(from))![0].length;

export const textStart: Reach = () => 0;

export const textEnd: Reach = text => text.length;

const moves: Readonly<Record<string, Reach>> = {
	left: characterBefore,
	'ctrl+b': characterBefore,
	right: characterAfter,
	'ctrl+f': characterAfter,
	home: textStart,
	'ctrl+a': textStart,
	end: textEnd,
	'ctrl+e': textEnd,
	'ctrl+left': wordBefore,
	'alt+left': wordBefore,
	'alt+b': wordBefore,
	'ctrl+right': wordAfter,
	'alt+right': wordAfter,
	'alt+f': wordAfter,
};

/** Each key deletes from the cursor to this offset. */
const deletions: Readonly<Record<string, Reach>> = {
	backspace: characterBefore,
	delete: characterAfter,
	'ctrl+d': characterAfter,
	'ctrl+w': wordBefore,
	'alt+backspace': wordBefore,
	'alt+d': wordAfter,
	'ctrl+k': textEnd,
};

/** Returns the text after a key of a shell's line editor; `undefined` for any other key. Ctrl+U clears the line. */
export function editText({name}: Pick<Key, 'name'>, {value, offset}: EditedText): EditedText | undefined {
	if (name === 'ctrl+u') {
		return {value: '', offset: 0};
	}

	const end = (moves[name] ?? deletions[name])?.(value, offset);
	if (end === undefined || moves[name] !== undefined) {
		return end === undefined ? undefined : {value, offset: end};
	}

	const from = Math.min(offset, end);
	return {value: value.slice(0, from) + value.slice(Math.max(offset, end)), offset: from};
}

/** Returns the text with another one inserted at the cursor. */
export function insertText({value, offset}: EditedText, inserted: string): EditedText {
	return {value: value.slice(0, offset) + inserted + value.slice(offset), offset: offset + inserted.length};
}

/** Returns the start of a text, as far as there is room, without half a character at its end. */
export function startWithin(text: string, room: number): string {
	return text.slice(0, Math.max(0, room)).replace(/[\u{D800}-\u{DBFF}]$/u, '');
}

/** A line for filtering, searching or choosing has no more characters, in UTF-16 units, because it is searched for at every key. */
export const maximumLineLength = 1000;

/** Returns the line with a text at its end, as far as there is room. */
export function withPasted(line: string, text: string): string {
	return line + startWithin(text.replaceAll('\n', ' '), maximumLineLength - line.length);
}

const lineDeletions: ReadonlySet<string> = new Set(['backspace', 'ctrl+w', 'ctrl+u']);

/**
Returns the line after a key that types at its end, or deletes the last character, the last word or everything; `undefined` for any other
key. A full line stays as it is.
*/
export function editedLine(line: string, key: Key): string | undefined {
	if (lineDeletions.has(key.name)) {
		return editText(key, {value: line, offset: line.length})?.value;
	}

	if (key.text === '') {
		return undefined;
	}

	return line.length + key.text.length > maximumLineLength ? line : line + key.text;
}
