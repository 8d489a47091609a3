import {useSyncExternalStore} from 'react';
import type {AbilityDraft} from '../../../bundle/check-draft.ts';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {errorText, type SwitchboardError} from '../../../interface/errors.ts';
import {abilityNameProblem, isPlainAbilityName, splitTriggerPhrases, straightenedNotes} from '../../../interface/names.ts';
import {expandPath, type Inspection} from '../../hooks/inspection.ts';
import {useServiceSession, type MemoryKey} from '../../hooks/service-session.ts';
import {createObservable} from '../../observable.ts';
import {phrasesProblem} from '../../state/edit-words.ts';

/** The fields of an upload in order, and the button after them. */
export const uploadFields = ['path', 'name', 'description', 'category', 'phrases', 'image', 'agent', 'upload'] as const;

export type UploadField = (typeof uploadFields)[number];

export type TextName = 'path' | 'name' | 'description' | 'phrases' | 'image';

type FieldValues = Readonly<Record<TextName, string>> & {readonly category: string; readonly agent: number | undefined};

export type UploadForm = FieldValues & {
	readonly focus: UploadField;
	/** The fields that the person has filled in; the others follow the files at the path. */
	readonly edited: ReadonlySet<string>;
	/** True once the person has tried to upload it: from then on missing fields are reported too. */
	readonly isSubmitted: boolean;
	/**
	The refusal of the service, or of the packing. `field` is `upload` if it named none; `takenName` is the name of an existing ability.
	*/
	readonly refusal: {readonly field: UploadField; readonly text: string; readonly takenName?: string | undefined} | undefined;
};

export const emptyForm: UploadForm = {
	path: '',
	name: '',
	description: '',
	category: 'skill',
	phrases: '',
	image: '',
	agent: undefined,
	focus: 'path',
	edited: new Set(),
	isSubmitted: false,
	refusal: undefined,
};

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

/** Returns the field that an error is about: the named one, or the one that its kind implies. */
const fieldOf = ({field, kind}: SwitchboardError): UploadField =>
	fieldsOfInterface.get(field ?? '') ?? (kind === 'conflict' ? 'name' : kind === 'too-large' ? 'path' : 'upload');

/** Tells whether an ability has the name, so that a new version of it can be released instead. */
export function isNewVersionOffered({name, refusal}: UploadForm): boolean {
	return refusal?.takenName === name;
}

/** Returns the category that the person chose; `undefined` if the files decide. */
export function chosenCategory({category, edited}: UploadForm): string | undefined {
	return edited.has('category') ? category : undefined;
}

/** Returns a form that is being filled in: its newest state, which several keys may change before the next frame, and its verbs. */
export function createUploadForm() {
	const store = createObservable(emptyForm);

	const change = (changed: Partial<UploadForm>): void => store.set({...store.get(), ...changed});

	return {
		get: store.get,
		subscribe: store.subscribe,
		edit(values: Partial<FieldValues>): void {
			const {edited, refusal} = store.get();
			const isAnswered = refusal !== undefined && (refusal.field === 'upload' || Object.hasOwn(values, refusal.field));
			change({...values, edited: edited.union(new Set(Object.keys(values))), refusal: isAnswered ? undefined : refusal});
		},
		/** Fills in values from the files, except in fields that the person has edited. */
		prefill({name, category, triggerPhrases}: Pick<AbilityDraft, 'name' | 'category' | 'triggerPhrases'>): void {
			const {edited} = store.get();
			change({
				...(!edited.has('name') && {name}),
				...(!edited.has('category') && {category}),
				...(!edited.has('phrases') && {phrases: triggerPhrases.join(', ')}),
			});
		},
		focus(field: UploadField): void {
			change({focus: field});
		},
		submit(): void {
			change({isSubmitted: true, refusal: undefined});
		},
		refuse(error: SwitchboardError, takenName?: string): void {
			const field = takenName === undefined ? fieldOf(error) : 'name';
			change({focus: field, refusal: {field, text: errorText(error), takenName}});
		},
		clear(): void {
			store.set(emptyForm);
		},
	};
}

/** The typed values, which are still there when the form is opened again. */
const uploadForm: MemoryKey<ReturnType<typeof createUploadForm>> = {create: createUploadForm};

/** Returns the upload form as it is drawn, and the form itself. */
export function useUploadForm(): readonly [drawn: UploadForm, form: ReturnType<typeof createUploadForm>] {
	const form = useServiceSession().memory.get(uploadForm);
	return [useSyncExternalStore(form.subscribe, form.get), form];
}

export type FieldNote = {readonly text: string; readonly isProblem: boolean};

type FieldNotes = Readonly<Partial<Record<UploadField, FieldNote | undefined>>>;

/** Returns the note of each field: the service's words if it refused the field, else the broken rule, checked as the person types. */
export function validateUpload(form: UploadForm, inspection: Inspection): FieldNotes {
	const {refusal} = form;
	return {
		path: pathNote(form, inspection),
		name: nameNote(form),
		phrases: phrasesNote(form),
		image: imageNote(form, inspection),
		...(refusal && {[refusal.field]: problemNote(refusal.text)}),
	};
}

function pathNote({path, focus, isSubmitted}: UploadForm, inspection: Inspection): FieldNote {
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
			const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(sizeBytes)}`;
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

function nameNote({name, edited, isSubmitted}: UploadForm): FieldNote | undefined {
	const problem = abilityNameProblem(name);
	const isUntouched = name === '' && !isSubmitted && !edited.has('name');
	if (problem !== undefined) {
		return isUntouched ? undefined : problemNote(`The name ${problem}.`);
	}

	return isPlainAbilityName(name) ? undefined : note('not only letters and digits; the service decides');
}

function phrasesNote({phrases, category}: UploadForm): FieldNote | undefined {
	const problem = phrasesProblem(phrases);
	if (problem !== undefined) {
		return problemNote(problem);
	}

	const [straightened] = straightenedNotes(splitTriggerPhrases(phrases));
	if (straightened !== undefined) {
		return note(straightened);
	}

	return phrases.trim() === '' && category === 'skill' ? note('a skill needs at least one; separate several with commas') : undefined;
}

function imageNote({image}: UploadForm, inspection: Inspection): FieldNote | undefined {
	if (image === '' || inspection.kind !== 'ability' || inspection.imagePath !== expandPath(image)) {
		return undefined;
	}

	const problem = problemText(inspection.ability.problems.filter(({field}) => field === 'image_file'));
	return problem === undefined ? undefined : problemNote(problem);
}

/** Returns the first field with a problem; a value that the service refused may be tried again. */
export function firstProblem(notes: FieldNotes): UploadField | undefined {
	return uploadFields.find(field => field !== 'upload' && notes[field]?.isProblem);
}
