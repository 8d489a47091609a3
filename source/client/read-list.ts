import {SwitchboardError} from '../interface/errors.ts';
import {type Operation} from '../interface/endpoints.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {decodePage, readPages, type ResourceList} from './read-pages.ts';
import {isUnknown, type Router} from './routes.ts';

const listOperations = {
	agents: 'listAgents',
	abilities: 'listAbilities',
	installed: 'listInstalled',
} as const satisfies Record<Resource, Operation>;

/** Lists the agents by the operation that takes the key in the body, with the fields that public clients send. */
const listAgentsBodyStyle = async ({call}: Router, signal: AbortSignal | undefined): Promise<ResourceList<Records['agents']>> => {
	const answer = await call('listAgentsBodyStyle', undefined, {json: {with_image: true}, signal});
	const {records, leftOutCount, next} = decodePage('agents', answer);
	// A next page would be requested with GET, which has no body for the key.
	return {records, leftOutCount, isComplete: next === undefined};
};

/** Lists the records of a resource. If the service does not know the path for agents, the body-style operation lists them. */
export type ListReader = <R extends Resource>(resource: R, signal?: AbortSignal) => Promise<ResourceList<Records[R]>>;

/**
Reads lists. If the service sent an ETag, the request is conditional: an unchanged list is answered with 304, and the same
object is returned as before.
*/
export const createListReader = (router: Router): ListReader => {
	const known = new Map<Resource, {readonly entityTag: string; readonly list: ResourceList<unknown>}>();

	const readDocumented: ListReader = async <R extends Resource>(resource: R, signal?: AbortSignal) => {
		const operation = listOperations[resource];
		const before = known.get(resource);
		const answer = await router.call(operation, undefined, {
			signal,
			...(before !== undefined && {headers: {'if-none-match': before.entityTag}}),
		});
		if (answer.status === 304 && before !== undefined) {
			return before.list as ResourceList<Records[R]>;
		}

		const {pageCount, ...list} = await readPages(answer, {
			transport: router.transport, resource, operation, signal,
		});
		const entityTag = answer.headers.etag;
		// A tag covers its own page only.
		if (entityTag !== undefined && pageCount === 1 && list.isComplete) {
			known.set(resource, {entityTag, list});
		} else {
			known.delete(resource);
		}

		return list;
	};

	return async <R extends Resource>(resource: R, signal?: AbortSignal) => {
		try {
			return await readDocumented(resource, signal);
		} catch (error) {
			if (resource !== 'agents' || !isUnknown(error)) {
				throw error;
			}

			try {
				return await listAgentsBodyStyle(router, signal) as ResourceList<Records[R]>;
			} catch (bodyStyleError) {
				// If neither path returns a list, show the error about the documented one.
				throw bodyStyleError instanceof SwitchboardError && bodyStyleError.status === undefined ? bodyStyleError : error;
			}
		}
	};
};
