import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {decodeRecord, type Ability} from '../interface/records.ts';
import {toUnintelligibleError} from './answer-errors.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';

/** The record itself, or wrapped as lists were seen to be. It was asked for by its id, so it need not repeat it. */
const decodeAbility = (body: JsonValue | undefined, id: number): Ability | undefined => {
	if (!isJsonObject(body)) {
		return undefined;
	}

	const inner = [body['data'], body['capability'], body['ability']].find(value => isJsonObject(value)) ?? body;
	return decodeRecord('abilities', inner) ?? decodeRecord('abilities', {...inner as object, capability_id: id});
};

/**
One ability. Where the service does not know the path, or the id, its list of abilities serves (`LIVE-SERVICE.md`).

@throws SwitchboardError `not-found` where the list does not have it either.
*/
export const getAbility = async (router: Router, readList: ListReader, id: number, signal?: AbortSignal): Promise<Ability> => {
	try {
		const answer = await router.call('getAbility', id, {signal});
		const ability = decodeAbility(answer.json(), id);
		if (ability === undefined) {
			throw toUnintelligibleError(answer, router.transport.baseAddress, 'an ability');
		}

		return ability;
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		const {records, isComplete} = await readList('abilities', signal);
		const listed = records.find(record => record.id === id);
		if (listed === undefined) {
			// What a list that was cut short does not show may be there all the same.
			throw isComplete ? new SwitchboardError('not-found', `There is no ability with the id ${id}.`, {nextStep: 'List the abilities with: switchboard abilities', status: error.status}) : error;
		}

		return listed;
	}
};
