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
	/** The names of the agents that have it; not there where that is not known. */
	readonly agents?: readonly string[] | undefined;
};

export type Filter = {
	fits(record: Filterable): boolean;
	/** Where the name fits the filter's words: places of UTF-16 units, to be highlighted. */
	placesIn(name: string): ReadonlySet<number>;
	/** The same in a text of which only whole parts fit, such as a category or a prompt. */
	placesInText(text: string): ReadonlySet<number>;
	/** The same in trigger phrases, as they stand one after the other with a comma and a space between. */
	placesInPhrases(phrases: readonly string[]): ReadonlySet<number>;
	/** True where what fits depends on what is marked. */
	readonly asksForMarks: boolean;
	/** True where it depends on which agents have what. */
	readonly asksForAgents: boolean;
};

type Term = (record: Filterable) => boolean;

/**
In a sentence, letters in order but far apart are no match: fuzzysort gives a whole word near 1, scattered letters near 0.
A name is short, and there any letters in order are meant.
*/
const leastScoreInSentence = 0.3;

/** Accents alone: to Unicode `^`, `` ` `` and the long mark of Japanese are diacritics as well, and without them `^` would fit everything. */
const accents = /[\u{300}-\u{36F}]/gu;

const fold = (text: string): string => text.normalize('NFD').replaceAll(accents, '').toLowerCase();

type Match = NonNullable<ReturnType<typeof fuzzysort.single>>;

const matchOf = (word: string, text: string, leastScore = 0): Match | undefined => {
	const match = fuzzysort.single(word, text);
	return match === null || match.score < leastScore ? undefined : match;
};

const standsIn = (word: string, text: string): boolean => fold(text).includes(fold(word));

const stands = (word: string, {name, category = '', triggerPhrases = [], text = ''}: Filterable): boolean =>
	standsIn(word, [name, category, categoryLabel(category), ...triggerPhrases, text].join('\n'));

const phraseMatch = (word: string, phrase: string): Match | undefined => matchOf(word, phrase, standsIn(word, phrase) ? 0 : leastScoreInSentence);

const textMatch = (word: string, text: string): Match | undefined => standsIn(word, text) ? matchOf(word, text) : undefined;

/** A word stands somewhere in the record, or its letters do in that order in the name or a trigger phrase. */
const wordTerm = (word: string): Term => record =>
	stands(word, record)
	|| matchOf(word, record.name) !== undefined
	|| (record.triggerPhrases ?? []).some(phrase => phraseMatch(word, phrase) !== undefined);

const stateTerms: Readonly<Record<string, Term>> = {
	'is:on': ({isEnabled}) => isEnabled === true,
	'is:off': ({isEnabled}) => isEnabled === false,
	'is:marked': ({isMarked}) => isMarked === true,
};

const categoryTerm = (wanted: string): Term => ({category = ''}) =>
	[category, categoryLabel(category)].some(name => fold(name).startsWith(fold(wanted)));

const agentTerm = (wanted: string): Term => ({agents = []}) => agents.some(name => standsIn(wanted, name));

/** A word that asks for something and does not say yet for what, as while it is typed. */
const isUnfinished = (word: string): boolean => /^!?(?:category:|agent:)?$/.test(word)
	|| (/^!?is:/.test(word) && Object.keys(stateTerms).some(term => term.startsWith(word.replace('!', '')) && term !== word.replace('!', '')));

const termOf = (word: string): Term => {
	if (word.startsWith('!')) {
		const rest = word.slice(1);
		const term = rest.includes(':') ? termOf(rest) : (record: Filterable) => stands(rest, record);
		return record => !term(record);
	}

	const {field, wanted} = /^(?<field>category|agent):(?<wanted>.+)/iu.exec(word)?.groups ?? {};
	if (field !== undefined && wanted !== undefined) {
		return field.toLowerCase() === 'agent' ? agentTerm(wanted) : categoryTerm(wanted);
	}

	return stateTerms[word.toLowerCase()] ?? wordTerm(word);
};

const isPlainWord = (word: string): boolean => !word.startsWith('!') && !/^(?:is|category|agent):/i.test(word);

/**
A filter line: every word must fit. A word fits the name or a trigger phrase also where only its letters stand there in
that order; `!word` must not stand anywhere; `is:on`, `is:off`, `is:marked`, `category:skill` and `agent:name` ask for
that, and leave nothing out until they are typed to their end.
*/
export const parseFilter = (line: string): Filter => {
	const words = line.split(/\s+/).filter(word => word !== '' && !isUnfinished(word.toLowerCase()));
	const terms = words.map(word => termOf(word));
	const plainWords = words.filter(word => isPlainWord(word));
	const placesOf = (matchIn: (word: string) => Match | undefined): readonly number[] => plainWords.flatMap(word => [...matchIn(word)?.indexes ?? []]);
	return {
		fits: record => terms.every(term => term(record)),
		placesIn: name => new Set(placesOf(word => matchOf(word, name))),
		placesInText: text => new Set(placesOf(word => textMatch(word, text))),
		placesInPhrases(phrases) {
			let start = 0;
			const places = new Set<number>();
			for (const phrase of phrases) {
				for (const place of placesOf(word => phraseMatch(word, phrase))) {
					places.add(start + place);
				}

				start += phrase.length + ', '.length;
			}

			return places;
		},
		asksForMarks: /is:marked/i.test(line),
		asksForAgents: /agent:/i.test(line),
	};
};
