import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {abilityNameProblem} from '../../../interface/names.ts';
import {type Inspection} from '../../hooks/use-inspection.ts';
import {phrasesProblem} from './phrases-problem.ts';
import {uploadFields, type UploadField, type UploadForm} from './upload-form.ts';

/** What stands below a field. */
export type FieldNote = {
	readonly text: string;
	/** True where it keeps the ability from being uploaded. */
	readonly isProblem: boolean;
};

export type FieldNotes = Readonly<Partial<Record<UploadField, FieldNote | undefined>>>;

const complaint = (text: string): FieldNote => ({text, isProblem: true});

const note = (text: string): FieldNote => ({text, isProblem: false});

/** The first problem, and how many more there are: one is mended after the other. */
const problemText = (problems: readonly SwitchboardError[]): string | undefined => {
	const [first, ...others] = problems;
	return first && `${first.message} ${first.nextStep ?? ''}${others.length === 0 ? '' : ` (${others.length} more)`}`.trim();
};

const judgePath = ({path, focus, isTried}: UploadForm, inspection: Inspection): FieldNote => {
	switch (inspection.kind) {
		case 'nothing-named': {
			return isTried && path === '' ? complaint('A folder or a zip is needed.') : note('a folder with main.py, or a .zip of one; Tab completes');
		}

		case 'reading': {
			return note('looking at it…');
		}

		case 'no-ability': {
			// While it is typed, no path is right yet.
			return focus === 'path' && !isTried ? note(`this ${inspection.complaint}`) : complaint(`This ${inspection.complaint}.`);
		}

		case 'ability': {
			const {files, sizeBytes, leftOut, problems} = inspection.ability;
			const problem = problemText(problems.filter(({field}) => field === 'zip_file'));
			const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, ${formatBytes(sizeBytes)}`;
			return problem === undefined ? note(leftOut.length === 0 ? size : `${size}; left out: ${leftOut.join(', ')}`) : complaint(problem);
		}
	}
};

const judgeName = ({name, edited, isTried}: UploadForm): FieldNote | undefined => {
	const clause = abilityNameProblem(name);
	const isUntouched = name === '' && !isTried && !edited.has('name');
	return clause === undefined || isUntouched ? undefined : complaint(`The name ${clause}.`);
};

const judgePhrases = ({phrases, category}: UploadForm): FieldNote | undefined => {
	const problem = phrasesProblem(phrases);
	if (problem !== undefined) {
		return complaint(problem);
	}

	return phrases.trim() === '' && category === 'skill' ? note('a skill runs on one; commas between several') : undefined;
};

const judgeImage = ({image}: UploadForm, inspection: Inspection): FieldNote | undefined => {
	if (image === '' || inspection.kind !== 'ability') {
		return undefined;
	}

	const problem = problemText(inspection.ability.problems.filter(({field}) => field === 'image_file'));
	return problem === undefined ? undefined : complaint(problem);
};

/** What is to be said about each field now: the service's words where it refused it, else the rules as they are typed. */
export const validateUpload = (form: UploadForm, inspection: Inspection): FieldNotes => {
	const {refusal} = form;
	return {
		path: judgePath(form, inspection),
		name: judgeName(form),
		phrases: judgePhrases(form),
		image: judgeImage(form, inspection),
		...(refusal && {[refusal.field]: complaint(refusal.text)}),
	};
};

/** The first field that keeps the ability from being uploaded; what the service refused before may be tried again. */
export const firstProblem = (notes: FieldNotes): UploadField | undefined =>
	uploadFields.find(field => field !== 'upload' && notes[field]?.isProblem);
