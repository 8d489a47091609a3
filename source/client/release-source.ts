import {type FileChange} from '../bundle/compare-files.ts';
import {type PackedAbility} from '../bundle/pack-ability.ts';
import {checkAbilityFiles} from '../interface/ability-package/check-ability-files.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import {type Ability} from '../interface/records.ts';
import {compareSource} from './compare-source.ts';
import {findRelease, type FoundRelease, type ReleaseAccess} from './find-release.ts';
import {type Release, type ReleaseResult} from './releases.ts';

type PreparedRelease = {
	readonly release: FoundRelease;
	/** The files that differ. */
	readonly files: readonly FileChange[];
};

/**
Compares the code of an ability on the service with packed files, and finds the release that they replace. Sends nothing that
changes anything.

@returns `undefined` if the service has the same code.
@throws SwitchboardError `refused` if a file is missing that the category of the ability needs; as `compareSource` and `findRelease` do.
*/
export const prepareRelease = async (access: ReleaseAccess, ability: Ability, packed: Pick<PackedAbility, 'files' | 'contents'>): Promise<PreparedRelease | undefined> => {
	// The category of a folder is not known; that of the ability stays, and with it the files that it needs.
	const [problem] = checkAbilityFiles(packed.files, {category: ability.category, layout: 'root'});
	if (problem !== undefined) {
		throw problem;
	}

	const {same, files} = await compareSource(access, ability, packed);
	return same ? undefined : {files, release: await findRelease(access, ability)};
};

type NewSource = {
	readonly ability: Ability;
	readonly packed: Pick<PackedAbility, 'contents'>;
	readonly message: string;
	/** Sends the code to the release that it replaces. */
	readonly send: (code: Release) => Promise<ReleaseResult>;
	/** Reads what the service has after an answer was lost; `undefined` if that cannot be read. */
	readonly readAfterwards: <Result>(read: (signal: AbortSignal) => Promise<Result>) => Promise<Result | undefined>;
};

/** Looks whether new code whose answer was lost has arrived; throws if that is not certain. */
const lookUp = async (access: ReleaseAccess, {ability, packed, readAfterwards}: NewSource, error: SwitchboardError): Promise<void> => {
	const {name} = ability;
	const found = await readAfterwards(async signal => compareSource({...access, signal}, ability, packed));
	if (found?.same === true) {
		return;
	}

	const seen = found === undefined
		? `It is not known whether ${name} has the new code: it was sent and may still arrive.`
		: `${name} does not have the new code yet: it was sent and may still arrive.`;
	throw unknownOutcomeError(error, seen, access.advice.check(name));
};

/**
Releases new code of an ability, which keeps its state. If no answer comes, its source on the service says whether the code has
arrived.

@returns the version, `undefined` if the service did not say.
@throws SwitchboardError with `isOutcomeUnknown` if the code may still arrive; `not-found` if the service takes no code.
*/
export const releaseSource = async (access: ReleaseAccess, source: NewSource): Promise<string | undefined> => {
	const {ability: {name}, packed, message, send} = source;
	// Most runs need no zip library.
	const {writeZip} = await import('../interface/ability-package/write-zip.ts');
	const zip = await writeZip(packed.contents);
	try {
		const {version} = await send({zip, isCommitted: true, message});
		return version === '' ? undefined : version;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (error.isOutcomeUnknown) {
			await lookUp(access, source, error);
			return undefined;
		}

		const {kind, status} = error;
		throw kind === 'not-found'
			? new SwitchboardError(kind, `The service does not take new code for ${name} (HTTP ${status}).`, {status, nextStep: access.advice.uploadInstead})
			: error;
	}
};
