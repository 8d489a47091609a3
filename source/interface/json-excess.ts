import {formatCount} from './format-count.ts';

/** No known service nests JSON deeper than a few levels. */
const maximumDepth = 100;

/** Twenty for each record of a list of 100,000. */
const maximumValues = 2_000_000;

const codeOf = (character: string): number => character.codePointAt(0)!;

const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')];

/** The index of the quote that ends a JSON string; the end of the text if there is none. */
const endOfString = (text: string, start: number): number => {
	for (let index = text.indexOf('"', start + 1); index !== -1; index = text.indexOf('"', index + 1)) {
		let backslashes = 0;
		while (text.codePointAt(index - 1 - backslashes) === backslash) {
			backslashes++;
		}

		if (backslashes % 2 === 0) {
			return index;
		}
	}

	return text.length;
};

/**
What makes JSON text too much to be parsed, for the end of a sentence; `undefined` if nothing does. Parsing cannot be interrupted, and
takes 12 s for 20 MB of brackets; and most code that walks a value walks it by recursion.
*/
export const jsonExcess = (text: string): string | undefined => {
	let [depth, values] = [0, 0];
	for (let index = 0; index < text.length; index++) {
		const code = text.codePointAt(index);
		const isOpened = code === openList || code === openObject;
		if (isOpened) {
			depth++;
		}

		if (code === closeList || code === closeObject) {
			depth--;
		}

		if (isOpened || code === comma) {
			values++;
		}

		if (code === quote) {
			index = endOfString(text, index);
		}

		if (depth > maximumDepth) {
			return `nested more than ${maximumDepth} levels deep`;
		}

		if (values > maximumValues) {
			return `of more than ${formatCount(maximumValues)} values`;
		}
	}

	return undefined;
};
