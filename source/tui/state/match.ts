/** Accents alone: to Unicode `^`, `` ` `` and the long mark of Japanese are diacritics as well, and without them `^` would fit everything. */
const accents = /[\u{300}-\u{36F}]/gu;

const isAscii = (text: string): boolean => /^[\n -~]*$/.test(text);

/** The lower case of a few letters is longer than they are: they are in lower case from the start, so that positions stay the same. */
const withoutAccents = (text: string): string => {
	if (isAscii(text)) {
		return text;
	}

	const plain = text.normalize('NFD').replaceAll(accents, '');
	const lower = plain.toLowerCase();
	return lower.length === plain.length ? plain : lower;
};

/** A text as words are looked for in it: case and accents aside. */
export const fold = (text: string): string => withoutAccents(text).toLowerCase();

/** The fields of a record in one text. Words are looked for in it with every key, so it is made once. */
export type SearchText = {
	readonly folded: string;
	/** The same with its capitals, which begin words within a name. */
	readonly cased: string;
	/** Where each field ends, the one that counts most first. */
	readonly ends: readonly number[];
};

/** @param fields - the one that counts most first. */
export const toSearchText = (fields: readonly string[]): SearchText => {
	const joined = fields.join('\n');
	// Most lists are ASCII, and some are long.
	const plain = isAscii(joined) ? fields : fields.map(field => withoutAccents(field));
	const cased = plain === fields ? joined : plain.join('\n');
	const ends: number[] = [];
	let end = -1;
	for (const {length} of plain) {
		end += length + 1;
		ends.push(end);
	}

	return {folded: cased.toLowerCase(), cased, ends};
};

const isPartOfWord = (character: string | undefined): boolean => {
	if (character === undefined) {
		return false;
	}

	// A list of many rows asks this often, and mostly of ASCII.
	return character < '\u{80}'
		? (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9')
		: /[\p{Letter}\p{Mark}\p{Number}]/u.test(character);
};

const isCapital = ({folded, cased}: SearchText, position: number): boolean => folded[position] !== cased[position];

const beginsWord = (text: SearchText, position: number): boolean =>
	!isPartOfWord(text.folded[position - 1]) || (isCapital(text, position) && !isCapital(text, position - 1));

const endsWord = (text: SearchText, end: number): boolean => !isPartOfWord(text.folded[end]) || beginsWord(text, end);

/** The rank of a word that stands inside another one, in the first field. */
export const insideWordRank = 3;

/** The ways in which a word stands in a field: as all of it, as one of its words, at the start of one, inside one. */
const qualityCount = insideWordRank + 1;

const qualityAt = (text: SearchText, position: number, length: number, [start, end]: readonly [number, number]): number => {
	if (position === start && position + length === end) {
		return 0;
	}

	return beginsWord(text, position) ? (endsWord(text, position + length) ? 1 : 2) : insideWordRank;
};

export type SubstringMatch = {readonly position: number; readonly rank: number};

/**
Where a folded word stands best in the first field that has it. A lower rank is better: a field that counts more is better
than any other, and within it a whole word is better than the start of one, and that better than the inside.
*/
export const findSubstring = (text: SearchText, word: string): SubstringMatch | undefined => {
	const {folded, ends} = text;
	const first = folded.indexOf(word);
	if (first === -1) {
		return undefined;
	}

	const field = ends.findIndex(end => first < end);
	const bounds = [field === 0 ? 0 : ends[field - 1]! + 1, ends[field]!] as const;
	let best = first;
	let bestQuality = qualityCount;
	for (let position = first; position !== -1 && position < bounds[1] && bestQuality > 0; position = folded.indexOf(word, position + 1)) {
		const quality = qualityAt(text, position, word.length, bounds);
		best = quality < bestQuality ? position : best;
		bestQuality = Math.min(quality, bestQuality);
	}

	return {position: best, rank: (field * qualityCount) + bestQuality};
};

/** A part of a text, from one position to before another. */
type Part = readonly [start: number, end: number];

/** The positions of a folded word's letters where they stand in their order in a part of a text, with others between. */
export const findSubsequence = ({folded}: SearchText, word: string, [start, end]: Part): readonly number[] | undefined => {
	const positions: number[] = [];
	let next = start;
	for (const letter of word) {
		const position = folded.indexOf(letter, next);
		if (position === -1 || position >= end) {
			return undefined;
		}

		positions.push(position);
		next = position + letter.length;
	}

	return positions;
};

/** The same in a sentence, where letters that stand far apart are there by chance: within one word of it, from its first letter on. */
export const findSubsequenceInWord = (text: SearchText, word: string, [start, end]: Part): readonly number[] | undefined => {
	const {folded} = text;
	const letter = word[0]!;
	for (let position = folded.indexOf(letter, start); position !== -1 && position < end; position = folded.indexOf(letter, position + 1)) {
		if (!beginsWord(text, position)) {
			continue;
		}

		let wordEnd = position;
		while (wordEnd < end && isPartOfWord(folded[wordEnd])) {
			wordEnd++;
		}

		const positions = findSubsequence(text, word, [position, wordEnd]);
		if (positions !== undefined) {
			return positions;
		}
	}

	return undefined;
};

/** A text as it is shown, ready to be searched, with the position that each UTF-16 unit of what is searched has in it. */
export const toDisplayText = (shown: string): {readonly text: SearchText; readonly origins: readonly number[]} => {
	const origins: number[] = [];
	let cased = '';
	let position = 0;
	for (const character of shown) {
		cased += withoutAccents(character);
		while (origins.length < cased.length) {
			origins.push(position);
		}

		position += character.length;
	}

	return {text: {folded: cased.toLowerCase(), cased, ends: [cased.length]}, origins};
};
