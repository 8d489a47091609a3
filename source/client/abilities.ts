import {cleanText} from '../interface/clean-text.ts';
import {hasIdentifier} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {indexNames} from '../interface/name-index.ts';
import {packageName} from '../interface/names.ts';
import {decodeId, decodeRecord, type Ability} from '../interface/records.ts';
import {isPage, refusePage, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {encodeMultipart, type MultipartFile, type MultipartPart} from './multipart.ts';
import {explainNotFound, isListed} from './record-calls.ts';
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

type UploadOptions = {
	/** Called with the fraction of the upload that was sent, 0 to 1. */
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
	try {
		const {records} = await list('abilities', signal);
		const ids = records.filter(record => record.raw['name'] === name).map(({id}) => id);
		return ids.length === 0 ? undefined : Math.max(...ids);
	} catch {
		return undefined;
	}
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
