import {filterSyntax} from '../../tui/state/filter-syntax.ts';
import type {HelpTopic} from './topic.ts';

export const filter: HelpTopic = [
	'/ filters the list as you type; Enter keeps the filter, Escape clears it. The list shows what fits all words and terms:',
	{items: filterSyntax.map(({term, description}) => [term, description])},
	'A whole word of the name matches best, then the start of one, a part of one, trigger phrases and other fields.',
	'A word that occurs nowhere matches by its letters: mlt finds morninglights.',
	'Quote a value that contains a space:',
	{lines: ['is:off category:skill agent:"Front Porch"']},
];
