import fuzzysort from 'fuzzysort';
import {categoryLabel} from '../../interface/categories.ts';

/** What a filter looks at in a record. */
export type Filterable = {
	readonly name: string;
	readonly category?: string;
	readonly triggerPhrases?: readonly string[];
	readonly text?: string;
	/** Not there where the record has no state, such as an ability that is not installed. */
	readonly isEnabled?: boolean | undefined;
	readonly isMarked?: boolean;
};

export type Filter = {
	fits(record: Filterable): boolean;
	/** Where the name fits the filter's words: places of UTF-16 units, to be highlighted. */
	placesIn(name: string): ReadonlySet<number>;
	/** True where what fits depends on what is marked. */
	readonly asksForMarks: boolean;
};

type Term = (record: Filterable) => boolean;

/** Letters in order but far apart are no match: fuzzysort gives a whole word near 1, scattered letters near 0. */
const leastScore = 0.3;

/** Accents alone: to Unicode `^`, `` ` `` and the long mark of Japanese are diacritics as well, and without them `^` would fit everything. */
const accents = /[\u{300}-\u{36F}]/gu;

const fold = (text: string): string => text.normalize('NFD').replaceAll(accents, '').toLowerCase();

type Match = NonNullable<ReturnType<typeof fuzzysort.single>>;

const matchOf = (word: string, text: string): Match | undefined => {
	const match = fuzzysort.single(word, text);
	return match === null || match.score < leastScore ? undefined : match;
};

const stands = (word: string, {name, category = '', triggerPhrases = [], text = ''}: Filterable): boolean =>
	fold([name, category, categoryLabel(category), ...triggerPhrases, text].join('\n')).includes(fold(word));

/** A word stands somewhere in the record, or its letters do in that order in the name or a trigger phrase. */
const wordTerm = (word: string): Term => record =>
	stands(word, record) || [record.name, ...record.triggerPhrases ?? []].some(text => matchOf(word, text) !== undefined);

const stateTerms: Readonly<Record<string, Term>> = {
	'is:on': ({isEnabled}) => isEnabled === true,
	'is:off': ({isEnabled}) => isEnabled === false,
	'is:marked': ({isMarked}) => isMarked === true,
};

const categoryTerm = (wanted: string): Term => ({category = ''}) =>
	[category, categoryLabel(category)].some(name => fold(name).startsWith(fold(wanted)));

const termOf = (word: string): Term => {
	if (word.length > 1 && word.startsWith('!')) {
		const rest = word.slice(1);
		const term = rest.includes(':') ? termOf(rest) : (record: Filterable) => stands(rest, record);
		return record => !term(record);
	}

	const lower = word.toLowerCase();
	return stateTerms[lower] ?? (/^category:./.test(lower) ? categoryTerm(word.slice('category:'.length)) : wordTerm(word));
};

const isPlainWord = (word: string): boolean => !word.startsWith('!') && !/^(?:is|category):/i.test(word);

/**
A filter line: every word must fit. A word fits the name or a trigger phrase also where only its letters stand there in
that order; `!word` must not stand anywhere; `is:on`, `is:off`, `is:marked` and `category:skill` ask for that.
*/
export const parseFilter = (line: string): Filter => {
	const words = line.split(/\s+/).filter(word => word !== '');
	const terms = words.map(word => termOf(word));
	const plainWords = words.filter(word => isPlainWord(word));
	return {
		fits: record => terms.every(term => term(record)),
		placesIn: name => new Set(plainWords.flatMap(word => [...matchOf(word, name)?.indexes ?? []])),
		asksForMarks: /is:marked/i.test(line),
	};
};
