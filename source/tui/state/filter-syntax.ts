import {categories, categoryLabel} from '../../interface/categories.ts';
import {formatCount} from '../../interface/format-count.ts';
import {maximumLineLength} from '../widgets/text-editing.ts';
import type {Hint} from '../keys/keymap.ts';
import {stateNames} from '../../interface/filter.ts';

type Syntax = {readonly term: string; readonly description: string};

/** The filter language, and the key that completes it, for the help. */
export const filterSyntax: readonly Syntax[] = [
	{term: 'word', description: 'has every word, in any order; best matches come first'},
	{term: '!word', description: 'does not have the word'},
	{term: 'is:on', description: 'is on; also is:off, is:marked, is:failed (its last change) and is:changed (elsewhere)'},
	{term: 'category:', description: 'is in a category, such as category:skill'},
	{term: 'agent:', description: 'belongs to an agent, such as agent:hearth'},
	{term: 'Tab', description: 'completes a term or its value; again for the next one that fits'},
];

const lineKeys: readonly Hint[] = [
	{key: 'enter', label: 'keep'},
	{key: 'esc', label: 'clear'},
	{key: 'tab', label: 'complete'},
];

const syntaxHints: readonly Hint[] = [
	{key: '!word', label: 'without it'},
	{key: 'is:', label: stateNames.join(' ')},
	{key: 'category:', label: 'skill'},
	{key: 'agent:', label: 'name'},
];

/** Hints for the values of a condition, by how the term starts. */
const hintsByStart: Readonly<Record<string, Hint>> = {
	'is:': {key: 'is:', label: stateNames.join(', ')},
	'category:': {key: 'category:', label: categories.map(name => categoryLabel(name)).join(', ')},
	'agent:': {key: 'agent:', label: "part of an agent's name"},
};

/** The hints for a filter line while it is typed: its keys, and the values of the term being typed. */
export const filterHints = (line: string): readonly Hint[] => {
	if (line.length >= maximumLineLength) {
		return [{key: 'full', label: `at most ${formatCount(maximumLineLength)} characters`}, ...lineKeys];
	}

	const start = /(?:^|\s)!?(?<start>[a-z]{1,20}:)\S*$/i.exec(line)?.groups!['start']?.toLowerCase();
	if (start === undefined) {
		return [...lineKeys, ...syntaxHints];
	}

	const hint = hintsByStart[start];
	return hint === undefined ? [{key: start, label: 'is not known: use is:, category: or agent:'}, ...lineKeys] : [hint, ...lineKeys];
};
