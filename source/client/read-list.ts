import {SwitchboardError} from '../interface/errors.ts';
import {listVersionsHeader, type Operation} from '../interface/endpoints.ts';
import {type Records, type Resource} from '../interface/records.ts';
import {versionsIn} from './list-versions.ts';
import {
	decodePage,
	readPages,
	type KnownRecords,
	type ResourceList,
} from './read-pages.ts';
import {isUnknown, type Router} from './routes.ts';

const listOperations = {
	agents: 'listAgents',
	abilities: 'listAbilities',
	installed: 'listInstalled',
} as const satisfies Record<Resource, Operation>;

const byId = <R extends Resource>(list: ResourceList<Records[R]> | undefined): KnownRecords<R> =>
	list && new Map(list.records.map(record => [record.id, record]));

/** Lists the agents by the operation that takes the key in the body, with the fields that public clients send. */
const listAgentsBodyStyle = async ({call}: Router, signal: AbortSignal | undefined, before: ResourceList<Records['agents']> | undefined): Promise<ResourceList<Records['agents']>> => {
	const answer = await call('listAgentsBodyStyle', undefined, {json: {with_image: true}, signal});
	const {records, leftOutCount, next} = await decodePage('agents', answer, byId(before));
	// A next page would be requested with GET, which has no body for the key.
	return {records, leftOutCount, isComplete: next === undefined};
};

/**
Lists the records of a resource. If the service does not know the path for agents, the body-style operation lists them.

@param before - the list that the caller has. Records that have not changed stay the same objects; if the service sent an ETag
with that list and answers that nothing has changed (304), the list itself is returned, or one with its records and its version now.
*/
export type ListReader = <R extends Resource>(resource: R, signal?: AbortSignal, before?: ResourceList<Records[R]>) => Promise<ResourceList<Records[R]>>;

/** Reads lists. */
export const createListReader = (router: Router): ListReader => {
	const readDocumented: ListReader = async (resource, signal, before) => {
		const operation = listOperations[resource];
		const entityTag = before?.entityTag;
		const answer = await router.call(operation, undefined, {
			signal,
			...(entityTag !== undefined && {headers: {'if-none-match': entityTag}}),
		});
		if (answer.status !== 304 || before === undefined) {
			return readPages(answer, {
				transport: router.transport, resource, operation, known: byId(before), signal,
			});
		}

		const version = versionsIn(answer.headers, listVersionsHeader)[resource];
		return version === before.version ? before : {...before, version};
	};

	return async <R extends Resource>(resource: R, signal?: AbortSignal, before?: ResourceList<Records[R]>) => {
		try {
			return await readDocumented(resource, signal, before);
		} catch (error) {
			if (resource !== 'agents' || !isUnknown(error)) {
				throw error;
			}

			try {
				return await listAgentsBodyStyle(router, signal, before as ResourceList<Records['agents']> | undefined) as ResourceList<Records[R]>;
			} catch (bodyStyleError) {
				// If neither path returns a list, show the error about the documented one.
				throw bodyStyleError instanceof SwitchboardError && bodyStyleError.status === undefined ? bodyStyleError : error;
			}
		}
	};
};
