import type {AbilityDraft} from '../../../bundle/check-draft.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {errorText, type SwitchboardError} from '../../../interface/errors.ts';
import {abilityNameProblem, isPlainAbilityName, splitTriggerPhrases, straightenedNotes} from '../../../interface/names.ts';
import {expandPath, type Inspection} from '../../hooks/inspection.ts';
import {leavesSkillSilent, phrasesProblem} from '../../state/edit-words.ts';
import type {FormState} from '../../state/form.ts';
import type {FieldNote} from '../form.tsx';

export const uploadFields = ['path', 'name', 'description', 'category', 'phrases', 'image', 'agent'] as const;

export type UploadField = (typeof uploadFields)[number];

/** The agent is an id, or empty. */
export type UploadTexts = Readonly<Record<UploadField, string>>;

export const emptyTexts: UploadTexts = {path: '', name: '', description: '', category: 'skill', phrases: '', image: '', agent: ''};

/** The interface's names of the fields (`docs/interface.md`, Upload). */
const fieldsOfInterface = new Map<string, UploadField>([
	['zip_file', 'path'],
	['name', 'name'],
	['description', 'description'],
	['category', 'category'],
	['trigger_words', 'phrases'],
	['image_file', 'image'],
	['personality_id', 'agent'],
]);

/** Returns the field that an error is about: the named one, or the one that its kind implies, if any. */
export function fieldOf({field, kind}: SwitchboardError): UploadField | undefined {
	return fieldsOfInterface.get(field ?? '') ?? (kind === 'conflict' ? 'name' : kind === 'too-large' ? 'path' : undefined);
}

/** Returns the texts that the files of an ability give. */
export function textsOf({name, category, triggerPhrases}: Pick<AbilityDraft, 'name' | 'category' | 'triggerPhrases'>) {
	return {name, category, phrases: triggerPhrases.join(', ')};
}

type FieldNotes = Readonly<Partial<Record<UploadField, FieldNote | undefined>>>;

type UploadForm = Pick<FormState<UploadField>, 'focus' | 'isSubmitted' | 'typed'> & {readonly texts: UploadTexts};

/** Returns the note of each field: the broken rule, checked as the person types. */
export function validateUpload(form: UploadForm, inspection: Inspection): FieldNotes {
	return {path: pathNote(form, inspection), name: nameNote(form), phrases: phrasesNote(form), image: imageNote(form, inspection)};
}

function pathNote({texts: {path}, focus, isSubmitted}: UploadForm, inspection: Inspection): FieldNote {
	switch (inspection.kind) {
		case 'no-path': {
			return isSubmitted && path === ''
				? problemNote('Enter the path of a folder or a .zip file.')
				: note('a folder with main.py or background.py, or its zip; Tab completes');
		}

		case 'reading': {
			return note('reading…');
		}

		case 'no-ability': {
			const {problem} = inspection;
			// A path that is still being typed is not reported yet.
			return focus === 'path' && !isSubmitted ? note(problem) : problemNote(`${problem[0]!.toUpperCase()}${problem.slice(1)}.`);
		}

		case 'ability': {
			const {files, sizeBytes, leftOut, problems} = inspection.ability;
			const problem = problemText(problems.filter(({field}) => field === 'zip_file'));
			const tied = inspection.tie === undefined ? '' : `; belongs to ${cleanText(inspection.tie.name ?? String(inspection.tie.id), 60)}`;
			const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(sizeBytes)}${tied}`;
			return problem === undefined ? note(leftOut.length === 0 ? size : `${size}; left out: ${leftOut.join(', ')}`) : problemNote(problem);
		}
	}
}

const problemNote = (text: string): FieldNote => ({text, isProblem: true});

const note = (text: string): FieldNote => ({text, isProblem: false});

/** Returns the first problem, and the number of others. */
function problemText(problems: readonly SwitchboardError[]): string | undefined {
	const [first, ...others] = problems;
	return first && `${errorText(first)}${others.length === 0 ? '' : ` (${others.length} more)`}`;
}

function nameNote({texts: {name}, typed, isSubmitted}: UploadForm): FieldNote | undefined {
	const problem = abilityNameProblem(name);
	const isUntouched = name === '' && !isSubmitted && typed.name === undefined;
	if (problem !== undefined) {
		return isUntouched ? undefined : problemNote(`The name ${problem}.`);
	}

	return isPlainAbilityName(name) ? undefined : note('not only letters and digits; the service decides');
}

function phrasesNote({texts: {phrases, category}, isSubmitted}: UploadForm): FieldNote | undefined {
	const problem = phrasesProblem(phrases);
	if (problem !== undefined) {
		return problemNote(problem);
	}

	const [straightened] = straightenedNotes(splitTriggerPhrases(phrases));
	if (straightened !== undefined) {
		return note(straightened);
	}

	if (!leavesSkillSilent(category, phrases)) {
		return undefined;
	}

	return isSubmitted
		? problemNote('A skill needs a phrase that starts it.')
		: note('a skill needs at least one; separate several with commas');
}

function imageNote({texts: {image}}: UploadForm, inspection: Inspection): FieldNote | undefined {
	if (image === '' || inspection.kind !== 'ability' || inspection.imagePath !== expandPath(image)) {
		return undefined;
	}

	const problem = problemText(inspection.ability.problems.filter(({field}) => field === 'image_file'));
	return problem === undefined ? undefined : problemNote(problem);
}

/** Returns the first field with a problem. */
export function firstProblem(notes: FieldNotes): UploadField | undefined {
	return uploadFields.find(field => notes[field]?.isProblem);
}
