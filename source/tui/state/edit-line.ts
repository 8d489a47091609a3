import {type Key} from '../terminal/key.ts';
import {editText} from '../widgets/text-editing.ts';

const deletions: ReadonlySet<string> = new Set(['backspace', 'ctrl+w', 'ctrl+u']);

/** The line after a key that types at its end, or deletes the last character, word or all of it; `undefined` for any other key. */
export const editedLine = (line: string, key: Key): string | undefined => {
	if (deletions.has(key.name)) {
		return editText(key, {value: line, offset: line.length})?.value;
	}

	return key.text === '' ? undefined : line + key.text;
};
