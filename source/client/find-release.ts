import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {absenceCheck, installedLookup} from '../interface/installed-lookup.ts';
import {type Ability} from '../interface/records.ts';
import {type Client} from './client.ts';

/** What helps where the code of an ability cannot be replaced, in the words of those who ask: of a command, or of the screens. */
export type ReleaseAdvice = {
	/** If the service takes no new code of this ability. */
	readonly uploadInstead: string;
	/** If the ability of this name has to be installed first. */
	readonly install: (name: string) => string;
	/** If it is not known whether the new code of the ability of this name has arrived. */
	readonly check: (name: string) => string;
};

export type ReleaseAccess = {
	readonly client: Client;
	/** For requests that read. */
	readonly signal: AbortSignal;
	readonly advice: ReleaseAdvice;
};

/** The release of an ability that new code replaces. */
export type FoundRelease = {
	readonly id: number;
	/** `undefined` if the service does not show it. */
	readonly version: string | undefined;
};

/** True for an ability that is surely not installed. */
const isAbsent = async ({client, signal}: ReleaseAccess, ability: Ability): Promise<boolean> => {
	if (ability.isInstalled === false) {
		return true;
	}

	try {
		const {records, isComplete} = await client.list('installed', signal);
		return isComplete && installedLookup(records)(ability) === undefined && absenceCheck(records)(ability);
	} catch {
		return false;
	}
};

const notShown = ({advice}: ReleaseAccess, {name}: Ability, status?: number): SwitchboardError =>
	new SwitchboardError('not-found', `The service does not show the release of ${name}, so its code cannot be replaced.`, {status, nextStep: advice.uploadInstead});

/** A 404 means that the service has no such path, or that the ability is not installed (`LIVE-SERVICE.md`, Behaviour). */
const explainNotFound = async (access: ReleaseAccess, ability: Ability, status: number | undefined): Promise<SwitchboardError> =>
	await isAbsent(access, ability)
		? new SwitchboardError('not-found', `${ability.name} is not installed, so the service does not show the release that new code would replace.`, {
			status, nextStep: access.advice.install(ability.name),
		})
		: notShown(access, ability, status);

/**
The release of an ability that new code replaces: one request.

@throws SwitchboardError `not-found` if the ability is not installed or the service shows no releases, with what to do.
*/
export const findRelease = async (access: ReleaseAccess, ability: Ability): Promise<FoundRelease> => {
	try {
		const {releaseId, version} = await access.client.getInstalledByAbility(ability.id, access.signal);
		if (releaseId !== undefined) {
			return {id: releaseId, version: version === '' ? undefined : version};
		}
	} catch (error) {
		const {kind, status} = toSwitchboardError(error);
		throw kind === 'not-found' ? await explainNotFound(access, ability, status) : error;
	}

	throw notShown(access, ability);
};
