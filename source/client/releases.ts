import {cleanText} from '../interface/clean-text.ts';
import {sourceVersionHeader} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {decodeId, decodeVersions, type AbilityVersion} from '../interface/records.ts';
import type {UploadOptions} from './abilities.ts';
import type {Answer} from './answer.ts';
import {refusePage, toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import {onOwnOrigin, type Connection} from './lists.ts';
import {encodeMultipart} from './multipart.ts';

/** A version of an ability that the service shows with the address of its source. */
type KeptSource = {readonly version: string; readonly address: string};

/** Returns the release and the version of an ability, and its installed record; each is `undefined` if the service does not show it. */
export async function getInstalledByAbility({call}: Connection, abilityId: number, signal?: AbortSignal) {
	const answer = await call('getInstalledByAbility', abilityId, {signal});
	const fields = answer.fields();
	if ((decodeId(fields['installed_cap_id']) ?? decodeId(fields['id'])) === undefined) {
		throw toUnintelligibleError(answer, 'an installed ability');
	}

	const listed = [fields['releases'], fields['capability_versions']].find(value => Array.isArray(value));
	const releases = (listed ?? []) as readonly JsonValue[];
	return {
		releaseId: decodeId(fields['release_id']),
		version: versionOf(fields),
		fields,
		/** The earlier sources that the service keeps; empty if it shows no addresses. */
		sources: releases.flatMap((release): readonly KeptSource[] => {
			const {zip_file: address} = isJsonObject(release) ? release : {};
			const version = isJsonObject(release) ? versionOf(release) : undefined;
			return typeof address === 'string' && address !== '' && version !== undefined ? [{version, address}] : [];
		}),
	};
}

const versionOf = ({version}: JsonObject): string | undefined =>
	(typeof version === 'string' || typeof version === 'number' ? cleanText(String(version), 60) : '') || undefined;

/** Returns the releases of an ability, also of one that is not installed. Not every service lists them: the operation is not documented. */
export async function listReleases({call}: Connection, abilityId: number, signal?: AbortSignal): Promise<readonly AbilityVersion[]> {
	const answer = await call('listReleases', abilityId, {signal});
	const body = answer.json();
	const {releases, results, data} = answer.fields();
	return decodeVersions([body, releases, results, data].find(value => Array.isArray(value)));
}

/** Makes a release the one in use of its ability, which keeps its state. Not every service can: the operation is not documented. */
export async function enableRelease({call}: Connection, releaseId: number, signal?: AbortSignal): Promise<void> {
	refusePage(await call('enableRelease', releaseId, {signal}));
}

/**
Returns the source of an earlier version.

@param address - as the service shows it. It is read only on the service's own origin, because the key goes with the request.
@throws SwitchboardError `not-found` for an address on another origin.
*/
export async function getKeptSource({transport}: Connection, {version, address}: KeptSource, signal?: AbortSignal): Promise<Uint8Array> {
	const target = onOwnOrigin(address, transport.baseAddress);
	if (target === undefined) {
		throw new SwitchboardError('not-found', `The service keeps the source of version ${version} elsewhere, where the key is not sent.`, {
			nextStep: 'Use the dashboard instead.',
		});
	}

	const answer = await transport.send({operation: 'getTemplateFile', method: 'GET', path: target, signal});
	if (answer.status < 200 || answer.status >= 300) {
		throw toAnswerError(answer, transport.keyName);
	}

	return zipOf(answer);
}

function zipOf(answer: Answer): Uint8Array {
	// Every zip begins with the letters PK.
	if (answer.bytes[0] !== 0x50 || answer.bytes[1] !== 0x4b) {
		throw toUnintelligibleError(answer, 'a zip');
	}

	return answer.bytes;
}

/**
Returns the source of an ability, by default the one in use, as a zip with the files at its root, with its version. A service without
versions of sources sends the one in use and names no version.
*/
export async function getTemplateFile({call}: Connection, abilityId: number, signal?: AbortSignal, version?: string) {
	const answer = await call('getTemplateFile', abilityId, {
		signal,
		query: version === undefined ? undefined : `?version=${encodeURIComponent(version)}`,
	});
	return {zip: zipOf(answer), version: versionOf({version: (answer.headers[sourceVersionHeader] as string | undefined) ?? null})};
}

export type Release = {
	/** A zip with the files at its root. */
	readonly zip: Uint8Array;
	readonly message: string;
	/** True to save it as a draft, which is not used. */
	readonly isDraft?: boolean | undefined;
};

/**
Replaces the code of an ability with a new release, or saves it as a draft. It is not retried if no answer came: there might be two.

@returns the new version, if the service shows it.
*/
export async function releaseCode(
	{call}: Connection,
	releaseId: number,
	{zip, message, isDraft = false}: Release,
	{onProgress, signal}: UploadOptions = {},
) {
	const multipart = encodeMultipart([
		['zip_file', {fileName: 'code.zip', type: 'application/zip', bytes: zip}],
		['committed', String(!isDraft)],
		['commit_message', message],
	]);
	return versionOf(refusePage(await call('releaseCode', releaseId, {multipart, onProgress, signal})).fields());
}
