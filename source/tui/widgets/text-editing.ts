import {type Key} from '../terminal/key.ts';
import {graphemes} from './wrap.ts';

/** A line of text and where the cursor is in it, in UTF-16 units. */
export type EditedText = {readonly value: string; readonly offset: number};

/** The start of the character before the cursor. What reads as one character is one, however many code points it has. */
export const characterBefore = ({value, offset}: EditedText): number => [...graphemes.segment(value.slice(0, offset))].at(-1)?.index ?? 0;

export const characterAfter = ({value, offset}: EditedText): number => {
	const [next] = graphemes.segment(value.slice(offset));
	return offset + (next?.segment.length ?? 0);
};

/** Words are separated by spaces, as for Ctrl+W in a terminal. A pattern would start over at every space of a long paste. */
export const wordBefore = ({value, offset}: EditedText): number => {
	const end = value.slice(0, offset).trimEnd().length;
	let start = end;
	while (start > 0 && /\S/u.test(value[start - 1]!)) {
		start--;
	}

	return start;
};

export const wordAfter = ({value, offset}: EditedText): number => offset + /^\s*\S*/u.exec(value.slice(offset))![0].length;

const moves: Readonly<Record<string, (text: EditedText) => number>> = {
	left: characterBefore,
	'ctrl+b': characterBefore,
	right: characterAfter,
	'ctrl+f': characterAfter,
	home: () => 0,
	'ctrl+a': () => 0,
	end: ({value}) => value.length,
	'ctrl+e': ({value}) => value.length,
	'ctrl+left': wordBefore,
	'alt+left': wordBefore,
	'alt+b': wordBefore,
	'ctrl+right': wordAfter,
	'alt+right': wordAfter,
	'alt+f': wordAfter,
};

/** Each key deletes from the cursor to this offset. */
const deletions: Readonly<Record<string, (text: EditedText) => number>> = {
	backspace: characterBefore,
	delete: characterAfter,
	'ctrl+d': characterAfter,
	'ctrl+w': wordBefore,
	'alt+backspace': wordBefore,
	'alt+d': wordAfter,
	'ctrl+k': ({value}) => value.length,
};

/** The text after a key of a shell's line editor; `undefined` for any other key. Ctrl+U clears the line. */
export const editText = ({name}: Pick<Key, 'name'>, text: EditedText): EditedText | undefined => {
	if (name === 'ctrl+u') {
		return {value: '', offset: 0};
	}

	const move = moves[name];
	if (move !== undefined) {
		return {value: text.value, offset: move(text)};
	}

	const deletion = deletions[name];
	if (deletion === undefined) {
		return undefined;
	}

	const [from, to] = [text.offset, deletion(text)].toSorted((first, second) => first - second) as [number, number];
	return {value: text.value.slice(0, from) + text.value.slice(to), offset: from};
};

/** The text with another one inserted at the cursor. */
export const insertText = ({value, offset}: EditedText, inserted: string): EditedText =>
	({value: value.slice(0, offset) + inserted + value.slice(offset), offset: offset + inserted.length});

/** The start of a text, as far as there is room, without half a character at its end. */
export const startWithin = (text: string, room: number): string => text.slice(0, Math.max(0, room)).replace(/[\u{D800}-\u{DBFF}]$/u, '');
