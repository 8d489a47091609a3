import {type Key} from '../terminal/key.ts';
import {editText, startWithin} from '../widgets/text-editing.ts';

/** A line to filter, search or choose by has no more characters, in UTF-16 units: it is searched for at every key. */
export const maximumLineLength = 1000;

/** The line with a text at its end, as far as there is room. */
export const withPasted = (line: string, text: string): string =>
	line + startWithin(text.replaceAll('\n', ' '), maximumLineLength - line.length);

const deletions: ReadonlySet<string> = new Set(['backspace', 'ctrl+w', 'ctrl+u']);

/** The line after a key that types at its end, or deletes the last character, word or all of it; `undefined` for any other key. A full line stays as it is. */
export const editedLine = (line: string, key: Key): string | undefined => {
	if (deletions.has(key.name)) {
		return editText(key, {value: line, offset: line.length})?.value;
	}

	if (key.text === '') {
		return undefined;
	}

	return line.length + key.text.length > maximumLineLength ? line : line + key.text;
};
