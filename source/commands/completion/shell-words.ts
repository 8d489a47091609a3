/** A quote that is still open at the end of a command line. */
type OpenQuote = '"' | '\'' | '';

type Unquoted = {
	/** The word as the shell would pass it. */
	readonly text: string;
	readonly openQuote: OpenQuote;
	/** The length of the text before the open quote; of all of it if none is open. */
	readonly lengthBeforeQuote: number;
};

/** Unquotes an unfinished word as bash does. */
export const unquoteBash = (word: string): Unquoted => {
	let text = '';
	let openQuote: OpenQuote = '';
	let lengthBeforeQuote = 0;
	for (let index = 0; index < word.length; index++) {
		const character = word[index]!;
		const next = word[index + 1] ?? '';
		if (character === openQuote) {
			openQuote = '';
		} else if (openQuote === '' && (character === '"' || character === '\'')) {
			openQuote = character;
			lengthBeforeQuote = text.length;
		} else if (character === '\\' && openQuote !== '\'' && (openQuote === '' || '\\"$`'.includes(next))) {
			text += next;
			index++;
		} else {
			text += character;
		}
	}

	return {text, openQuote, lengthBeforeQuote: openQuote === '' ? text.length : lengthBeforeQuote};
};

/** Matches what may mean something to a shell or end a word for its completion. */
const special = /[^\p{Letter}\p{Mark}\p{Number}%+,\-./_]/u;

const isSpecial = (character: string): boolean => character.codePointAt(0)! < 0x80 && special.test(character);

/** Bash replaces the open quote with a word that starts with one. */
const withOpenQuote = (text: string, openQuote: OpenQuote): string => openQuote !== '' && text.startsWith(openQuote) ? openQuote + text : text;

/**
Quotes a text for an interactive bash, also a `!`, which recalls an earlier line within double quotes and can only be escaped
outside of them.

@param openQuote - the quote that is open before the text; bash closes it itself.
*/
export const quoteForBash = (text: string, openQuote: OpenQuote): string => {
	switch (openQuote) {
		case '"': {
			const quoted = text.replaceAll(/["$\\`]/g, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
			// Bash takes a quote at the end as the closing one.
			return withOpenQuote(text.endsWith('!') ? `${quoted}"` : quoted, openQuote);
		}

		case '\'': {
			return withOpenQuote(text.replaceAll('\'', String.raw`'\''`), openQuote);
		}

		default: {
			return [...text].map(character => isSpecial(character) ? `\\${character}` : character).join('');
		}
	}
};
