import {compareFiles} from '../bundle/compare-files.ts';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {checkAbilityFiles, entriesOf, findTopFolder} from '../interface/ability-package/check-files.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError, throwIfAny} from '../interface/errors.ts';
import {absenceCheck, draftOf, installedLookup, releaseInUse, versionInUse} from '../interface/installed-lookup.ts';
import type {Ability} from '../interface/records.ts';
import type {Client} from './operations.ts';
import type {Release} from './releases.ts';
import {isUnknown} from './routes.ts';

/** Next steps if the code of an ability cannot be replaced, worded for a command or for the screens. */
export type ReleaseAdvice = {
	readonly replaceElsewhere: string;
	readonly install: (ability: Ability) => string;
	/** If it is not known whether the new code has arrived. */
	readonly check: (ability: Ability) => string;
};

export type ReleaseAccess = {
	readonly client: Client;
	/** For requests that read. */
	readonly signal: AbortSignal;
	readonly advice: ReleaseAdvice;
};

export type FoundRelease = {
	readonly id: number;
	/** `undefined` if the service does not show it. */
	readonly version: string | undefined;
	/** The version of the draft that the code replaces, if any. */
	readonly replacedDraft?: string | undefined;
};

/** How to release new code, and the known facts about the present draft. */
type ReleaseWish = {
	readonly isDraft?: boolean | undefined;
	/** The release id of the draft, if it was saved from this machine. */
	readonly ownDraftId?: number | undefined;
};

/**
Returns the release of an ability that takes new code, with at most one request. A new draft replaces the present draft; other code goes to
the release of the installed record or, without one, to a listed release (`docs/interface.md`, Changes).

@param isOurs - true for a bundled service: there new code replaces the draft, whichever release it is sent to.
@throws SwitchboardError `not-found` if the service shows no releases, with what to do.
*/
export async function findRelease(
	access: ReleaseAccess,
	ability: Ability,
	{isDraft = false, ownDraftId, isOurs = false}: ReleaseWish & {readonly isOurs?: boolean} = {},
): Promise<FoundRelease> {
	const draft = draftOf(ability);
	const isForDraft = draft !== undefined && (isDraft || draft.id === ownDraftId);
	const found = isForDraft ? draft : await findInstalledRelease(access, ability);
	const isReplaced = draft !== undefined && draft.id !== ownDraftId && (isOurs || found.id === draft.id);
	return {id: found.id, version: found.version, ...(isReplaced && {replacedDraft: draft.version})};
}

async function findInstalledRelease(access: ReleaseAccess, ability: Ability): Promise<FoundRelease> {
	const {client, signal, advice} = access;
	const {name} = ability;
	const listed = listedRelease(ability);
	let failedStatus: number | undefined;
	try {
		const {releaseId, version} = await client.getInstalledByAbility(ability.id, signal);
		if (releaseId !== undefined) {
			return {id: releaseId, version};
		}
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		// The service has no such path, or the ability is not installed (`docs/interface.md`, Paths).
		const {status} = error;
		failedStatus = status;
		if (listed === undefined && (await isAbsent(access, ability))) {
			throw new SwitchboardError(
				'not-found',
				`${name} is not installed, so the service does not show the release that new code would replace.`,
				{status, nextStep: advice.install(ability)},
			);
		}
	}

	if (listed !== undefined) {
		return listed;
	}

	throw new SwitchboardError('not-found', `The service does not show the release of ${name}, so its code cannot be replaced.`, {
		status: failedStatus,
		nextStep: advice.replaceElsewhere,
	});
}

/** Returns a release that the list shows: its draft, else the one in use. */
function listedRelease(ability: Ability): FoundRelease | undefined {
	const {id, version} = draftOf(ability) ?? releaseInUse(ability) ?? {};
	return id === undefined ? undefined : {id, version};
}

/** Tells whether an ability is certainly not installed. */
async function isAbsent({client, signal}: ReleaseAccess, ability: Ability): Promise<boolean> {
	if (ability.isInstalled === false) {
		return true;
	}

	const {records, isComplete} = await client.list('installed', signal).catch(() => ({records: [], isComplete: false}));
	return isComplete && installedLookup(records)(ability) === undefined && absenceCheck(records)(ability);
}

/** Receives the paths of files that no package may hold, such as keys. */
type ForbiddenListener = (paths: readonly string[]) => void;

type WantedSource = {
	readonly signal: AbortSignal;
	readonly version?: string | undefined;
	readonly nextStep?: string;
	readonly onForbidden?: ForbiddenListener | undefined;
};

/**
Returns the files of an ability on the service, without those that stay out of packages.

@param version - the version to read; by default the one in use.
@param nextStep - what to do if the service does not send them.
@param onForbidden - called with files that no package may hold, which are then left out; without it they are refused, because new code
would remove them from the service.
@throws SwitchboardError `not-found` if the service does not send them; `refused` or `too-large` if they break the rules of packages.
*/
export async function readServiceSource(client: Client, ability: Ability, wanted: WantedSource): Promise<readonly PackageFile[]> {
	const {files} = await readVersionedSource(client, ability, wanted);
	return files;
}

/** Returns the source with the version that the service names; only the bundled service names one. */
async function readVersionedSource(
	client: Client,
	ability: Ability,
	wanted: WantedSource,
): Promise<{readonly files: readonly PackageFile[]; readonly version: string | undefined}> {
	const {signal, version, nextStep = 'Use the dashboard instead.', onForbidden} = wanted;
	let zip: Uint8Array;
	let named: string | undefined;
	try {
		const found = await client.getTemplateFile(ability.id, signal, version);
		named = found.version;
		const isWanted = version === undefined || named === version || (named === undefined && versionInUse(ability) === version);
		const kept = isWanted ? found.zip : await readKeptSource(client, ability, wanted);
		if (kept === undefined) {
			throw new SwitchboardError(
				'not-found',
				`Not offered: the service sends only the source in use, not that of version ${version} of ${ability.name}.`,
				{nextStep},
			);
		}

		zip = kept;
	} catch (error) {
		throw isUnknown(error)
			? new SwitchboardError('not-found', `The service does not send the source of ${ability.name} (HTTP ${error.status}).`, {
					nextStep,
					status: error.status,
				})
			: error;
	}

	const files = await unpack(zip, ability, onForbidden);
	if (findTopFolder(entriesOf(files)) !== undefined) {
		throw new SwitchboardError('refused', `The source of ${ability.name} on the service is in a folder, not at the root of the zip.`, {
			nextStep: 'Look at it in the dashboard.',
		});
	}

	return {files, version: named};
}

/** Returns the source of a version whose address is in the installed record of the ability; `undefined` if there is none. */
async function readKeptSource(client: Client, ability: Ability, {signal, version}: WantedSource): Promise<Uint8Array | undefined> {
	try {
		const {sources} = await client.getInstalledByAbility(ability.id, signal);
		const kept = sources.find(source => source.version === version);
		return kept && (await client.getKeptSource(kept, signal));
	} catch (error) {
		if (isUnknown(error)) {
			return undefined;
		}

		throw error;
	}
}

/** Reads the zip by the rules of uploads, which leave out the same files as when a folder is packed. */
async function unpack(zip: Uint8Array, {name}: Ability, onForbidden?: ForbiddenListener): Promise<readonly PackageFile[]> {
	// Other commands need no zip library.
	const {readZip} = await import('../interface/ability-package/read-zip.ts');
	try {
		const {files, forbidden} = await readZip(zip, onForbidden === undefined ? 'refuse' : 'leave out');
		if (forbidden.length > 0) {
			onForbidden?.(forbidden);
		}

		return files.map(({path, bytes}) => ({path: path.normalize('NFC'), bytes}));
	} catch (error_) {
		const error = toSwitchboardError(error_);
		throw new SwitchboardError(error.kind, `The source of ${name} on the service breaks the rules of packages: ${error.message}`, {
			nextStep: 'Look at it in the dashboard.',
			cause: error,
		});
	}
}

/**
Compares the source of an ability on the service with local files, byte by byte: one request.

@param contents - without the files that stay out of packages, as `packAbility` returns them.
@returns the differences from the service to the local files (`added` files are only local), and the files of the service.
@throws SwitchboardError as `readServiceSource` does.
*/
export async function compareSource(
	{client, signal, advice}: ReleaseAccess,
	ability: Ability,
	{contents}: {readonly contents: readonly PackageFile[]},
	version?: string,
) {
	const {files: before, version: named} = await readVersionedSource(client, ability, {signal, version, nextStep: advice.replaceElsewhere});
	const files = compareFiles(before, contents);
	return {same: files.length === 0, files, before, isOurs: named !== undefined};
}

/**
Compares the code of an ability on the service with packed files, and finds the release that they replace. Changes nothing.

@returns the release, and the files that differ; `undefined` if the service has the same code. No file differs where a draft of ours is
released.
@throws SwitchboardError `refused` if a file is missing that the category of the ability needs; as `compareSource` and `findRelease` do.
*/
export async function prepareRelease(
	access: ReleaseAccess,
	ability: Ability,
	packed: Pick<PackedAbility, 'contents'>,
	wish: ReleaseWish = {},
) {
	// The category of a folder is not known. The ability keeps its category, and so needs the files for it.
	throwIfAny(checkAbilityFiles(entriesOf(packed.contents), {category: ability.category, layout: 'root'})[0]);

	const draft = draftOf(ability);
	const {same, files, isOurs} =
		wish.isDraft === true && draft !== undefined
			? await compareDraft(access, ability, packed, draft.version)
			: await compareSource(access, ability, packed);
	// Such a service may send the draft as the source: only its release shows whether the draft is used.
	const isPending = wish.isDraft !== true && !isOurs && draft !== undefined && draft.id === wish.ownDraftId;
	return same && !isPending ? undefined : {files, release: await findRelease(access, ability, {...wish, isOurs})};
}

/**
Compares with the draft. Where its source is not offered it counts as different, and the files that differ from those in use are named.
*/
async function compareDraft(
	access: ReleaseAccess,
	ability: Ability,
	packed: Pick<PackedAbility, 'contents'>,
	draftVersion: string,
): Promise<Pick<Awaited<ReturnType<typeof compareSource>>, 'same' | 'files' | 'isOurs'>> {
	try {
		return await compareSource(access, ability, packed, draftVersion);
	} catch (error) {
		if (toSwitchboardError(error).kind !== 'not-found') {
			throw error;
		}

		return {...(await compareSource(access, ability, packed)), same: false};
	}
}

type NewSource = {
	readonly ability: Ability;
	readonly packed: Pick<PackedAbility, 'contents'>;
	readonly message: string;
	readonly isDraft?: boolean | undefined;
	/** Sends the code to the release that it replaces. */
	readonly send: (code: Release) => Promise<string | undefined>;
	/** Reads the state of the service after an answer was lost; `undefined` if it cannot be read. */
	readonly readAfterwards: <Result>(read: (signal: AbortSignal) => Promise<Result>) => Promise<Result | undefined>;
};

/**
Releases new code of an ability, which keeps its state. If no answer comes, its source on the service says whether the code has arrived.

@returns the version, `undefined` if the service did not name it.
@throws SwitchboardError with `isOutcomeUnknown` if the code may still arrive; `not-found` if the service takes no code.
*/
export async function releaseSource(
	access: ReleaseAccess,
	{ability, packed, message, isDraft, send, readAfterwards}: NewSource,
): Promise<string | undefined> {
	const {name} = ability;
	// Most runs need no zip library.
	const {writeZip} = await import('../interface/ability-package/write-zip.ts');
	const zip = await writeZip(packed.contents);
	try {
		return await send({zip, message, isDraft});
	} catch (error_) {
		const error = toSwitchboardError(error_);
		const {status} = error;
		if (!error.isOutcomeUnknown) {
			throw isUnknown(error)
				? new SwitchboardError('not-found', `The service does not take new code for ${name} (HTTP ${status}).`, {
						status,
						nextStep: access.advice.replaceElsewhere,
					})
				: error;
		}

		// If the source of a draft is not offered, its files are not known.
		const found = await readAfterwards(async signal =>
			compareSource({...access, signal}, ability, packed, isDraft ? (draftOf(ability)?.version ?? '0') : undefined),
		);
		if (found?.same === true) {
			return undefined;
		}

		const seen = found === undefined ? `It is not known whether ${name} has the new code` : `${name} does not have the new code yet`;
		throw unknownOutcomeError(error, `${seen}: it was sent and may still arrive.`, access.advice.check(ability));
	}
}
