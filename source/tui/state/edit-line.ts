import {type Key} from '../terminal/keyboard.ts';

const segmenter = new Intl.Segmenter();

const withoutLast = (line: string): string => [...segmenter.segment(line)].slice(0, -1).map(({segment}) => segment).join('');

/** The line after a key that types into it or deletes its last character, its last word or all of it; `undefined` for any other key. */
export const editedLine = (line: string, key: Key): string | undefined => {
	switch (key.name) {
		case 'backspace': {
			return withoutLast(line);
		}

		case 'ctrl+w': {
			return line.replace(/\S*\s*$/u, '');
		}

		case 'ctrl+u': {
			return '';
		}

		default: {
			return key.text === '' ? undefined : line + key.text;
		}
	}
};
