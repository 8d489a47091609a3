import {type QueryClient} from '@tanstack/react-query';
import {type Records, type Resource} from '../../interface/records.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';

/** The records of a list as the cache has them, without a request; `undefined` if it has none. */
export const seenRecords = <R extends Resource>({queryClient}: {readonly queryClient: QueryClient}, resource: R): ReadonlyArray<Records[R]> | undefined =>
	queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource))?.records;
