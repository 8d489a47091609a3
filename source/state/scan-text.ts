import {Lexer} from 'yaml';

/** The parser takes ten seconds for a million commas. A file of 15,000 installed abilities has fewer tokens. */
export const maximumTokens = 400_000;

/** The lexer puts this before the text of a scalar, which may begin with a `#` of its own. */
const scalarMark = '\u{1F}';

/** Looks through the text before it is parsed; stops where there is too much of it. */
export const scanText = (text: string): {readonly isTooMuch: boolean; readonly hasComments: boolean} => {
	let [count, hasComments, previous] = [0, false, ''];
	for (const token of new Lexer().lex(text)) {
		count++;
		if (count > maximumTokens) {
			return {isTooMuch: true, hasComments};
		}

		hasComments ||= token.startsWith('#') && previous !== scalarMark;
		previous = token;
	}

	return {isTooMuch: false, hasComments};
};
