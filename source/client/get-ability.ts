import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {decodeRecord, type Ability} from '../interface/records.ts';
import {toUnintelligibleError} from './answer-errors.ts';
import {type Connection} from './connection.ts';
import {isUnknown} from './routes.ts';

/** The record, bare or wrapped as lists are. It need not contain the id, which is known from the request. */
const decodeAbility = (body: JsonObject, id: number): Ability | undefined => {
	const inner = [body['data'], body['capability'], body['ability']].find(value => isJsonObject(value)) ?? body;
	return decodeRecord('abilities', inner) ?? decodeRecord('abilities', {...inner, capability_id: id});
};

/**
Gets one ability. If the service does not know the path or the id, it is taken from the list (`LIVE-SERVICE.md`).

@throws SwitchboardError `not-found` if the list does not have it either.
*/
export const getAbility = async ({call, list}: Connection, id: number, signal?: AbortSignal): Promise<Ability> => {
	try {
		const answer = await call('getAbility', id, {signal});
		const body = answer.json();
		const ability = isJsonObject(body) ? decodeAbility(body, id) : undefined;
		if (ability === undefined) {
			throw toUnintelligibleError(answer, 'an ability');
		}

		return ability;
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		const {records, isComplete} = await list('abilities', signal);
		const listed = records.find(record => record.id === id);
		if (listed === undefined) {
			// An incomplete list may lack an ability that exists.
			throw isComplete ? new SwitchboardError('not-found', `No ability has the id ${id}.`, {nextStep: 'List the abilities with: switchboard abilities', status: error.status}) : error;
		}

		return listed;
	}
};
