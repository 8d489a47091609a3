import {
	characterAfter,
	characterBefore,
	wordAfter,
	wordBefore,
} from '../text-editing.ts';
import {sliceText, type ChunkedText} from './chunked-text.ts';

/** Longer than any character of any script, and than nearly all words. */
const windowLength = 256;

/** A single step goes no further, so that a key takes no time even in a text without spaces. */
const longestStep = windowLength * 256;

/**
The result of a step back in the part of the text before an offset. A step that reaches the start of that part may be cut
short there: it is taken again in a longer one.
*/
const stepBack = (text: ChunkedText, offset: number, step: typeof wordBefore, length = windowLength): number => {
	const start = Math.max(0, offset - length);
	const value = sliceText(text, start, offset);
	const found = step({value, offset: value.length});
	return found > 0 || start === 0 || length >= longestStep ? start + found : stepBack(text, offset, step, length * 4);
};

const stepForward = (text: ChunkedText, offset: number, step: typeof wordAfter, length = windowLength): number => {
	const value = sliceText(text, offset, offset + length);
	const found = step({value, offset: 0});
	return found < value.length || offset + length >= text.length || length >= longestStep ? offset + found : stepForward(text, offset, step, length * 4);
};

/** The start of the character before an offset. What reads as one character is one; so is a line break. */
export const previousCharacter = (text: ChunkedText, offset: number): number => stepBack(text, offset, characterBefore);

/** The end of the character after an offset. */
export const nextCharacter = (text: ChunkedText, offset: number): number => stepForward(text, offset, characterAfter);

/** The start of the word before an offset. */
export const previousWord = (text: ChunkedText, offset: number): number => stepBack(text, offset, wordBefore);

/** The end of the word after an offset. */
export const nextWord = (text: ChunkedText, offset: number): number => stepForward(text, offset, wordAfter);
