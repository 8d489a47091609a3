import path from 'node:path';
import {checkAbilityFiles, type PackageEntry, startFiles} from '../interface/ability-package/check-files.ts';
import {abilityLimits, quotePath, refusal} from '../interface/ability-package/limits.ts';
import {categories, isCategory} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {abilityNameProblem, packageName, storedTextProblem, triggerPhraseProblem} from '../interface/names.ts';

export type AbilityDraft = {
	readonly name: string;
	readonly description: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
	/** Paths relative to the ability's own folder. */
	readonly files: readonly PackageEntry[];
	/** In bytes, of all files together. */
	readonly sizeBytes: number;
	/** The paths that stay out of the package; a folder's path ends with `/`. */
	readonly leftOut: readonly string[];
	/** Values that are sent in another form than they were written in, as sentences. */
	readonly notes: readonly string[];
	readonly path?: string | undefined;
};

type Problems = readonly SwitchboardError[];

/** Returns a `refused` error for a description that no service takes. */
export function checkDescription(description: string): Problems {
	const problem =
		description.length > abilityLimits.descriptionLength
			? `may be at most ${abilityLimits.descriptionLength} characters long`
			: storedTextProblem(description);
	return problem === undefined ? [] : [fieldProblem('description', `The description ${problem}.`, 'Change it.')];
}

const fieldProblem = (field: string, message: string, nextStep: string): SwitchboardError =>
	new SwitchboardError('refused', message, {field, nextStep});

/** Returns a `refused` error for each problem with the trigger phrases of an ability. */
export function checkTriggerPhrases(phrases: readonly string[]): Problems {
	const {triggerPhrases: maximum} = abilityLimits;
	const count = `There are ${phrases.length} trigger phrases; an ability may have at most ${maximum}.`;
	return [
		...(phrases.length > maximum ? [fieldProblem('trigger_words', count, 'Keep those that people say.')] : []),
		...phrases
			.map(phrase => [phrase, triggerPhraseProblem(phrase)] as const)
			.filter(([, problem]) => problem !== undefined)
			.map(([phrase, problem]) =>
				fieldProblem('trigger_words', `The trigger phrase ${quotePath(phrase)} ${problem}.`, 'Write it in plain words, as it is spoken.'),
			),
	];
}

/** Returns everything that is wrong with a draft, in the order of the form's fields. */
export function checkDraft(draft: AbilityDraft): Problems {
	return [
		...checkDraftFiles(draft),
		...checkName(draft.name),
		...checkDescription(draft.description),
		...checkCategory(draft.category),
		...checkTriggerPhrases(draft.triggerPhrases),
	];
}

/** Checks the files as the service does: in one top-level folder, whose name is part of every path. */
function checkDraftFiles(draft: AbilityDraft): Problems {
	const inner = findStart(draft, 2);
	if (inner !== undefined && findStart(draft, 1) === undefined) {
		const [folder, start] = inner;
		return [refusal(`${start} is missing.`, `There is one in ${quotePath(path.join(draft.path ?? '', folder!))}: use that folder.`)];
	}

	const {files, category, name} = draft;
	const problems = checkAbilityFiles(files, {category, layout: 'root'});
	// The folder in the package has a made name: only a path may be too long with it.
	const packed = files.map(file => ({...file, path: `${packageName(name)}/${file.path}`}));
	return problems.length > 0 ? problems : checkAbilityFiles(packed, {category, layout: 'folder'});
}

/** The start files of an ability: in the given folder (1), or in one of its folders (2). */
const findStart = ({files}: AbilityDraft, depth: number): readonly string[] | undefined =>
	files.map(file => file.path.split('/')).find(names => names.length === depth && startFiles.some(start => start === names.at(-1)));

function checkName(name: string): Problems {
	const problem = abilityNameProblem(name);
	return problem === undefined ? [] : [fieldProblem('name', `The name ${problem}.`, 'Choose a short one, such as two words.')];
}

const checkCategory = (category: string): Problems =>
	isCategory(category)
		? []
		: [fieldProblem('category', `There is no category ${quotePath(category)}.`, `Choose one of ${categories.join(', ')}.`)];
