import {checkAbilityFiles} from '../interface/ability-package/check-ability-files.ts';
import {abilityLimits} from '../interface/ability-package/limits.ts';
import {quotePath, refusal} from '../interface/ability-package/refusals.ts';
import {categories, isCategory} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {abilityNameProblem} from '../interface/names.ts';
import {storedTextProblem} from '../interface/stored-text.ts';
import {type AbilityDraft} from './ability-draft.ts';
import {checkTriggerPhrases} from './check-trigger-phrases.ts';

type Problems = readonly SwitchboardError[];

const suggestName = (name: string): string =>
	name.normalize('NFKD').replaceAll(/[^\da-z]/gi, '').replace(/^\d+/, '').slice(0, 100);

const checkName = (name: string): Problems => {
	const problem = abilityNameProblem(name);
	if (problem === undefined) {
		return [];
	}

	const suggestion = suggestName(name);
	return [new SwitchboardError('refused', `The name ${name === '' ? '' : `${quotePath(name)} `}${problem}.`, {
		field: 'name',
		nextStep: suggestion === '' || suggestion === name ? 'Choose a short one of letters and digits.' : `Try ${suggestion}.`,
	})];
};

const checkCategory = (category: string): Problems => isCategory(category)
	? []
	: [new SwitchboardError('refused', `There is no category ${quotePath(category)}.`, {
		field: 'category',
		nextStep: `Choose one of ${categories.join(', ')}.`,
	})];

const checkDescription = (description: string): Problems => {
	const problem = description.length > abilityLimits.descriptionLength
		? `may be at most ${abilityLimits.descriptionLength} characters long`
		: storedTextProblem(description);
	return problem === undefined ? [] : [new SwitchboardError('refused', `The description ${problem}.`, {field: 'description', nextStep: 'Change it.'})];
};

/** The ability's own folder, if the folder above it was given. */
const findInnerFolder = ({files}: AbilityDraft): string | undefined =>
	files.map(({path}) => path.split('/')).find(segments => segments.length === 2 && segments[1] === 'main.py')?.[0];

/** Checks the files as the service does: in one top-level folder, whose name is part of every path. */
const checkDraftFiles = (draft: AbilityDraft): Problems => {
	const innerFolder = findInnerFolder(draft);
	if (innerFolder !== undefined && draft.files.every(({path}) => path !== 'main.py')) {
		return [refusal('main.py is missing.', `There is one in ${quotePath(innerFolder)}: use that folder.`)];
	}

	const folder = abilityNameProblem(draft.name) === undefined ? draft.name : 'ability';
	return checkAbilityFiles(
		draft.files.map(({path, size}) => ({path: `${folder}/${path}`, size})),
		{category: draft.category, layout: 'folder'},
	);
};

/** Everything that is wrong with a draft, in the order of the form's fields. */
export const checkDraft = (draft: AbilityDraft): Problems => [
	...checkDraftFiles(draft),
	...checkName(draft.name),
	...checkDescription(draft.description),
	...checkCategory(draft.category),
	...checkTriggerPhrases(draft.triggerPhrases),
];
