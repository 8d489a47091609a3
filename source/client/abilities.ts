import {cleanText} from '../interface/clean-text.ts';
import {hasIdentifier} from '../interface/endpoints.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import {indexNames} from '../interface/name-index.ts';
import {packageName} from '../interface/names.ts';
import {decodeId, decodeRecord, hasMorePhrases, rawPhrases, toRawValues, type Ability} from '../interface/records.ts';
import {isPage, refusePage, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {encodeMultipart, type MultipartFile, type MultipartPart} from './multipart.ts';
import {explainNotFound, isListed} from './record-calls.ts';
import {refuseRemovedKey} from './redact-key.ts';
import {isUnknown} from './routes.ts';

/**
Gets one ability. If the service does not know the path or the id, the ability is taken from the list (`docs/interface.md`, Paths).

@throws SwitchboardError `not-found` if the list does not have it either.
*/
export async function getAbility({call, list}: Connection, id: number, signal?: AbortSignal): Promise<Ability> {
	try {
		const answer = await call('getAbility', id, {signal});
		const body = answer.json();
		const ability = isJsonObject(body) ? decodeAbility(body, id) : undefined;
		if (ability === undefined) {
			throw toUnintelligibleError(answer, 'an ability');
		}

		return ability;
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		const {records, isComplete} = await list('abilities', signal);
		const listed = records.find(record => record.id === id);
		if (listed === undefined) {
			// An incomplete list may lack an ability that exists.
			throw isComplete
				? new SwitchboardError('not-found', `No ability has the id ${id}.`, {
						nextStep: 'List the abilities with: switchboard abilities',
						status: error.status,
					})
				: error;
		}

		return listed;
	}
}

/** Returns the record, bare or wrapped as lists are. It need not contain the id, which is known from the request. */
function decodeAbility(body: JsonObject, id: number): Ability | undefined {
	const inner = [body['data'], body['capability'], body['ability']].find(value => isJsonObject(value)) ?? body;
	return decodeRecord('abilities', inner) ?? decodeRecord('abilities', {...inner, capability_id: id});
}

export type AbilityUpload = {
	/** The packed ability (`source/bundle/`). */
	readonly zip: Uint8Array;
	readonly name: string;
	readonly description: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
	readonly image?: MultipartFile | undefined;
	readonly agentId?: number | undefined;
};

export type UploadResult = {
	/** `undefined` if it is in neither the answer nor the list of abilities. */
	readonly capabilityId: number | undefined;
	/** The service's own message; may be empty. */
	readonly detail: string;
};

export type UploadOptions = {
	/** Called with the fraction of the zip that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
};

/**
Uploads a packed ability.

@throws SwitchboardError `refused`, `conflict` or `too-large` with the service's own message; `interrupted` if the signal
cancelled it; `unintelligible` for a web page, unless the list has the ability. It is not retried if no answer came: the
ability might be uploaded twice.
*/
export async function uploadAbility(
	connection: Connection,
	upload: AbilityUpload,
	{onProgress, signal}: UploadOptions = {},
): Promise<UploadResult> {
	try {
		const answer = await connection.call('uploadAbility', undefined, {multipart: encodeMultipart(toParts(upload)), onProgress, signal});
		const fields = answer.fields();
		const id = decodeId(fields['capability_id']) ?? decodeId(fields['id']) ?? (await findByName(connection, upload.name, signal));
		if (id === undefined && isPage(answer)) {
			throw toUnintelligibleError({...answer, isOutcomeUnknown: true}, 'the outcome of the upload');
		}

		return {capabilityId: id, detail: typeof fields['detail'] === 'string' ? cleanText(fields['detail']) : ''};
	} catch (error) {
		if (!(error instanceof SwitchboardError) || !error.isOutcomeUnknown) {
			throw error;
		}

		const {kind, message, status} = error;
		throw new SwitchboardError(kind, `${message} ${upload.name} may still have been uploaded.`, {
			nextStep: 'Look for it in the list of abilities before you upload it again.',
			status,
			isOutcomeUnknown: true,
		});
	}
}

/** The form that public clients send (`docs/interface.md`, Upload). */
const toParts = (upload: AbilityUpload): readonly MultipartPart[] => [
	['zip_file', {fileName: `${packageName(upload.name)}.zip`, type: 'application/zip', bytes: upload.zip}],
	['name', upload.name],
	['description', upload.description],
	['category', upload.category],
	['trigger_words', upload.triggerPhrases.join(',')],
	...(upload.image === undefined ? [] : [['image_file', upload.image] as const]),
	...(upload.agentId === undefined ? [] : [['personality_id', String(upload.agentId)] as const]),
];

/** Returns the id of the newest ability of that name, for an answer without the id. */
async function findByName({list}: Connection, name: string, signal: AbortSignal | undefined): Promise<number | undefined> {
	const {records} = await list('abilities', signal).catch(() => ({records: []}));
	const ids = records.filter(record => record.raw['name'] === name).map(({id}) => id);
	return ids.length === 0 ? undefined : Math.max(...ids);
}

/**
Tells whether a service refused an upload because it has an ability of that name. Some services have no separate status for that.

@param abilities - as the service lists them.
*/
export function isNameTaken({kind, status, field = 'name'}: SwitchboardError, name: string, abilities: readonly Ability[] = []): boolean {
	return (
		status !== undefined && field === 'name' && (kind === 'conflict' || (kind === 'refused' && indexNames(abilities).find(name).length > 0))
	);
}

/**
Deletes an ability: by the documented path, then as public clients do (`docs/interface.md`, Paths).

@throws SwitchboardError `not-found` if no path is known, or the ability is no longer listed.
*/
export async function deleteAbility(connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal) {
	const action = {resource: 'abilities', id, name, verb: 'delete', signal} as const;
	try {
		refusePage(
			await connection.call('deleteAbility', id, ({path}) => ({signal, ...(!hasIdentifier(path) && {json: {capability_ids: [id]}})})),
		);
	} catch (error) {
		const mayBeDeleted = isUnknown(error) && error.isOutcomeUnknown;
		if (mayBeDeleted && (await isListed(connection, action)) === false) {
			// The first attempt was cut off, but deleted it.
			return;
		}

		throw await explainNotFound(connection, error, action);
	}
}

/** Always sent: a field that is left out may be lost (`docs/interface.md`, Changes). */
const sentFields = ['name', 'category', 'description', 'trigger_words', 'selected_keys'] as const;

type SentField = (typeof sentFields)[number];

/** A change of an ability; `undefined` leaves a field as it is. */
export type AbilityChanges = Readonly<Partial<Record<Exclude<SentField, 'trigger_words' | 'selected_keys'>, string | undefined>>> & {
	readonly triggers?: readonly string[] | undefined;
};

/** Returns the fields that an edit would lose, because the list does not show them. */
export function unshownFields({raw}: Ability, changes: AbilityChanges): readonly SentField[] {
	return sentFields.filter(field => !Object.hasOwn({...raw, ...toRawValues(changes)}, field));
}

/**
Changes the name, the category, the description or the trigger phrases of an ability. The fields that stay are sent back as the list shows
them. Not every service can: the operation is not documented.

@param ability - from a list that was read just before.
@returns the ability as the answer shows it, or as it was sent.
@throws SwitchboardError `not-found` if the service does not offer it, or the ability is gone.
*/
export async function editAbility(
	connection: Connection,
	ability: Ability,
	changes: AbilityChanges,
	signal?: AbortSignal,
): Promise<Ability> {
	const {id, name, raw} = ability;
	const fields = {...raw, ...toRawValues(changes)};
	// The service's null means that no keys are linked.
	const sent = sentFields
		.filter(field => Object.hasOwn(fields, field) && (field !== 'selected_keys' || fields[field] !== null))
		.map(field => [field, formTextOf(field, fields[field]!)] as const);
	refuseRemovedKey(name, sent);
	refuseUnsendablePhrases(ability, changes);
	try {
		const answer = refusePage(await connection.call('editAbility', id, {multipart: encodeMultipart(sent), signal}));
		return settled(ability, changes, answer.fields());
	} catch (error_) {
		const error = hideLinkedKeys(toSwitchboardError(error_), ability);
		if (!isUnknown(error) || error.isOutcomeUnknown) {
			throw error;
		}

		const {status} = error;
		throw (await isListed(connection, {resource: 'abilities', id, name, verb: 'edit', signal})) === false
			? new SwitchboardError('not-found', goneText('abilities', name), {status, nextStep: 'Refresh the list.'})
			: new SwitchboardError('not-found', `Not offered: the service cannot edit ${name} (HTTP ${status}).`, {
					status,
					nextStep: 'Use the dashboard instead.',
				});
	}
}

/** A text as a form has it: phrases are separated by commas, and other values are JSON. */
const formTextOf = (field: SentField, value: JsonValue): string =>
	value === null
		? ''
		: typeof value === 'string'
			? value
			: field === 'trigger_words' && Array.isArray(value)
				? value.join(',')
				: JSON.stringify(value);

function refuseUnsendablePhrases({name, raw}: Ability, {triggers}: AbilityChanges): void {
	if (
		triggers === undefined &&
		(hasMorePhrases(raw) || (Array.isArray(raw['trigger_words']) && rawPhrases(raw).some(phrase => phrase.includes(','))))
	) {
		throw new SwitchboardError(
			'refused',
			`The trigger phrases of ${name} cannot be sent back as they are: there are too many, or one has a comma.`,
			{nextStep: 'Replace them too.', field: 'trigger_words'},
		);
	}
}

/** Returns the ability with the changes, as the answer shows it or as they were sent. */
function settled(ability: Ability, changes: AbilityChanges, body: JsonObject): Ability {
	const inner = [body['data'], body['capability'], body['ability']].find(value => isJsonObject(value)) ?? body;
	const answered = decodeRecord('abilities', inner);
	return decodeRecord('abilities', {...ability.raw, ...toRawValues(changes), ...(answered?.id === ability.id && answered.raw)}) ?? ability;
}

/** Some services repeat the sent fields in their errors. */
function hideLinkedKeys(error: SwitchboardError, {raw}: Ability): SwitchboardError {
	const texts = textsIn(raw['selected_keys']).filter(text => text.length > 3 && error.message.includes(text));
	const message = texts.reduce((left, text) => left.replaceAll(text, '[linked key]'), error.message);
	// Without its cause, which repeats them too.
	return texts.length === 0 ? error : new SwitchboardError(error.kind, message, {...error, cause: undefined});
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
	typeof value === 'string'
		? [value]
		: Array.isArray(value)
			? (value as readonly JsonValue[]).flatMap(each => textsIn(each))
			: isJsonObject(value)
				? Object.values(value).flatMap(each => textsIn(each))
				: [];
