/** Accents alone: to Unicode `^`, `` ` `` and the long mark of Japanese are diacritics as well, and without them `^` would fit everything. */
const accents = /[\u{300}-\u{36F}]/gu;

const isAscii = (text: string): boolean => /^[\n -~]*$/.test(text);

/** The lower case of a few letters is longer than they are: they are in lower case from the start, so that places stay the same. */
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

const isCapital = ({folded, cased}: SearchText, place: number): boolean => folded[place] !== cased[place];

const beginsWord = (text: SearchText, place: number): boolean =>
	!isPartOfWord(text.folded[place - 1]) || (isCapital(text, place) && !isCapital(text, place - 1));

const endsWord = (text: SearchText, end: number): boolean => !isPartOfWord(text.folded[end]) || beginsWord(text, end);

/** The rank of a word that stands inside another one, in the first field. */
export const insideRank = 3;

/** The ways in which a word stands in a field: as all of it, as one of its words, at the start of one, inside one. */
const qualityCount = insideRank + 1;

const qualityAt = (text: SearchText, place: number, length: number, [start, end]: readonly [number, number]): number => {
	if (place === start && place + length === end) {
		return 0;
	}

	return beginsWord(text, place) ? (endsWord(text, place + length) ? 1 : 2) : insideRank;
};

export type Standing = {readonly place: number; readonly rank: number};

/**
Where a folded word stands best in the first field that has it. A lower rank is better: a field that counts more is better
than any other, and within it a whole word is better than the start of one, and that better than the inside.
*/
export const findStanding = (text: SearchText, word: string): Standing | undefined => {
	const {folded, ends} = text;
	const first = folded.indexOf(word);
	if (first === -1) {
		return undefined;
	}

	const field = ends.findIndex(end => first < end);
	const bounds = [field === 0 ? 0 : ends[field - 1]! + 1, ends[field]!] as const;
	let best = first;
	let bestQuality = qualityCount;
	for (let place = first; place !== -1 && place < bounds[1] && bestQuality > 0; place = folded.indexOf(word, place + 1)) {
		const quality = qualityAt(text, place, word.length, bounds);
		best = quality < bestQuality ? place : best;
		bestQuality = Math.min(quality, bestQuality);
	}

	return {place: best, rank: (field * qualityCount) + bestQuality};
};

/** A part of a text, from one place to before another. */
type Part = readonly [start: number, end: number];

/** The places of a folded word's letters where they stand in their order in a part of a text, with others between. */
export const findLetters = ({folded}: SearchText, word: string, [start, end]: Part): readonly number[] | undefined => {
	const places: number[] = [];
	let next = start;
	for (const letter of word) {
		const place = folded.indexOf(letter, next);
		if (place === -1 || place >= end) {
			return undefined;
		}

		places.push(place);
		next = place + letter.length;
	}

	return places;
};

/** The same in a sentence, where letters that stand far apart are there by chance: within one word of it, from its first letter on. */
export const findLettersOfWord = (text: SearchText, word: string, [start, end]: Part): readonly number[] | undefined => {
	const {folded} = text;
	const letter = word[0]!;
	for (let place = folded.indexOf(letter, start); place !== -1 && place < end; place = folded.indexOf(letter, place + 1)) {
		if (!beginsWord(text, place)) {
			continue;
		}

		let wordEnd = place;
		while (wordEnd < end && isPartOfWord(folded[wordEnd])) {
			wordEnd++;
		}

		const places = findLetters(text, word, [place, wordEnd]);
		if (places !== undefined) {
			return places;
		}
	}

	return undefined;
};

/** A text as it is shown, ready to be searched, with the place that each UTF-16 unit of what is searched has in it. */
export const toShownText = (shown: string): {readonly text: SearchText; readonly origins: readonly number[]} => {
	const origins: number[] = [];
	let cased = '';
	let place = 0;
	for (const character of shown) {
		cased += withoutAccents(character);
		while (origins.length < cased.length) {
			origins.push(place);
		}

		place += character.length;
	}

	return {text: {folded: cased.toLowerCase(), cased, ends: [cased.length]}, origins};
};
