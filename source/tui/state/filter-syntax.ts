import {categories, categoryLabel} from '../../interface/categories.ts';
import {stateNames} from './filter.ts';

type Syntax = {
	/** What is typed. */
	readonly term: string;
	/** A clause for the help. */
	readonly description: string;
};

/** What a filter line understands, for the help. */
export const filterSyntax: readonly Syntax[] = [
	{term: 'word', description: 'what has all the words typed, in any order; what fits best comes first'},
	{term: '!word', description: 'what does not have the word'},
	{term: 'is:on', description: 'what is on; likewise is:off, is:marked, is:failed (its last change) and is:changed (elsewhere)'},
	{term: 'category:', description: 'what is in a category, as in category:skill'},
	{term: 'agent:', description: 'what an agent has, as in agent:hearth'},
];

type Hint = {readonly key: string; readonly label: string};

const lineKeys: readonly Hint[] = [{key: 'enter', label: 'keep'}, {key: 'esc', label: 'clear'}];

const syntaxHints: readonly Hint[] = [
	{key: '!word', label: 'without it'},
	{key: 'is:', label: stateNames.join(' ')},
	{key: 'category:', label: 'skill'},
	{key: 'agent:', label: 'name'},
];

/** Hints on what can be typed, by what a word begins with. */
const hintsByStart: Readonly<Record<string, Hint>> = {
	'is:': {key: 'is:', label: stateNames.join(', ')},
	'category:': {key: 'category:', label: categories.map(name => categoryLabel(name)).join(', ')},
	'agent:': {key: 'agent:', label: 'a part of an agent\'s name'},
};

/** The hints for a filter line as it is typed: its keys, and what the word that is typed may go on as. */
export const filterHints = (line: string): readonly Hint[] => {
	const start = /(?:^|\s)!?(?<start>is:|category:|agent:)\S*$/i.exec(line)?.groups!['start']?.toLowerCase();
	const hint = start === undefined ? undefined : hintsByStart[start];
	return hint === undefined ? [...lineKeys, ...syntaxHints] : [hint, ...lineKeys];
};

/** What is to be said where a filter asks for a state that there is not; `undefined` where it does not. */
export const unknownStateText = (unknownStates: readonly string[]): string | undefined => {
	const names = stateNames.map(name => `is:${name}`);
	return unknownStates.length === 0
		? undefined
		: `The filter does not know ${unknownStates.map(word => `“${word}”`).join(' and ')}, only ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
};
