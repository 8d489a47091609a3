import {cleanText} from '../interface/clean-text.ts';
import {sourceVersionHeader} from '../interface/endpoints.ts';
import type {JsonObject} from '../interface/json.ts';
import {decodeId} from '../interface/records.ts';
import {refusePage, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {encodeMultipart} from './multipart.ts';

const versionOf = ({version}: JsonObject): string | undefined =>
	(typeof version === 'string' || typeof version === 'number' ? cleanText(String(version), 60) : '') || undefined;

/** The release and version of an ability, from its installed record, and that record; `undefined` for each that the service does not show. */
export const getInstalledByAbility = async ({call}: Connection, abilityId: number, signal?: AbortSignal) => {
	const answer = await call('getInstalledByAbility', abilityId, {signal});
	const fields = answer.fields();
	if ((decodeId(fields['installed_cap_id']) ?? decodeId(fields['id'])) === undefined) {
		throw toUnintelligibleError(answer, 'an installed ability');
	}

	return {releaseId: decodeId(fields['release_id']), version: versionOf(fields), fields};
};

type Template = {
	/** With the files at its root. */
	readonly zip: Uint8Array;
	/** Its version; `undefined` if the service does not say. */
	readonly version: string | undefined;
};

/**
The source of an ability: that in use, or of a version.

@returns with its version. A service that knows no versions of sources answers with the one in use, and names none.
*/
export const getTemplateFile = async ({call}: Connection, abilityId: number, signal?: AbortSignal, version?: string): Promise<Template> => {
	const answer = await call('getTemplateFile', abilityId, {
		signal,
		query: version === undefined ? undefined : `?version=${encodeURIComponent(version)}`,
	});
	// Every zip begins with the letters PK.
	if (answer.bytes[0] !== 0x50 || answer.bytes[1] !== 0x4b) {
		throw toUnintelligibleError(answer, 'a zip');
	}

	return {zip: answer.bytes, version: versionOf({version: (answer.headers[sourceVersionHeader] as string | undefined) ?? null})};
};

export type Release = {
	/** A zip with the files at its root. */
	readonly zip: Uint8Array;
	readonly message: string;
};

type ReleaseOptions = {
	/** Called with the fraction of the zip that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
};

/**
Replaces the code of an ability with a new release. It is not retried if no answer came: there might be two.

@returns the new version, if the service shows it.
*/
export const releaseCode = async (
	{call}: Connection,
	releaseId: number,
	{zip, message}: Release,
	{onProgress, signal}: ReleaseOptions = {},
) => {
	const multipart = encodeMultipart([
		['zip_file', {fileName: 'code.zip', type: 'application/zip', bytes: zip}],
		['committed', 'true'],
		['commit_message', message],
	]);
	return versionOf(refusePage(await call('releaseCode', releaseId, {multipart, onProgress, signal})).fields());
};
