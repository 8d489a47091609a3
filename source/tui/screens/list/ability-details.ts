import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {age} from '../../widgets/age.ts';
import {type PaneDetails} from '../../widgets/pane.tsx';

type ShownAbility = {
	readonly id: number;
	readonly name: string;
	readonly category: string;
	readonly description?: string;
	readonly triggerPhrases: readonly string[];
	readonly changedAt: number | undefined;
};

type AbilityDetailsOptions = {
	readonly state: string;
	readonly now: number;
	/** Why the last requested change failed. */
	readonly failure: string | undefined;
};

/** An ability beside the list, with what is known without another request. */
export const abilityDetails = ({id, name, category, description = '', triggerPhrases, changedAt}: ShownAbility, {state, now, failure = ''}: AbilityDetailsOptions): PaneDetails => ({
	title: name,
	fields: [
		{label: 'State', text: state},
		{label: 'Id', text: String(id)},
		{label: 'Category', text: isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category},
		{label: 'Phrases', text: triggerPhrases.join(', ')},
		{label: 'Changed', text: age(changedAt, now)},
		{label: 'Failed', text: failure},
	],
	text: description,
});
