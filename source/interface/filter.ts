import {categoryLabel} from './categories.ts';
import {wordList} from './format-count.ts';
import {parseDuration} from './duration.ts';
import {findSubsequence, findSubsequenceInWord, findSubstring, fold, type SearchText, toDisplayText, toSearchText} from './match.ts';
import {nearestWord} from './name-index.ts';
import type {Timer} from './timers.ts';

/** The filter language, with the keys of its line, for the help. */
export const filterSyntax: ReadonlyArray<{readonly term: string; readonly description: string}> = [
	{term: 'word', description: 'has every word, in any order; best matches come first'},
	{term: '!word', description: 'does not have the word'},
	{
		term: 'is:on',
		description: 'is on; also is:off, is:timed (has a timer), is:marked, is:failed (its last change) and is:changed (elsewhere)',
	},
	{term: 'changed:<2d', description: 'was changed in the last 2 days; changed:>30d: longer ago (is:changed: elsewhere, whenever)'},
	{term: 'category:', description: 'is in a category, such as category:skill'},
	{term: 'agent:', description: 'belongs to an agent, such as agent:hearth; a comma means or'},
	{term: 'Tab', description: 'completes a term or its value; again for the next one that fits; off becomes is:off'},
	{term: 'Ctrl+T', description: 'switches the row under the cursor, whatever is marked; Up and Down move'},
];

/*
`agent:` in a filter line. A name with spaces needs quotes, `agent:"Front Porch"`, with a quote in it doubled. Quotes match the whole name;
without them, or before they are closed, any part of it matches. A comma means or: `agent:hearth,"Front Porch"`.
*/

const agentName = '(?:"(?:[^"]|"")*(?:"|$)|[^\\s,"][^\\s,]*)';

const term = new RegExp(`!?agent:${agentName}(?:,${agentName})*,?|\\S+`, 'giu');

const agentNames = new RegExp(agentName, 'gu');

/** Returns the terms of a filter line; a quoted name belongs to the term before it. */
export function filterTerms(line: string): readonly string[] {
	return line.match(term) ?? [];
}

const isAgentTermEmpty = (filterTerm: string): boolean => /^!?agent:"?$/i.test(filterTerm);

function matchesAgent(wanted: string, name: string): boolean {
	const quoted = /^"(?<name>(?:[^"]|"")*)(?<end>"?)$/u.exec(wanted)?.groups;
	if (quoted === undefined) {
		return fold(name).includes(fold(wanted));
	}

	const exact = fold(quoted['name']!.replaceAll('""', '"'));
	return quoted['end'] === '' ? fold(name).includes(exact) : fold(name) === exact;
}

/**
Returns the filter for the abilities of these agents; a name is quoted if it has spaces or is part of another agent's name.

@param names - of all agents.
*/
export function agentFilter(chosen: readonly string[], names: readonly string[]): string {
	const written = chosen.map(name => {
		const isPlain = !/[\s",]/u.test(name) && names.every(other => chosen.includes(other) || !matchesAgent(name, other));
		return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
	});
	return `agent:${written.join(',')}`;
}

type FindSubsequence = typeof findSubsequence;

const none: readonly number[] = [];

function positionsOfWord(text: SearchText, word: string, find: FindSubsequence | undefined): readonly number[] {
	const substring = findSubstring(text, word);
	return substring === undefined
		? (find?.(text, word, [0, text.folded.length]) ?? none)
		: Array.from({length: word.length}, (_, index) => substring.position + index);
}

function positionsOfWords(words: readonly string[], shown: string, find: FindSubsequence | undefined): readonly number[] {
	if (words.length === 0) {
		return none;
	}

	const {text, offsets} = toDisplayText(shown);
	return words.flatMap(word => positionsOfWord(text, word, find).map(position => offsets[position]!));
}

/** Returns the positions (of UTF-16 units) where folded words match a displayed text; subsequences count if `isFuzzy`. */
export function highlightOf(words: readonly string[], isFuzzy: boolean) {
	return {
		matchPositions: (name: string): ReadonlySet<number> => new Set(positionsOfWords(words, name, isFuzzy ? findSubsequence : undefined)),
		/** The positions in a text that is matched only by substrings, such as a category or a prompt. */
		matchPositionsInText: (text: string): ReadonlySet<number> => new Set(positionsOfWords(words, text, undefined)),
		/** The positions in trigger phrases joined by a comma and a space. */
		matchPositionsInPhrases(phrases: readonly string[]): ReadonlySet<number> {
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
	};
}

export type Highlight = ReturnType<typeof highlightOf>;

export type Filterable = {
	readonly name: string;
	readonly category?: string;
	readonly triggerPhrases?: readonly string[];
	readonly text?: string;
	readonly isEnabled?: boolean | undefined;
	readonly isMarked?: boolean;
	readonly hasFailed?: boolean;
	readonly timer?: Timer | undefined;
	readonly isChanged?: boolean;
	readonly changedAt?: number | undefined;
	/** The names of the agents that have the record; missing if they are not known. */
	readonly agents?: readonly string[] | undefined;
};

/** How well the words of a filter match a record: lower is better for both. */
export type Match = {readonly fuzzyCount: number; readonly rank: number};

type Condition = (record: Filterable, textOf: () => SearchText) => boolean;

const states = {
	on: ({isEnabled}) => isEnabled === true,
	off: ({isEnabled}) => isEnabled === false,
	marked: ({isMarked}) => isMarked === true,
	timed: ({timer}) => timer !== undefined,
	failed: ({hasFailed}) => hasFailed === true,
	changed: ({isChanged}) => isChanged === true,
} as const satisfies Readonly<Record<string, Condition>>;

type StateName = keyof typeof states;

/** The states that `is:` knows. */
export const stateNames = Object.keys(states) as readonly StateName[];

const isStateName = (name: string): name is StateName => Object.hasOwn(states, name);

/** Returns the searched fields, the most important first. */
export function searchTextOf({name, category = '', triggerPhrases = [], text = ''}: Filterable): SearchText {
	return toSearchText([name, triggerPhrases.join('\n'), `${category}\n${categoryLabel(category)}\n${text}`]);
}

const fieldCount = 3;

/** Subsequences rank after every substring; in a name, where a match from the first letter is best, before in a phrase. */
const fuzzyRank = fieldCount * 4;

function rankSubsequence(text: SearchText, word: string): number | undefined {
	const [nameEnd, phrasesEnd] = text.ends as readonly [number, number];
	const inName = findSubsequence(text, word, [0, nameEnd]);
	if (inName !== undefined) {
		return fuzzyRank + (inName[0] === 0 ? 0 : 1);
	}

	return findSubsequenceInWord(text, word, [nameEnd + 1, phrasesEnd]) === undefined ? undefined : fuzzyRank + 2;
}

function matchWords(words: readonly string[], text: SearchText, isFuzzy: boolean): Match | undefined {
	let fuzzyCount = 0;
	let rank = 0;
	for (const word of words) {
		const substring = findSubstring(text, word);
		const wordRank = substring?.rank ?? (isFuzzy ? rankSubsequence(text, word) : undefined);
		if (wordRank === undefined) {
			return undefined;
		}

		fuzzyCount += substring === undefined ? 1 : 0;
		rank += wordRank;
	}

	return {fuzzyCount, rank};
}

function toCondition(word: string): Condition {
	if (word.startsWith('!')) {
		const rest = word.slice(1);
		const wanted = fold(rest);
		const condition: Condition = isPlainWord(rest) ? (_, textOf) => textOf().folded.includes(wanted) : toCondition(rest);
		return (record, textOf) => !condition(record, textOf);
	}

	const {field, wanted} = /^(?<field>is|category|agent|changed):(?<wanted>.+)/u.exec(fold(word))!.groups as {
		readonly field: string;
		readonly wanted: string;
	};
	if (field === 'agent') {
		const wantedNames = wanted.match(agentNames) ?? [];
		return ({agents = []}) => agents.some(name => wantedNames.some(each => matchesAgent(each, name)));
	}

	if (field === 'category') {
		return ({category = ''}) => [category, categoryLabel(category)].some(name => fold(name).startsWith(wanted));
	}

	if (field === 'changed') {
		const {isNewer, milliseconds} = ageLimitOf(wanted) ?? {isNewer: true, milliseconds: Number.NaN};
		return ({changedAt = Number.NaN}) => (isNewer ? Date.now() - changedAt < milliseconds : Date.now() - changedAt > milliseconds);
	}

	return isStateName(wanted) ? states[wanted] : () => false;
}

/** Returns the limit of an age such as `<2d`; `undefined` for any other text. */
function ageLimitOf(text: string): {readonly isNewer: boolean; readonly milliseconds: number} | undefined {
	const milliseconds = /^[<>]/.test(text) ? parseDuration(text.slice(1)) : undefined;
	return milliseconds === undefined ? undefined : {isNewer: text.startsWith('<'), milliseconds};
}

const isPlainWord = (word: string): boolean => !/^(?:!|is:|category:|agent:|changed:)/i.test(word);

const stateOf = (word: string): string | undefined => /^!?is:(?<state>.*)/i.exec(word)?.groups!['state']!.toLowerCase();

/** Tells whether a word is a condition that is still being typed. */
function isUnfinished(word: string): boolean {
	const state = stateOf(word);
	return state === undefined
		? /^!?(?:category:|changed:[<>]?[\d.]*)?$/i.test(word) || isAgentTermEmpty(word)
		: !isStateName(state) && stateNames.some(name => name.startsWith(state));
}

const fieldNames: readonly string[] = ['is', 'category', 'agent', 'changed'];

type FieldTerm = {readonly field: string; readonly value: string};

/** Returns the field and the value of a term such as `is:on`, in lower case; `undefined` for a word. */
function partsOf(word: string): FieldTerm | undefined {
	const groups = /^!?(?<field>[a-z]+):(?<value>.*)/isu.exec(word.toLowerCase())?.groups;
	return groups && {field: groups['field']!, value: groups['value']!};
}

function isUnknown(word: string): boolean {
	const found = partsOf(word);
	return (
		found !== undefined &&
		(fieldNames.includes(found.field)
			? (found.field === 'is' && !isStateName(found.value)) || (found.field === 'changed' && ageLimitOf(found.value) === undefined)
			: true)
	);
}

/** Common words for a field that are not spelled like it. */
const fieldsByOtherWord: Readonly<Record<string, string>> = {state: 'is', status: 'is', kind: 'category', type: 'category'};

/** Returns the term that was probably meant by an unknown one. */
function nearestTerm({field, value}: FieldTerm): string | undefined {
	if (field === 'is') {
		const state = nearestWord(value, stateNames);
		return state && `is:${state}`;
	}

	if (field === 'changed') {
		return parseDuration(value) === undefined ? undefined : `changed:<${value}`;
	}

	const meant = fieldNames.find(name => name.startsWith(field)) ?? fieldsByOtherWord[field] ?? nearestWord(field, fieldNames);
	return meant && `${meant}:${value}`;
}

/** Returns a sentence about the unknown terms of a filter line, with suggestions; `undefined` if it has none. */
export function unknownTermsText(unknownTerms: readonly string[]): string | undefined {
	const [first] = unknownTerms;
	if (first === undefined) {
		return undefined;
	}

	const suggested = nearestTerm(partsOf(first)!);
	const known = unknownTerms.every(word => /^is:/i.test(word))
		? stateNames.map(name => `is:${name}`)
		: ['is:', 'category:', 'agent:', 'changed:'];
	const advice = suggested === undefined ? `Use ${wordList(known, 'or')}.` : `Did you mean: ${suggested}`;
	return `Unknown filter ${unknownTerms.map(word => `“${word}”`).join(' and ')}. ${advice}`;
}

/**
Parses a filter line: every term must match. A word matches as a substring of the name, a trigger phrase or the rest; if
no record matches that way, as a subsequence of the name. `!word` must not occur at all. Conditions such as `is:on`,
`category:skill` and `agent:name` are ignored until they are complete.
*/
export function parseFilter(line: string) {
	const parts = filterTerms(line).filter(word => !isUnfinished(word));
	const words = parts
		.filter(word => isPlainWord(word))
		.map(word => fold(word))
		.filter(word => word !== '');
	const conditions = parts.filter(word => !isPlainWord(word)).map(word => toCondition(word));
	return {
		/** The folded words to find in names, trigger phrases and the rest. Without words a list keeps its order. */
		words: words as readonly string[],
		/** How well the words match; `undefined` if one of them doesn't. Subsequences count if `isFuzzy`. */
		match: (text: SearchText, isFuzzy: boolean): Match | undefined => matchWords(words, text, isFuzzy),
		allows: (record: Filterable, textOf: () => SearchText): boolean => conditions.every(condition => condition(record, textOf)),
		/** True if the line has conditions, such as `is:on`, and not only words. */
		hasConditions: conditions.length > 0,
		highlight: (isFuzzy: boolean): Highlight => highlightOf(words, isFuzzy),
		/**
		Terms that name an unknown state or field, such as `is:lit` and `cat:skill`. The latter are also searched for as words, because a
		text may have them.
		*/
		unknownTerms: parts.filter(word => isUnknown(word)).map(word => word.replace('!', '')) as readonly string[],
		/** The term at the end that is ignored because it is not complete, such as `is:of`. */
		unfinishedTerm: filterTerms(line).findLast(word => isUnfinished(word)),
		dependsOnMarks: /is:marked/i.test(line),
		dependsOnAgents: /agent:/i.test(line),
		dependsOnTimes: /changed:/i.test(line),
		/** True if the conditions depend on events of this session: on failures, or on changes made elsewhere. */
		dependsOnEvents: /is:(?:failed|changed)/i.test(line),
	};
}
