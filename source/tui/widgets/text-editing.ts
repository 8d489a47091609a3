import {type Key} from '../terminal/keyboard.ts';

/** A line of text and where the cursor is in it, in UTF-16 units. */
export type EditedText = {readonly value: string; readonly offset: number};

const characters = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Where the character before the cursor begins: what is read as one is one, however many code points it has. */
const characterBefore = ({value, offset}: EditedText): number => [...characters.segment(value.slice(0, offset))].at(-1)?.index ?? 0;

const characterAfter = ({value, offset}: EditedText): number => {
	const [next] = characters.segment(value.slice(offset));
	return offset + (next?.segment.length ?? 0);
};

/** Words are what spaces part, as for Ctrl+W in a terminal. */
const wordBefore = ({value, offset}: EditedText): number => value.slice(0, offset).replace(/\S+\s*$|\s+$/u, '').length;

const wordAfter = ({value, offset}: EditedText): number => offset + /^\s*\S*/u.exec(value.slice(offset))![0].length;

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

/** The other end of what a key deletes, from the cursor on. */
const deletions: Readonly<Record<string, (text: EditedText) => number>> = {
	backspace: characterBefore,
	delete: characterAfter,
	'ctrl+d': characterAfter,
	'ctrl+w': wordBefore,
	'alt+backspace': wordBefore,
	'alt+d': wordAfter,
	'ctrl+k': ({value}) => value.length,
};

/** What a key of a shell's line editor makes of a text; `undefined` where it is none. Ctrl+U begins anew. */
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

/** A text with another put in where the cursor is. */
export const insertText = ({value, offset}: EditedText, inserted: string): EditedText =>
	({value: value.slice(0, offset) + inserted + value.slice(offset), offset: offset + inserted.length});
