import {categoryLabel} from '../../interface/categories.ts';
import {filterTerms, matchesAgent, isAgentTermEmpty} from './agent-term.ts';
import {highlightOf, type Highlight} from './highlight.ts';
import {
	findSubsequence,
	findSubsequenceInWord,
	findSubstring,
	fold,
	toSearchText,
	type SearchText,
} from './match.ts';

/** The parts of a record that a filter tests. */
export type Filterable = {
	readonly name: string;
	readonly category?: string;
	readonly triggerPhrases?: readonly string[];
	readonly text?: string;
	/** Missing if the record has no state, such as an ability that is not installed. */
	readonly isEnabled?: boolean | undefined;
	readonly isMarked?: boolean;
	/** True if its last change failed. */
	readonly hasFailed?: boolean;
	/** True if it was changed elsewhere in this session. */
	readonly isChanged?: boolean;
	/** The names of the agents that have it; missing if they are unknown. */
	readonly agents?: readonly string[] | undefined;
};

/** How well the words of a filter match a record: lower is better for both. */
export type Match = {
	/** How many words match as a subsequence only. */
	readonly fuzzyCount: number;
	readonly rank: number;
};

export type Filter = {
	/** The folded words to find in names, trigger phrases and the rest. Without words a list keeps its order. */
	readonly words: readonly string[];
	/** How well the words match; `undefined` if one of them doesn't. Subsequences count if `isFuzzy`. */
	match(text: SearchText, isFuzzy: boolean): Match | undefined;
	/** True if a record meets all conditions. */
	allows(record: Filterable, textOf: () => SearchText): boolean;
	/** True if the line has conditions, such as `is:on`, and not only words. */
	readonly hasConditions: boolean;
	/** Finds where the words match. */
	highlight(isFuzzy: boolean): Highlight;
	/** Terms that name an unknown state, such as `is:lit`. */
	readonly unknownStates: readonly string[];
	/** True if the matches depend on the marks. */
	readonly dependsOnMarks: boolean;
	/** True if they depend on the agents' abilities. */
	readonly dependsOnAgents: boolean;
	/** True if they depend on what happened in this session: on what failed, or was changed elsewhere. */
	readonly dependsOnEvents: boolean;
};

type Condition = (record: Filterable, textOf: () => SearchText) => boolean;

const states = {
	on: ({isEnabled}) => isEnabled === true,
	off: ({isEnabled}) => isEnabled === false,
	marked: ({isMarked}) => isMarked === true,
	failed: ({hasFailed}) => hasFailed === true,
	changed: ({isChanged}) => isChanged === true,
} as const satisfies Readonly<Record<string, Condition>>;

type StateName = keyof typeof states;

/** The states that `is:` knows. */
export const stateNames = Object.keys(states) as readonly StateName[];

const isStateName = (name: string): name is StateName => Object.hasOwn(states, name);

/** The searched fields, the most important first. */
export const searchTextOf = ({name, category = '', triggerPhrases = [], text = ''}: Filterable): SearchText =>
	toSearchText([name, triggerPhrases.join('\n'), `${category}\n${categoryLabel(category)}\n${text}`]);

const fieldCount = 3;

/** Subsequences rank after every substring: those in a name, best from its first letter on, before those in a phrase. */
const fuzzyRank = fieldCount * 4;

const rankSubsequence = (text: SearchText, word: string): number | undefined => {
	const [nameEnd, phrasesEnd] = text.ends as readonly [number, number];
	const inName = findSubsequence(text, word, [0, nameEnd]);
	if (inName !== undefined) {
		return fuzzyRank + (inName[0] === 0 ? 0 : 1);
	}

	return findSubsequenceInWord(text, word, [nameEnd + 1, phrasesEnd]) === undefined ? undefined : fuzzyRank + 2;
};

const matchWords = (words: readonly string[], text: SearchText, isFuzzy: boolean): Match | undefined => {
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
};

const toCondition = (word: string): Condition => {
	if (word.startsWith('!')) {
		const rest = word.slice(1);
		const wanted = fold(rest);
		const condition: Condition = isPlainWord(rest) ? (_, textOf) => textOf().folded.includes(wanted) : toCondition(rest);
		return (record, textOf) => !condition(record, textOf);
	}

	const {field, wanted} = /^(?<field>is|category|agent):(?<wanted>.+)/u.exec(fold(word))!.groups as {readonly field: string; readonly wanted: string};
	switch (field) {
		case 'agent': {
			return ({agents = []}) => agents.some(name => matchesAgent(wanted, name));
		}

		case 'category': {
			return ({category = ''}) => [category, categoryLabel(category)].some(name => fold(name).startsWith(wanted));
		}

		default: {
			return isStateName(wanted) ? states[wanted] : () => false;
		}
	}
};

const isPlainWord = (word: string): boolean => !/^(?:!|is:|category:|agent:)/i.test(word);

const stateOf = (word: string): string | undefined => /^!?is:(?<state>.*)/i.exec(word)?.groups!['state']!.toLowerCase();

/** True for a condition that is still being typed. */
const isUnfinished = (word: string): boolean => {
	const state = stateOf(word);
	return state === undefined
		? /^!?(?:category:)?$/i.test(word) || isAgentTermEmpty(word)
		: !isStateName(state) && stateNames.some(name => name.startsWith(state));
};

const isUnknown = (word: string): boolean => {
	const state = stateOf(word);
	return state !== undefined && !isStateName(state);
};

/**
Parses a filter line: every term must match. A word matches as a substring of the name, a trigger phrase or the rest; if
no record matches that way, as a subsequence of the name. `!word` must not occur at all. Conditions such as `is:on`,
`category:skill` and `agent:name` are ignored until they are complete.
*/
export const parseFilter = (line: string): Filter => {
	const parts = filterTerms(line).filter(word => !isUnfinished(word));
	const words = parts.filter(word => isPlainWord(word)).map(word => fold(word)).filter(word => word !== '');
	const conditions = parts.filter(word => !isPlainWord(word)).map(word => toCondition(word));
	return {
		words,
		match: (text, isFuzzy) => matchWords(words, text, isFuzzy),
		allows: (record, textOf) => conditions.every(condition => condition(record, textOf)),
		hasConditions: conditions.length > 0,
		highlight: isFuzzy => highlightOf(words, isFuzzy),
		unknownStates: parts.filter(word => isUnknown(word)).map(word => word.replace('!', '')),
		dependsOnMarks: /is:marked/i.test(line),
		dependsOnAgents: /agent:/i.test(line),
		dependsOnEvents: /is:(?:failed|changed)/i.test(line),
	};
};
