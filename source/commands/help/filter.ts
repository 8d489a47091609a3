import {filterSyntax} from '../../tui/state/filter-syntax.ts';
import type {HelpTopic} from './topic.ts';

export const filter: HelpTopic = [
	'/ filters the list as you type; Enter keeps the filter, Escape clears it. Words and terms narrow it further, in any order:',
	{items: filterSyntax.map(({term, description}) => [term, description])},
	'The best matches come first: a whole word of the name, the start of one, a part of one, then trigger phrases and other fields.',
	'A word that occurs nowhere matches by its letters: mlt finds morninglights.',
	'Quote a value that contains a space:',
	{lines: ['is:off category:skill agent:"Front Porch"']},
];
