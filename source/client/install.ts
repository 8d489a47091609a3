import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject} from '../interface/json.ts';
import {
	decodeId,
	decodeRecord,
	type Ability,
	type InstalledAbility,
	type Resource,
} from '../interface/records.ts';
import {toUnintelligibleError} from './answer-errors.ts';
import {encodeMultipart} from './multipart.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';

/**
Not every service has these operations: none of them is documented. Their 404 says so in words that fit.

@param isGone - looks up whether what it is asked of is there no more, which is answered with 404 as well.
*/
const explained = async <Result>(what: string, work: () => Promise<Result>, isGone?: {readonly text: string; readonly find: () => Promise<boolean>}): Promise<Result> => {
	try {
		return await work();
	} catch (error) {
		// Where a first try was cut off, the 404 may be that of what it did.
		if (isUnknown(error) && !error.isOutcomeUnknown) {
			if (isGone !== undefined && await isGone.find()) {
				throw new SwitchboardError('not-found', isGone.text, {status: error.status});
			}

			throw new SwitchboardError('not-found', `This service cannot ${what} (HTTP ${error.status}).`, {status: error.status, nextStep: 'Use the dashboard for that.'});
		}

		throw error;
	}
};

/** True where a whole list lacks the record: what one that was cut short does not show may be there all the same. */
const isMissing = async (readList: ListReader, resource: Resource, id: number): Promise<boolean> => {
	const {records, isComplete} = await readList(resource);
	return isComplete && records.every(record => record.id !== id);
};

/** Installs an ability for the caller. */
export const installAbility = async (router: Router, readList: ListReader, {id, name}: Pick<Ability, 'id' | 'name'>): Promise<void> => {
	await explained(`install ${name}`, async () => router.call('installAbility', id), {
		text: `${name} is not there any more.`,
		find: async () => isMissing(readList, 'abilities', id),
	});
};

/** Removes an installed ability; the ability itself stays. */
export const uninstallAbility = async (router: Router, readList: ListReader, {id, name}: Pick<InstalledAbility, 'id' | 'name'>): Promise<void> => {
	await explained(`remove ${name}`, async () => router.call('uninstallAbility', id), {
		text: `${name} is not installed any more.`,
		find: async () => isMissing(readList, 'installed', id),
	});
};

export type InstalledRelease = {
	readonly installed: InstalledAbility;
	/** What `releaseCode` takes. */
	readonly releaseId: number | undefined;
	readonly version: string;
	readonly isCommitted: boolean | undefined;
};

/** The installed record of an ability, with its release. */
export const getInstalledByAbility = async (router: Router, abilityId: number, signal?: AbortSignal): Promise<InstalledRelease> =>
	explained(`show what is installed of ability ${abilityId}`, async () => {
		const answer = await router.call('getInstalledByAbility', abilityId, {signal});
		const body = answer.json();
		const installed = decodeRecord('installed', body);
		if (installed === undefined || !isJsonObject(body)) {
			throw toUnintelligibleError(answer, router.transport.baseAddress, 'an installed ability');
		}

		const {version, is_committed: isCommitted} = body;
		return {
			installed,
			releaseId: decodeId(body['release_id']),
			version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
			isCommitted: typeof isCommitted === 'boolean' ? isCommitted : undefined,
		};
	});

/** The source of an ability, as a zip with the files at its root. */
export const getTemplateFile = async (router: Router, abilityId: number, signal?: AbortSignal): Promise<Uint8Array> =>
	explained(`give the source of ability ${abilityId}`, async () => {
		const answer = await router.call('getTemplateFile', abilityId, {signal});
		// A zip begins with the letters PK, also an empty one.
		if (answer.bytes[0] !== 0x50 || answer.bytes[1] !== 0x4B) {
			throw toUnintelligibleError(answer, router.transport.baseAddress, 'a zip');
		}

		return answer.bytes;
	});

export type Release = {
	/** A zip with the files at its root. */
	readonly zip: Uint8Array;
	readonly isCommitted: boolean;
	readonly message: string;
};

/** Replaces the code of an ability by a new release. */
export const releaseCode = async (router: Router, releaseId: number, {zip, isCommitted, message}: Release): Promise<void> => {
	await explained(`replace the code of release ${releaseId}`, async () => router.call('releaseCode', releaseId, {
		multipart: encodeMultipart([
			['zip_file', {fileName: 'code.zip', type: 'application/zip', bytes: zip}],
			['committed', String(isCommitted)],
			['commit_message', message],
		]),
	}));
};
