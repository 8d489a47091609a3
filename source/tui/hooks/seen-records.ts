import {type QueryClient} from '@tanstack/react-query';
import {type Records, type Resource} from '../../interface/records.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';

/** The records of a list as the cache has them, without a request; `undefined` if it has none. */
export const seenRecords = <R extends Resource>({queryClient}: {readonly queryClient: QueryClient}, resource: R): ReadonlyArray<Records[R]> | undefined =>
	queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource))?.records;

type Newest<Record_> = {
	readonly there: readonly Record_[];
	/** Those that were deleted since; an incomplete list shows no deletion. */
	readonly gone: readonly Record_[];
};

/** The newest of these records, by id. */
export const newestOf = <R extends Resource>({queryClient}: {readonly queryClient: QueryClient}, resource: R, records: ReadonlyArray<Records[R]>): Newest<Records[R]> => {
	const list = queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource));
	const byId = new Map(list?.records.map(record => [record.id, record]));
	const isThere = ({id}: Records[R]): boolean => !list?.isComplete || byId.has(id);
	return {
		there: records.filter(record => isThere(record)).map(record => byId.get(record.id) ?? record),
		gone: records.filter(record => !isThere(record)),
	};
};
