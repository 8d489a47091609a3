import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {type JsonObject} from '../interface/json.ts';
import {decodeId, decodeRecord, type InstalledAbility} from '../interface/records.ts';
import {refusePage, toUnintelligibleError} from './answer-errors.ts';
import {type Connection} from './connection.ts';
import {encodeMultipart} from './multipart.ts';
import {isUnknown} from './routes.ts';

/** Not every service has these undocumented operations: explains their 404. */
const explained = async <Result>(verb: string, work: () => Promise<Result>): Promise<Result> => {
	try {
		return await work();
	} catch (error) {
		// The 404 may be the result of an earlier attempt that was cut off.
		throw isUnknown(error) && !error.isOutcomeUnknown
			? new SwitchboardError('not-found', `This service cannot ${verb} (HTTP ${error.status}).`, {status: error.status, nextStep: 'Use the dashboard instead.'})
			: error;
	}
};

const versionOf = ({version}: JsonObject): string =>
	typeof version === 'string' || typeof version === 'number' ? cleanText(String(version), 60) : '';

type InstalledRelease = {
	readonly installed: InstalledAbility;
	/** For `releaseCode`. */
	readonly releaseId: number | undefined;
	/** Empty if the service does not say. */
	readonly version: string;
	readonly isCommitted: boolean | undefined;
};

/** The installed record of an ability, with its release. */
export const getInstalledByAbility = async ({call}: Connection, abilityId: number, signal?: AbortSignal): Promise<InstalledRelease> =>
	explained(`show the installed record of ability ${abilityId}`, async () => {
		const answer = await call('getInstalledByAbility', abilityId, {signal});
		const fields = answer.fields();
		const installed = decodeRecord('installed', fields);
		if (installed === undefined) {
			throw toUnintelligibleError(answer, 'an installed ability');
		}

		const {is_committed: isCommitted} = fields;
		return {
			installed,
			releaseId: decodeId(fields['release_id']),
			version: versionOf(fields),
			isCommitted: typeof isCommitted === 'boolean' ? isCommitted : undefined,
		};
	});

/** The source of an ability, as a zip with the files at its root. */
export const getTemplateFile = async ({call}: Connection, abilityId: number, signal?: AbortSignal): Promise<Uint8Array> =>
	explained(`send the source of ability ${abilityId}`, async () => {
		const answer = await call('getTemplateFile', abilityId, {signal});
		// Every zip begins with the letters PK.
		if (answer.bytes[0] !== 0x50 || answer.bytes[1] !== 0x4B) {
			throw toUnintelligibleError(answer, 'a zip');
		}

		return answer.bytes;
	});

export type Release = {
	/** A zip with the files at its root. */
	readonly zip: Uint8Array;
	readonly isCommitted: boolean;
	readonly message: string;
};

type ReleaseOptions = {
	/** Called with the fraction of the zip that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** What the service says of a new release; a service that says nothing has made it too. */
export type ReleaseResult = {
	/** Empty if the service does not say. */
	readonly version: string;
};

/**
Replaces the code of an ability with a new release. It is not retried if no answer came: there might be two.
*/
export const releaseCode = async ({call}: Connection, releaseId: number, {zip, isCommitted, message}: Release, {onProgress, signal}: ReleaseOptions = {}): Promise<ReleaseResult> =>
	explained(`replace the code of release ${releaseId}`, async () => {
		const answer = refusePage(await call('releaseCode', releaseId, {
			multipart: encodeMultipart([
				['zip_file', {fileName: 'code.zip', type: 'application/zip', bytes: zip}],
				['committed', String(isCommitted)],
				['commit_message', message],
			]),
			onProgress,
			signal,
		}));
		return {version: versionOf(answer.fields())};
	});
