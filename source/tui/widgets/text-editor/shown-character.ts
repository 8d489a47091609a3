import {invisibleCharacters} from '../../../interface/clean-text.ts';
import {graphemes, isPlain, widthOf} from '../wrap.ts';

/** A character as it is drawn. */
export type ShownCharacter = {
	readonly text: string;
	readonly columns: number;
	/** True if a row may end after it. */
	readonly isSpace: boolean;
};

const tabColumns = 4;

/** Stands for what has no look of its own: a control character, a mark alone, half a surrogate pair. */
const placeholder: ShownCharacter = {text: '\u{B7}', columns: 1, isSpace: false};

const hiddenCharacters = new RegExp(String.raw`\p{Control}|\p{Surrogate}|[\u{2028}\u{2029}]|${invisibleCharacters.source}`, 'u');

/** Emoji are joined of several characters, some of them invisible. */
const emojiStart = /^[\d\p{Extended_Pictographic}#*]/u;

/** The characters of a part of a line. */
export const charactersOf = (line: string): Iterable<string> =>
	// In most texts each unit is a character. Looking for longer ones takes far more time.
	isPlain(line) ? line : Iterator.from(graphemes.segment(line)).map(({segment}) => segment);

/**
How a character is drawn.

@param column - where it starts in its row: a tab reaches to the next stop.
*/
export const showCharacter = (character: string, column: number): ShownCharacter => {
	if (character === '\t') {
		const columns = tabColumns - (column % tabColumns);
		return {text: ' '.repeat(columns), columns, isSpace: true};
	}

	const columns = widthOf(character);
	return columns === 0 || (hiddenCharacters.test(character) && !emojiStart.test(character))
		? placeholder
		: {text: character, columns, isSpace: character === ' '};
};
