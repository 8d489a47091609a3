import {type AbilityDraft} from '../../../bundle/ability-draft.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';

/** The fields of an upload in their order, and the button after them. */
export const uploadFields = ['path', 'name', 'description', 'category', 'phrases', 'image', 'agent', 'upload'] as const;

export type UploadField = typeof uploadFields[number];

/** Fields that hold a text. */
export type TextName = 'path' | 'name' | 'description' | 'phrases' | 'image';

type FieldValues = Readonly<Record<TextName, string>> & {
	readonly category: string;
	/** The id of an agent. */
	readonly agent: number | undefined;
};

export type UploadForm = FieldValues & {
	readonly focus: UploadField;
	/** What the person has filled in; the rest follows the files at the path. */
	readonly edited: ReadonlySet<string>;
	/** True once the person tried to upload it: from then on missing fields are reported too. */
	readonly isSubmitted: boolean;
	/** From a Yes to the question about it until it is sent: what to do with it. */
	readonly confirmed: 'upload' | 'release' | undefined;
	/** What the service, or the packing, refused. `field` is `upload` if it named none; `takenName` is the name of an ability that there is. */
	readonly refusal: {readonly field: UploadField; readonly text: string; readonly takenName?: string | undefined} | undefined;
};

export type UploadAction =
	| {readonly type: 'edit'; readonly change: Partial<FieldValues>}
	| {readonly type: 'prefill'; readonly ability: Pick<AbilityDraft, 'name' | 'triggerPhrases'>}
	| {readonly type: 'focus'; readonly field: UploadField}
	| {readonly type: 'submit'}
	| {readonly type: 'confirm'; readonly confirmed: UploadForm['confirmed']}
	| {readonly type: 'refuse'; readonly error: SwitchboardError; readonly takenName?: string | undefined}
	| {readonly type: 'clear'};

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
	confirmed: undefined,
	refusal: undefined,
};

/** The interface's names of the fields (`LIVE-SERVICE.md`, Upload). */
const fieldsOfInterface = new Map<string, UploadField>([
	['zip_file', 'path'],
	['name', 'name'],
	['description', 'description'],
	['category', 'category'],
	['trigger_words', 'phrases'],
	['image_file', 'image'],
	['personality_id', 'agent'],
]);

/** The field that an error is about: the one that it names, else the one that its kind implies. */
const fieldOf = ({field, kind}: SwitchboardError): UploadField =>
	fieldsOfInterface.get(field ?? '') ?? (kind === 'conflict' ? 'name' : (kind === 'too-large' ? 'path' : 'upload'));

/** True if there is an ability of the name, so that a new version of it can be released instead. */
export const isNewVersionOffered = ({name, refusal}: UploadForm): boolean => refusal?.takenName === name;

/** The one reducer of the upload form. */
export const reduceUpload = (form: UploadForm, action: UploadAction): UploadForm => {
	switch (action.type) {
		case 'edit': {
			const {change} = action;
			const isAnswered = form.refusal !== undefined && (form.refusal.field === 'upload' || Object.hasOwn(change, form.refusal.field));
			return {
				...form,
				...change,
				edited: form.edited.union(new Set(Object.keys(change))),
				refusal: isAnswered ? undefined : form.refusal,
			};
		}

		case 'prefill': {
			return {
				...form,
				...(!form.edited.has('name') && {name: action.ability.name}),
				...(!form.edited.has('phrases') && {phrases: action.ability.triggerPhrases.join(', ')}),
			};
		}

		case 'focus': {
			return {...form, focus: action.field};
		}

		case 'submit': {
			return {...form, isSubmitted: true, refusal: undefined};
		}

		case 'confirm': {
			return {...form, confirmed: action.confirmed, refusal: action.confirmed === undefined ? form.refusal : undefined};
		}

		case 'refuse': {
			const {message, nextStep = ''} = action.error;
			const {takenName} = action;
			const field = takenName === undefined ? fieldOf(action.error) : 'name';
			return {...form, focus: field, refusal: {field, text: `${message} ${nextStep}`.trim(), takenName}};
		}

		case 'clear': {
			return emptyForm;
		}
	}
};
