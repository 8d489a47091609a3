import {type QueryClient} from '@tanstack/react-query';
import {type ResourceList} from '../../client/client.ts';
import {type Resource} from '../../interface/records.ts';

/** A list of this run, or one that an earlier run stored. */
export type SeenList<Record_> = ResourceList<Record_> & {readonly isFromEarlierRun?: boolean};

/** Keys of the cache. */
export const resourceKeys = {
	list: (resource: Resource) => ['resource', resource, 'list'] as const,
};

type Identified = {readonly id: number};

/** Changes a list at once, after an answer to a write. A read under way is older: it is cancelled. Resolves when it has ended. */
export const changeList = async (queryClient: QueryClient, resource: Resource, change: (records: readonly Identified[]) => readonly Identified[]): Promise<void> => {
	const queryKey = resourceKeys.list(resource);
	const cancelled = queryClient.cancelQueries({queryKey});
	const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
	queryClient.setQueryData<SeenList<Identified>>(
		queryKey,
		// The service's tag is for its own records.
		list => list && {...list, records: change(list.records), entityTag: undefined},
		updatedAt === undefined ? {} : {updatedAt},
	);
	await cancelled;
};
