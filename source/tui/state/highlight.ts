import {
	findSubsequence,
	findSubsequenceInWord,
	findSubstring,
	toDisplayText,
	type SearchText,
} from './match.ts';

/** Where the words of a filter fit a text: positions of UTF-16 units. */
export type Highlight = {
	matchPositions(name: string): ReadonlySet<number>;
	/** The same in a text of which only whole parts fit, such as a category or a prompt. */
	matchPositionsInText(text: string): ReadonlySet<number>;
	/** The same in trigger phrases, as they stand one after the other with a comma and a space between. */
	matchPositionsInPhrases(phrases: readonly string[]): ReadonlySet<number>;
};

type FindLetters = typeof findSubsequence;

const none: readonly number[] = [];

const positionsOfWord = (text: SearchText, word: string, find: FindLetters | undefined): readonly number[] => {
	const standing = findSubstring(text, word);
	return standing === undefined
		? find?.(text, word, [0, text.folded.length]) ?? none
		: Array.from({length: word.length}, (_, index) => standing.position + index);
};

const positionsOfWords = (words: readonly string[], shown: string, find: FindLetters | undefined): readonly number[] => {
	if (words.length === 0) {
		return none;
	}

	const {text, origins} = toDisplayText(shown);
	return words.flatMap(word => positionsOfWord(text, word, find).map(position => origins[position]!));
};

/** Where folded words fit what is shown; their letters alone as well where those are enough. */
export const highlightOf = (words: readonly string[], isFuzzy: boolean): Highlight => ({
	matchPositions: name => new Set(positionsOfWords(words, name, isFuzzy ? findSubsequence : undefined)),
	matchPositionsInText: text => new Set(positionsOfWords(words, text, undefined)),
	matchPositionsInPhrases(phrases) {
		const positions = new Set<number>();
		let start = 0;
		for (const phrase of phrases) {
			for (const position of positionsOfWords(words, phrase, isFuzzy ? findSubsequenceInWord : undefined)) {
				positions.add(start + position);
			}

			start += phrase.length + ', '.length;
		}

		return positions;
	},
});
