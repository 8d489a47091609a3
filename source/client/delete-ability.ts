import {hasIdentifier} from '../interface/endpoints.ts';
import {type Ability} from '../interface/records.ts';
import {refusePage} from './answer-errors.ts';
import {type Connection} from './connection.ts';
import {explainNotFound, isListed} from './explain-not-found.ts';
import {isUnknown} from './routes.ts';

/**
Deletes an ability: by the documented path, then as public clients do (`LIVE-SERVICE.md`, Paths).

@throws SwitchboardError `not-found` if no path is known, or the ability is no longer listed.
*/
export const deleteAbility = async (connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal): Promise<void> => {
	const action = {
		resource: 'abilities', id, name, verb: 'delete', signal,
	} as const;
	try {
		refusePage(await connection.call('deleteAbility', id, ({path}) => ({signal, ...(!hasIdentifier(path) && {json: {capability_ids: [id]}})})));
	} catch (error) {
		const mayBeDeleted = isUnknown(error) && error.isOutcomeUnknown;
		if (mayBeDeleted && await isListed(connection, action) === false) {
			// The first attempt was cut off, but did delete it.
			return;
		}

		throw await explainNotFound(connection, error, action);
	}
};
