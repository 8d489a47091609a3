import {type AbilityDraft} from '../../../bundle/ability-draft.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';

/** The fields of an upload in their order, and the button after them. */
export const uploadFields = ['path', 'name', 'description', 'category', 'phrases', 'image', 'agent', 'upload'] as const;

export type UploadField = typeof uploadFields[number];

/** Fields that hold a text. */
export type TextName = 'path' | 'name' | 'description' | 'phrases' | 'image';

export type UploadForm = Readonly<Record<TextName, string>> & {
	readonly category: string;
	readonly agentId: number | undefined;
	readonly focus: UploadField;
	/** What the person has filled in; the rest follows what the path names. */
	readonly edited: ReadonlySet<UploadField>;
	/** True once it was to be uploaded: from then on what is missing is said too. */
	readonly isTried: boolean;
	/** True from the yes to what was asked about it until it is sent. */
	readonly isAgreedTo: boolean;
	/** What the service, or the packing, said no to. `field` is `upload` where it named none. */
	readonly refusal: {readonly field: UploadField; readonly text: string} | undefined;
};

export type UploadAction =
	| {readonly type: 'edit'; readonly field: TextName; readonly value: string}
	| {readonly type: 'choose-category'; readonly category: string}
	| {readonly type: 'choose-agent'; readonly agentId: number | undefined}
	| {readonly type: 'prefill'; readonly ability: Pick<AbilityDraft, 'name' | 'triggerPhrases'>}
	| {readonly type: 'focus'; readonly field: UploadField}
	| {readonly type: 'step'; readonly by: 1 | -1}
	| {readonly type: 'try'}
	| {readonly type: 'agree'; readonly isAgreedTo: boolean}
	| {readonly type: 'refuse'; readonly error: SwitchboardError; readonly nextStep: string | undefined}
	| {readonly type: 'clear'};

export const emptyForm: UploadForm = {
	path: '',
	name: '',
	description: '',
	category: 'skill',
	phrases: '',
	image: '',
	agentId: undefined,
	focus: 'path',
	edited: new Set(),
	isTried: false,
	isAgreedTo: false,
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

/** The field that an error is about: the one it names, else the one that its kind stands for. */
const fieldOf = ({field, kind}: SwitchboardError): UploadField =>
	fieldsOfInterface.get(field ?? '') ?? (kind === 'conflict' ? 'name' : (kind === 'too-large' ? 'path' : 'upload'));

const withEdited = (form: UploadForm, field: UploadField, change: Partial<UploadForm>): UploadForm => ({
	...form,
	...change,
	edited: new Set(form.edited).add(field),
	// What was refused is another thing now.
	refusal: form.refusal?.field === field || form.refusal?.field === 'upload' ? undefined : form.refusal,
});

const stepped = ({focus}: UploadForm, by: 1 | -1): UploadField =>
	uploadFields[(uploadFields.indexOf(focus) + by + uploadFields.length) % uploadFields.length]!;

/** The one reducer of the upload form. */
export const reduceUpload = (form: UploadForm, action: UploadAction): UploadForm => {
	switch (action.type) {
		case 'edit': {
			return withEdited(form, action.field, {[action.field]: action.value});
		}

		case 'choose-category': {
			return withEdited(form, 'category', {category: action.category});
		}

		case 'choose-agent': {
			return withEdited(form, 'agent', {agentId: action.agentId});
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

		case 'step': {
			return {...form, focus: stepped(form, action.by)};
		}

		case 'try': {
			return {...form, isTried: true, refusal: undefined};
		}

		case 'agree': {
			return {...form, isAgreedTo: action.isAgreedTo};
		}

		case 'refuse': {
			const {error: {message}, nextStep = ''} = action;
			const field = fieldOf(action.error);
			return {...form, focus: field, refusal: {field, text: `${message} ${nextStep}`.trim()}};
		}

		case 'clear': {
			return emptyForm;
		}
	}
};
