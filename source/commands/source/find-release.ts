import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {absenceCheck, installedLookup} from '../../interface/installed-lookup.ts';
import type {Ability} from '../../interface/records.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';

/** Says how to go on where the code of an ability cannot be replaced. */
export const uploadInstead = 'Upload it under another name: switchboard abilities upload FOLDER --name NAME';

/** The release of an ability that new code replaces. */
export type FoundRelease = {
	readonly id: number;
	/** `undefined` if the service does not show it. */
	readonly version: string | undefined;
};

/** True for an ability that is surely not installed. */
const isAbsent = async ({readSignal}: Context, {client}: Service, ability: Ability): Promise<boolean> => {
	if (ability.isInstalled === false) {
		return true;
	}

	try {
		const {records, isComplete} = await client.list('installed', readSignal);
		return isComplete && installedLookup(records)(ability) === undefined && absenceCheck(records)(ability);
	} catch {
		return false;
	}
};

/** A 404 means that the service has no such path, or that the ability is not installed (`LIVE-SERVICE.md`, Behaviour). */
const explainNotFound = async (context: Context, service: Service, ability: Ability, status: number | undefined): Promise<SwitchboardError> =>
	await isAbsent(context, service, ability)
		? new SwitchboardError('not-found', `${ability.name} is not installed, so the service does not show the release that new code would replace.`, {
			status, nextStep: `Install it first: switchboard install ${shellWord(ability.name)}`,
		})
		: new SwitchboardError('not-found', `The service does not show the release of ${ability.name}, so its code cannot be replaced.`, {
			status, nextStep: uploadInstead,
		});

/**
The release of an ability that new code replaces: one request.

@throws SwitchboardError `not-found` if the ability is not installed or the service shows no releases, with what to do.
*/
export const findRelease = async (context: Context, service: Service, ability: Ability): Promise<FoundRelease> => {
	try {
		const {releaseId, version} = await service.client.getInstalledByAbility(ability.id, context.readSignal);
		if (releaseId !== undefined) {
			return {id: releaseId, version: version === '' ? undefined : version};
		}
	} catch (error) {
		const {kind, status} = toSwitchboardError(error);
		throw kind === 'not-found' ? await explainNotFound(context, service, ability, status) : error;
	}

	throw new SwitchboardError('not-found', `The service does not show the release of ${ability.name}, so its code cannot be replaced.`, {nextStep: uploadInstead});
};
