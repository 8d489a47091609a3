import type {Client, ResourceList} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {Records, Resource} from '../../interface/records.ts';

/**
Reads a list again, unless the last one has the version that is named. A path that was there before and is not found now is an outage:
a proxy may answer while the service is away.

@param before - the list as it was read last.
@param version - the newest version, where the service has named it.
*/
export const pollList = async <R extends Resource>(
	client: Client,
	resource: R,
	before: ResourceList<Records[R]> | undefined,
	version: string | undefined,
	signal: AbortSignal,
): Promise<ResourceList<Records[R]>> => {
	if (before !== undefined && version !== undefined && before.version === version) {
		return before;
	}

	try {
		return await client.list(resource, signal, before);
	} catch (error) {
		throw before !== undefined && isUnknown(error)
			? new SwitchboardError('server-error', error.message, {nextStep: error.nextStep, status: error.status, cause: error})
			: error;
	}
};
