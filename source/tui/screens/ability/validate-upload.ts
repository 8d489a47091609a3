import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {abilityNameProblem} from '../../../interface/names.ts';
import {expandPath} from '../../hooks/complete-path.ts';
import {type Inspection} from '../../hooks/use-inspection.ts';
import {phrasesProblem} from './phrase-rules.ts';
import {uploadFields, type UploadField, type UploadForm} from './upload-form.ts';

/** A line below a field. */
export type FieldNote = {
	readonly text: string;
	/** True if the ability cannot be uploaded because of it. */
	readonly isProblem: boolean;
};

type FieldNotes = Readonly<Partial<Record<UploadField, FieldNote | undefined>>>;

const problemNote = (text: string): FieldNote => ({text, isProblem: true});

const note = (text: string): FieldNote => ({text, isProblem: false});

/** The first problem, and how many more there are. */
const problemText = (problems: readonly SwitchboardError[]): string | undefined => {
	const [first, ...others] = problems;
	return first && `${first.message} ${first.nextStep ?? ''}${others.length === 0 ? '' : ` (${others.length} more)`}`.trim();
};

const pathNote = ({path, focus, isSubmitted}: UploadForm, inspection: Inspection): FieldNote => {
	switch (inspection.kind) {
		case 'no-path': {
			return isSubmitted && path === '' ? problemNote('Enter the path of a folder or a .zip file.') : note('a folder with main.py, or a .zip of one; Tab completes');
		}

		case 'reading': {
			return note('reading…');
		}

		case 'no-ability': {
			const {problem} = inspection;
			// A path that is still being typed is not wrong yet.
			return focus === 'path' && !isSubmitted ? note(problem) : problemNote(`${problem[0]!.toUpperCase()}${problem.slice(1)}.`);
		}

		case 'ability': {
			const {files, sizeBytes, leftOut, problems} = inspection.ability;
			const problem = problemText(problems.filter(({field}) => field === 'zip_file'));
			const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(sizeBytes)}`;
			return problem === undefined ? note(leftOut.length === 0 ? size : `${size}; left out: ${leftOut.join(', ')}`) : problemNote(problem);
		}
	}
};

const nameNote = ({name, edited, isSubmitted}: UploadForm): FieldNote | undefined => {
	const problem = abilityNameProblem(name);
	const isUntouched = name === '' && !isSubmitted && !edited.has('name');
	return problem === undefined || isUntouched ? undefined : problemNote(`The name ${problem}.`);
};

const phrasesNote = ({phrases, category}: UploadForm): FieldNote | undefined => {
	const problem = phrasesProblem(phrases);
	if (problem !== undefined) {
		return problemNote(problem);
	}

	return phrases.trim() === '' && category === 'skill' ? note('a skill needs one to start; separate several with commas') : undefined;
};

const imageNote = ({image}: UploadForm, inspection: Inspection): FieldNote | undefined => {
	if (image === '' || inspection.kind !== 'ability' || inspection.imagePath !== expandPath(image)) {
		return undefined;
	}

	const problem = problemText(inspection.ability.problems.filter(({field}) => field === 'image_file'));
	return problem === undefined ? undefined : problemNote(problem);
};

/** The note of each field: the service's words if it refused the field, else the rules, checked as it is typed. */
export const validateUpload = (form: UploadForm, inspection: Inspection): FieldNotes => {
	const {refusal} = form;
	return {
		path: pathNote(form, inspection),
		name: nameNote(form),
		phrases: phrasesNote(form),
		image: imageNote(form, inspection),
		...(refusal && {[refusal.field]: problemNote(refusal.text)}),
	};
};

/** The first field with a problem; what the service refused may be tried again. */
export const firstProblem = (notes: FieldNotes): UploadField | undefined =>
	uploadFields.find(field => field !== 'upload' && notes[field]?.isProblem);
