import {isJsonObject} from '../interface/json.ts';
import {type Agent} from '../interface/records.ts';
import {toUnintelligibleError} from './answer-errors.ts';
import {decodePage, type ResourceList} from './read-list.ts';
import {type Router} from './routes.ts';

/**
Whether the service takes the key, by its operation for that; the key travels in the body.

@throws SwitchboardError `not-found` where the service has no such operation.
*/
export const isKeyValid = async (router: Router, signal?: AbortSignal): Promise<boolean> => {
	const answer = await router.call('verifyKey', undefined, {json: {}, signal});
	const body = answer.json();
	if (!isJsonObject(body) || typeof body['valid'] !== 'boolean') {
		throw toUnintelligibleError(answer, router.transport.baseAddress, 'whether the key is valid');
	}

	return body['valid'];
};

/** The agents by the operation whose key travels in the body, with the fields that public clients send. */
export const listAgentsBodyStyle = async (router: Router, signal?: AbortSignal): Promise<ResourceList<Agent>> => {
	const answer = await router.call('listAgentsBodyStyle', undefined, {json: {with_image: true}, signal});
	const page = decodePage('agents', answer, router.transport.baseAddress);
	// A next page would be asked for with GET, which has no body for the key.
	return {records: page.records, leftOutCount: page.leftOutCount, isComplete: page.next === undefined};
};
