import {SwitchboardError} from '../interface/errors.ts';
import {decodeId} from '../interface/records.ts';
import {cleanText} from '../interface/clean-text.ts';
import {isPage, toUnintelligibleError} from './answer-errors.ts';
import {type Connection} from './connection.ts';
import {encodeMultipart, type MultipartFile, type MultipartPart} from './multipart.ts';

export type AbilityUpload = {
	/** The packed ability (`source/bundle/`). */
	readonly zip: Uint8Array;
	readonly name: string;
	readonly description: string;
	readonly category: string;
	readonly triggerPhrases: readonly string[];
	readonly image?: MultipartFile | undefined;
	/** The agent to give it to. */
	readonly agentId?: number | undefined;
};

type UploadOptions = {
	/** Called with the fraction of the upload that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
};

export type UploadResult = {
	/** `undefined` if neither the answer nor the list of abilities has it. */
	readonly capabilityId: number | undefined;
	/** The service's own message; may be empty. */
	readonly detail: string;
};

/** The form that public clients send (`LIVE-SERVICE.md`, Upload). */
const toParts = (upload: AbilityUpload): readonly MultipartPart[] => [
	['zip_file', {fileName: `${upload.name}.zip`, type: 'application/zip', bytes: upload.zip}],
	['name', upload.name],
	['description', upload.description],
	['category', upload.category],
	['trigger_words', upload.triggerPhrases.join(',')],
	...(upload.image === undefined ? [] : [['image_file', upload.image] as const]),
	...(upload.agentId === undefined ? [] : [['personality_id', String(upload.agentId)] as const]),
];

/** The id of the newest ability of that name, for an answer without the id. */
const findByName = async ({list}: Connection, name: string, signal: AbortSignal | undefined): Promise<number | undefined> => {
	try {
		const {records} = await list('abilities', signal);
		const ids = records.filter(record => record.raw['name'] === name).map(({id}) => id);
		return ids.length === 0 ? undefined : Math.max(...ids);
	} catch {
		return undefined;
	}
};

/**
Uploads a packed ability.

@throws SwitchboardError `refused`, `conflict` or `too-large` with the service's own message; `interrupted` if the signal
cancelled it; `unintelligible` for a web page, unless the list has the ability. It is not retried if no answer came: the
ability might be uploaded twice.
*/
export const uploadAbility = async (connection: Connection, upload: AbilityUpload, {onProgress, signal}: UploadOptions = {}): Promise<UploadResult> => {
	try {
		const answer = await connection.call('uploadAbility', undefined, {multipart: encodeMultipart(toParts(upload)), onProgress, signal});
		const fields = answer.fields();
		const id = decodeId(fields['capability_id']) ?? decodeId(fields['id']) ?? await findByName(connection, upload.name, signal);
		if (id === undefined && isPage(answer)) {
			throw toUnintelligibleError({...answer, isOutcomeUnknown: true}, 'the outcome of the upload');
		}

		return {
			capabilityId: id,
			detail: typeof fields['detail'] === 'string' ? cleanText(fields['detail']) : '',
		};
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
};
