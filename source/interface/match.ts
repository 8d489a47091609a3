import {normalizeText} from './clean-text.ts';

/** Accents only: in Unicode `^`, `` ` `` and the long mark of Japanese are diacritics too, and without them `^` would match everything. */
const accents = /[\u{300}-\u{36F}]/gu;

/** In their compatibility form, signs such as a lone accent are a blank with an accent, and would match everything. */
const parts = /\P{Modifier_Symbol}+/gu;

/** Returns a text without case, accents and compatibility forms such as full width, for filters and suggestions. */
export function fold(text: string): string {
	return lowered(withoutAccents(text));
}

/** A sigma has another form at the end of a word, also in lower case. */
const lowered = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/**
Returns a text without accents. A few letters get longer in lower case, so they are lower-cased here already, and positions stay the same.
*/
function withoutAccents(text: string): string {
	if (isAscii(text)) {
		return text;
	}

	const plain = text
		.replaceAll(parts, part => normalizeText(part, 'NFKD'))
		.replaceAll(accents, '')
		.replaceAll('ß', 'ss')
		.replaceAll('ẞ', 'SS');
	const lower = plain.toLowerCase();
	return lower.length === plain.length ? plain : lower;
}

const isAscii = (text: string): boolean => /^[\n -~]*$/.test(text);

/** The fields of a record in one text, made once: it is searched at every key. */
export type SearchText = {
	readonly folded: string;
	/** With capitals, which start words within a name. */
	readonly cased: string;
	readonly ends: readonly number[];
};

export function toSearchText(fields: readonly string[]): SearchText {
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

	return {folded: lowered(cased), cased, ends};
}

/** The rank of a match inside a word, in the first field. */
const insideWordRank = 3;

/** The ways in which a substring lies in a field: all of it, a whole word, the start of a word, inside a word. */
const qualityCount = insideWordRank + 1;

/**
Returns the best match of a folded word in the first field that has it. A lower rank is better: by field first, then all of the field, a
whole word, the start of a word, the inside of a word.
*/
export function findSubstring(text: SearchText, word: string): {readonly position: number; readonly rank: number} | undefined {
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

	return {position: best, rank: field * qualityCount + bestQuality};
}

function qualityAt(text: SearchText, position: number, length: number, [start, end]: readonly [number, number]): number {
	if (position === start && position + length === end) {
		return 0;
	}

	return startsWord(text, position) ? (endsWord(text, position + length) ? 1 : 2) : insideWordRank;
}

const startsWord = (text: SearchText, position: number): boolean =>
	!isPartOfWord(text.folded[position - 1]) || (isCapital(text, position) && !isCapital(text, position - 1));

function isPartOfWord(character: string | undefined): boolean {
	if (character === undefined) {
		return false;
	}

	// Called often for long lists, mostly with ASCII.
	return character < '\u{80}'
		? (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9')
		: /[\p{Letter}\p{Mark}\p{Number}]/u.test(character);
}

const isCapital = ({folded, cased}: SearchText, position: number): boolean => folded[position] !== cased[position];

const endsWord = (text: SearchText, end: number): boolean => !isPartOfWord(text.folded[end]) || startsWord(text, end);

/** A part of a text; the end is exclusive. */
type Span = readonly [start: number, end: number];

/** Returns the positions of a folded word's letters as a subsequence of a part of a text. */
export function findSubsequence({folded}: SearchText, word: string, [start, end]: Span): readonly number[] | undefined {
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
}

/** Returns these positions within one word of a sentence, from its first letter on: letters further apart match by chance. */
export function findSubsequenceInWord(text: SearchText, word: string, [start, end]: Span): readonly number[] | undefined {
	const {folded} = text;
	const letter = word[0]!;
	for (let position = folded.indexOf(letter, start); position !== -1 && position < end; position = folded.indexOf(letter, position + 1)) {
		if (!startsWord(text, position)) {
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
}

/** Returns a displayed text, ready to be searched, with its offset for each UTF-16 unit of the searched text. */
export function toDisplayText(shown: string): {readonly text: SearchText; readonly offsets: readonly number[]} {
	const offsets: number[] = [];
	let cased = '';
	let position = 0;
	for (const character of shown) {
		cased += withoutAccents(character);
		while (offsets.length < cased.length) {
			offsets.push(position);
		}

		position += character.length;
	}

	return {text: {folded: lowered(cased), cased, ends: [cased.length]}, offsets};
}
