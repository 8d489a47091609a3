import {
	findLetters,
	findLettersOfWord,
	findStanding,
	toShownText,
	type SearchText,
} from './match.ts';

/** Where the words of a filter fit a text: places of UTF-16 units. */
export type Highlight = {
	placesIn(name: string): ReadonlySet<number>;
	/** The same in a text of which only whole parts fit, such as a category or a prompt. */
	placesInText(text: string): ReadonlySet<number>;
	/** The same in trigger phrases, as they stand one after the other with a comma and a space between. */
	placesInPhrases(phrases: readonly string[]): ReadonlySet<number>;
};

type FindLetters = typeof findLetters;

const none: readonly number[] = [];

const placesOfWord = (text: SearchText, word: string, find: FindLetters | undefined): readonly number[] => {
	const standing = findStanding(text, word);
	return standing === undefined
		? find?.(text, word, [0, text.folded.length]) ?? none
		: Array.from({length: word.length}, (_, index) => standing.place + index);
};

const placesOfWords = (words: readonly string[], shown: string, find: FindLetters | undefined): readonly number[] => {
	if (words.length === 0) {
		return none;
	}

	const {text, origins} = toShownText(shown);
	return words.flatMap(word => placesOfWord(text, word, find).map(place => origins[place]!));
};

/** Where folded words fit what is shown; their letters alone as well where those are enough. */
export const highlightOf = (words: readonly string[], areLettersEnough: boolean): Highlight => ({
	placesIn: name => new Set(placesOfWords(words, name, areLettersEnough ? findLetters : undefined)),
	placesInText: text => new Set(placesOfWords(words, text, undefined)),
	placesInPhrases(phrases) {
		const places = new Set<number>();
		let start = 0;
		for (const phrase of phrases) {
			for (const place of placesOfWords(words, phrase, areLettersEnough ? findLettersOfWord : undefined)) {
				places.add(start + place);
			}

			start += phrase.length + ', '.length;
		}

		return places;
	},
});
