import {
	findSubsequence,
	findSubsequenceInWord,
	findSubstring,
	toDisplayText,
	type SearchText,
} from './match.ts';

/** Where the words of a filter match a text: positions of UTF-16 units. */
export type Highlight = {
	matchPositions(name: string): ReadonlySet<number>;
	/** The same in a text that is matched by substrings only, such as a category or a prompt. */
	matchPositionsInText(text: string): ReadonlySet<number>;
	/** The same in trigger phrases joined by a comma and a space. */
	matchPositionsInPhrases(phrases: readonly string[]): ReadonlySet<number>;
};

type FindSubsequence = typeof findSubsequence;

const none: readonly number[] = [];

const positionsOfWord = (text: SearchText, word: string, find: FindSubsequence | undefined): readonly number[] => {
	const substring = findSubstring(text, word);
	return substring === undefined
		? find?.(text, word, [0, text.folded.length]) ?? none
		: Array.from({length: word.length}, (_, index) => substring.position + index);
};

const positionsOfWords = (words: readonly string[], shown: string, find: FindSubsequence | undefined): readonly number[] => {
	if (words.length === 0) {
		return none;
	}

	const {text, offsets} = toDisplayText(shown);
	return words.flatMap(word => positionsOfWord(text, word, find).map(position => offsets[position]!));
};

/** Where folded words match what is shown; subsequences count if `isFuzzy`. */
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
