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

/** What a filter looks at in a record. */
export type Filterable = {
	readonly name: string;
	readonly category?: string;
	readonly triggerPhrases?: readonly string[];
	readonly text?: string;
	/** Not there where the record has no state, such as an ability that is not installed. */
	readonly isEnabled?: boolean | undefined;
	readonly isMarked?: boolean;
	/** True where the last change asked for failed. */
	readonly hasFailed?: boolean;
	/** True where it was changed elsewhere in this session. */
	readonly isChanged?: boolean;
	/** The names of the agents that have it; not there where that is not known. */
	readonly agents?: readonly string[] | undefined;
};

/** How well the words of a filter fit a record: the lower both are, the better. */
export type Match = {
	/** Of how many words only the letters stand in the record, with others between. */
	readonly apartCount: number;
	readonly rank: number;
};

export type Filter = {
	/** What is looked for in names, trigger phrases and the rest, folded. Without such words a list keeps its order. */
	readonly words: readonly string[];
	/** How well the words fit; `undefined` where one of them does not. Letters with others between count where they are asked for. */
	match(text: SearchText, isFuzzy: boolean): Match | undefined;
	/** True where a record is as all but the words ask for. */
	allows(record: Filterable, textOf: () => SearchText): boolean;
	/** True where the line asks for anything but words. */
	readonly hasConditions: boolean;
	/** Shows where the words fit. */
	highlight(isFuzzy: boolean): Highlight;
	/** Words such as `is:lit`, which ask for a state that there is not. */
	readonly unknownStates: readonly string[];
	/** True where what fits depends on what is marked. */
	readonly dependsOnMarks: boolean;
	/** True where it depends on which agents have what. */
	readonly dependsOnAgents: boolean;
	/** True where it depends on what has happened in this session: on what failed, or was changed elsewhere. */
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

/** What can be asked for by `is:`. */
export const stateNames = Object.keys(states) as readonly StateName[];

const isStateName = (name: string): name is StateName => Object.hasOwn(states, name);

/** The fields that are searched, the one that counts most first. */
export const searchTextOf = ({name, category = '', triggerPhrases = [], text = ''}: Filterable): SearchText =>
	toSearchText([name, triggerPhrases.join('\n'), `${category}\n${categoryLabel(category)}\n${text}`]);

const fieldCount = 3;

/** Ranks of the letters of a word behind those of any word that stands somewhere: in a name, best from its first letter on, before a phrase. */
const lettersRank = fieldCount * 4;

const rankOfLetters = (text: SearchText, word: string): number | undefined => {
	const [nameEnd, phrasesEnd] = text.ends as readonly [number, number];
	const inName = findSubsequence(text, word, [0, nameEnd]);
	if (inName !== undefined) {
		return lettersRank + (inName[0] === 0 ? 0 : 1);
	}

	return findSubsequenceInWord(text, word, [nameEnd + 1, phrasesEnd]) === undefined ? undefined : lettersRank + 2;
};

const fitOf = (words: readonly string[], text: SearchText, isFuzzy: boolean): Match | undefined => {
	let apartCount = 0;
	let rank = 0;
	for (const word of words) {
		const standing = findSubstring(text, word);
		const wordRank = standing?.rank ?? (isFuzzy ? rankOfLetters(text, word) : undefined);
		if (wordRank === undefined) {
			return undefined;
		}

		apartCount += standing === undefined ? 1 : 0;
		rank += wordRank;
	}

	return {apartCount, rank};
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

/** A word that asks for something and does not say yet for what, as while it is typed. */
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
A filter line: every word must fit. A word fits where it stands in the name, a trigger phrase or the rest, or where
nothing fits better, where its letters stand in the name in their order. `!word` must not stand anywhere; `is:on`,
`category:skill`, `agent:name` and their like ask for that, and leave nothing out until they are typed to their end.
*/
export const parseFilter = (line: string): Filter => {
	const parts = filterTerms(line).filter(word => !isUnfinished(word));
	const words = parts.filter(word => isPlainWord(word)).map(word => fold(word)).filter(word => word !== '');
	const conditions = parts.filter(word => !isPlainWord(word)).map(word => toCondition(word));
	return {
		words,
		match: (text, isFuzzy) => fitOf(words, text, isFuzzy),
		allows: (record, textOf) => conditions.every(condition => condition(record, textOf)),
		hasConditions: conditions.length > 0,
		highlight: isFuzzy => highlightOf(words, isFuzzy),
		unknownStates: parts.filter(word => isUnknown(word)).map(word => word.replace('!', '')),
		dependsOnMarks: /is:marked/i.test(line),
		dependsOnAgents: /agent:/i.test(line),
		dependsOnEvents: /is:(?:failed|changed)/i.test(line),
	};
};
