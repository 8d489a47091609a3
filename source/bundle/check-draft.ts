import {checkAbilityFiles} from '../interface/ability-package/check-ability-files.ts';
import {quotePath, refusal} from '../interface/ability-package/refusals.ts';
import {categories, isCategory} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {abilityNameProblem, triggerPhraseProblem} from '../interface/names.ts';
import {type AbilityDraft} from './ability-draft.ts';

type Problems = readonly SwitchboardError[];

const suggestName = (name: string): string =>
	name.normalize('NFKD').replaceAll(/[^\da-z]/gi, '').replace(/^\d+/, '').slice(0, 100);

const checkName = (name: string): Problems => {
	const complaint = abilityNameProblem(name);
	if (complaint === undefined) {
		return [];
	}

	const suggestion = suggestName(name);
	return [new SwitchboardError('refused', `The name ${name === '' ? '' : `${quotePath(name)} `}${complaint}.`, {
		field: 'name',
		nextStep: suggestion === '' || suggestion === name ? 'Give it a short one of letters and digits.' : `Name it ${suggestion}, for example.`,
	})];
};

const checkCategory = (category: string): Problems => isCategory(category)
	? []
	: [new SwitchboardError('refused', `There is no category ${quotePath(category)}.`, {
		field: 'category',
		nextStep: `Choose one of ${categories.join(', ')}.`,
	})];

const checkTriggerPhrases = (phrases: readonly string[]): Problems => phrases.flatMap(phrase => {
	const complaint = triggerPhraseProblem(phrase);
	return complaint === undefined
		? []
		: [new SwitchboardError('refused', `The trigger phrase ${quotePath(phrase)} ${complaint}.`, {
			field: 'trigger_words',
			nextStep: 'Write it as it is said, in plain words.',
		})];
});

/** The folder above was named, or the ability's own folder lies in one more. */
const findInnerFolder = ({files}: AbilityDraft): string | undefined =>
	files.map(({path}) => path.split('/')).find(segments => segments.length === 2 && segments[1] === 'main.py')?.[0];

/** As the service checks them: in one top-level folder, whose name is part of every path. */
const checkDraftFiles = (draft: AbilityDraft): Problems => {
	const innerFolder = findInnerFolder(draft);
	if (innerFolder !== undefined && draft.files.every(({path}) => path !== 'main.py')) {
		return [refusal('main.py is missing.', `There is one in ${quotePath(innerFolder)}: name that folder.`)];
	}

	const folder = abilityNameProblem(draft.name) === undefined ? draft.name : 'ability';
	return checkAbilityFiles(
		draft.files.map(({path, size}) => ({path: `${folder}/${path}`, size})),
		{category: draft.category, layout: 'folder'},
	);
};

/** All that is wrong with a draft, in the order in which a form asks for it. */
export const checkDraft = (draft: AbilityDraft): Problems => [
	...checkDraftFiles(draft),
	...checkName(draft.name),
	...checkCategory(draft.category),
	...checkTriggerPhrases(draft.triggerPhrases),
];
