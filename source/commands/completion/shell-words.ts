/** A quote within which a shell's line ends. */
export type OpenQuote = '"' | '\'' | '';

type Unquoted = {
	/** What the shell would pass on. */
	readonly text: string;
	readonly openQuote: OpenQuote;
	/** How much of the text stands before the open quote; all of it where none is open. */
	readonly lengthBeforeQuote: number;
};

/** Reads a word as bash does that stands on its line as far as it is typed. */
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

/** Everything that may mean something to a shell, or end a word for its completion: what is no letter and not one of these. */
const special = /[^\p{Letter}\p{Mark}\p{Number}%+,\-./_]/u;

const isSpecial = (character: string): boolean => character.codePointAt(0)! < 0x80 && special.test(character);

/** Bash puts a word that begins with the open quote in place of that quote. */
const withOpenQuote = (text: string, openQuote: OpenQuote): string => openQuote !== '' && text.startsWith(openQuote) ? openQuote + text : text;

/**
Writes a text so that an interactive bash passes it on as it is: also `!`, which brings back an earlier line within double
quotes, and can only be escaped outside of them.

@param openQuote - the quote that was begun before it; bash ends it itself.
*/
export const quoteForBash = (text: string, openQuote: OpenQuote): string => {
	switch (openQuote) {
		case '"': {
			const quoted = text.replaceAll(/["$\\`]/g, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
			// Bash takes a quote at the end for the closing one, and adds none.
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
