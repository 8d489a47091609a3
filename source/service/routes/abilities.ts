import type {FastifyInstance} from 'fastify';
import * as Type from 'typebox';
import {checkAbilityFiles, detectImageType, type PackageEntry} from '../../interface/ability-package/check-files.ts';
import {abilityLimits, formatBytes} from '../../interface/ability-package/limits.ts';
import {categories, isCategory} from '../../interface/categories.ts';
import {hasIdentifier} from '../../interface/endpoints.ts';
import {throwIfAny} from '../../interface/errors.ts';
import {packageName, splitTriggerPhrases} from '../../interface/names.ts';
import {decodeId} from '../../interface/records.ts';
import {type Form, formFile, formText, readForm} from '../http/forms.ts';
import {addOperation, addVersions} from '../http/operation-routes.ts';
import {
	type AbilityRecord,
	abilityRecord,
	binaryText,
	doneAnswer,
	identifierText,
	checkField,
	checkLength,
	checkTriggerPhrase,
	readAbilityName,
} from '../records.ts';
import type {AbilityChanges, NewAbility, NewCode} from '../store/changes.ts';
import type {Store} from '../store/store.ts';
import {sayLeftOut, withPackage} from './source.ts';

const abilityName = Type.String({
	description:
		'1 to 200 characters without the white space around them: no control, invisible or line-break characters, not digits alone, and unlike all other names in any case',
});

const upload = Type.Object(
	{
		zip_file: binaryText({description: `One top-level folder with the ability's files; at most ${formatBytes(abilityLimits.zipBytes)}`}),
		name: abilityName,
		description: Type.Optional(Type.String()),
		category: Type.String({enum: [...categories]}),
		trigger_words: Type.Optional(Type.String({description: 'Trigger phrases, separated by commas'})),
		image_file: Type.Optional(binaryText({description: `PNG or JPEG, at most ${formatBytes(abilityLimits.imageBytes)}`})),
		personality_id: Type.Optional(identifierText({description: 'Id of an agent to tie the ability to'})),
	},
	{title: 'UploadAbility'},
);

const batch = Type.Object(
	{capability_ids: Type.Array(identifierText(), {minItems: 1, maxItems: 1000, description: 'Ids of the abilities to delete'})},
	{title: 'DeleteAbilities'},
);

export function addDeleteAbility(app: FastifyInstance, {abilities}: Store): void {
	addOperation<typeof batch, typeof doneAnswer>(app, 'deleteAbility', ({path}) => ({
		...(!hasIdentifier(path) && {body: {'application/json': batch}}),
		answer: doneAnswer,
		async respond({caller, id, body, reply}) {
			// A value that is not a number is looked up like an unknown id.
			const ids = hasIdentifier(path) ? [id] : [...new Set(body.capability_ids.map(value => decodeId(value) ?? 0))];
			addVersions(reply, await abilities.remove(caller, ids));
			return {detail: ids.length === 1 ? 'The ability was deleted.' : `${ids.length} abilities were deleted.`};
		},
	}));
}

const edit = Type.Object(
	{
		name: Type.Optional(abilityName),
		category: Type.Optional(Type.String({enum: [...categories]})),
		description: Type.Optional(Type.String()),
		trigger_words: Type.Optional(Type.String({description: 'All trigger phrases, separated by commas'})),
		selected_keys: Type.Optional(Type.String({enum: ['[]', ''], description: 'None: no keys of other services are linked here'})),
		zip_file: Type.Optional(binaryText({description: 'A new version: one top-level folder with its files'})),
	},
	{title: 'EditAbility', description: 'A field that is left out stays as it is'},
);

export function addEditAbility(app: FastifyInstance, {abilities}: Store): void {
	addOperation(app, 'editAbility', () => ({
		body: {'multipart/form-data': edit},
		answer: abilityRecord,
		async respond({caller, id, request, reply}) {
			const form = await readForm(request, {zip_file: abilityLimits.zipBytes});
			const change = async (code?: NewCode) =>
				addVersions(reply, await abilities.change(caller, id, code, (before, files) => readChanges(form, before, files)));
			if (!form.files.has('zip_file')) {
				return change();
			}

			const {category} = form.fields.has('category') ? {category: readCategory(form)} : await abilities.get(caller.accountId, id);
			return withPackage(form, {category, layout: 'folder'}, async ({files}) =>
				change({isCommitted: true, commitMessage: '', createdAt: new Date(), files}),
			);
		},
	}));
}

/** Returns the changes in a form; values that are sent back unchanged are not checked again. */
function readChanges(form: Form, before: AbilityRecord, files: readonly PackageEntry[]): AbilityChanges {
	const given = formText(form, 'name');
	const name = given === undefined || given === before.name ? given : readAbilityName(given);
	const description = formText(form, 'description');
	checkLength('description', description ?? '', abilityLimits.descriptionLength);
	const category = form.fields.has('category') ? readCategory(form) : undefined;
	if (category !== undefined && category !== before.category) {
		throwIfAny(checkAbilityFiles(files, {category, layout: 'root'})[0]);
	}

	checkField('selected_keys', ['', '[]'].includes(formText(form, 'selected_keys')?.trim() ?? '') ? undefined : 'must be an empty list');
	return {
		name,
		category,
		description,
		triggerPhrases: form.fields.has('trigger_words') ? readTriggerPhrases(form, before.trigger_words) : undefined,
	};
}

function readCategory(form: Form): string {
	const category = formText(form, 'category') ?? '';
	checkField('category', isCategory(category) ? undefined : `must be one of ${categories.join(', ')}`);
	return category;
}

/** @param accepted - the present phrases of the ability, which are not checked again. */
function readTriggerPhrases(form: Form, accepted: readonly string[] = []): readonly string[] {
	const phrases = splitTriggerPhrases(formText(form, 'trigger_words') ?? '');
	checkField(
		'trigger_words',
		phrases.length > abilityLimits.triggerPhrases ? `may contain at most ${abilityLimits.triggerPhrases} phrases` : undefined,
	);
	for (const phrase of phrases.filter(each => !accepted.includes(each))) {
		checkTriggerPhrase(phrase);
	}

	return phrases;
}

export function addUploadAbility(app: FastifyInstance, store: Store): void {
	addOperation(app, 'uploadAbility', () => ({
		body: {'multipart/form-data': upload},
		answer: Type.Object({capability_id: Type.Integer(), detail: Type.String()}, {title: 'UploadedAbility'}),
		async respond({caller, request, reply}) {
			const form = await readForm(request, {zip_file: abilityLimits.zipBytes, image_file: abilityLimits.imageBytes});
			const ability = readAbility(form);
			return withPackage(form, {category: ability.category, layout: 'folder'}, async ({files, leftOut}) => ({
				capability_id: addVersions(reply, await store.abilities.add(caller, {...ability, files}, agentIds => readAgentId(form, agentIds))),
				detail: `The ability ${ability.name} was uploaded, installed and enabled.${sayLeftOut(leftOut)}`,
			}));
		},
	}));
}

function readAbility(form: Form): Omit<NewAbility, 'files'> {
	const name = readAbilityName(formText(form, 'name') ?? '');
	const description = formText(form, 'description') ?? '';
	checkLength('description', description, abilityLimits.descriptionLength);
	const category = readCategory(form);
	const triggerPhrases = readTriggerPhrases(form);
	return {name, description, category, triggerPhrases, image: readImage(form, name), installedAs: true, changedAt: new Date()};
}

/** Returns the image in a form. Its first bytes tell its type; its name and declared type are only claims of the sender. */
function readImage(form: Form, abilityName: string): NewAbility['image'] {
	const bytes = formFile(form, 'image_file');
	if (bytes === undefined) {
		return undefined;
	}

	const type = detectImageType(bytes);
	checkField('image_file', type === undefined ? 'must be a PNG or JPEG image' : undefined);
	return {name: `${packageName(abilityName)}.${type === 'image/png' ? 'png' : 'jpg'}`, bytes};
}

/** Returns the agent to tie the ability to; an empty field means none. */
function readAgentId(form: Form, agentIds: ReadonlySet<number>): number | undefined {
	const text = formText(form, 'personality_id')?.trim() ?? '';
	if (text === '') {
		return undefined;
	}

	const id = decodeId(text);
	checkField('personality_id', id === undefined || !agentIds.has(id) ? 'is not the id of an agent' : undefined);
	return id;
}
