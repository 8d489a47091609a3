import {type Records, type Resource} from '../../interface/records.ts';
import {resourceKeys, type SeenList, type ServiceSession} from './service-session.ts';

/** The records of a list as they are known now, without asking for them; `undefined` where they are not. */
export const seenRecords = <R extends Resource>({queryClient}: Pick<ServiceSession, 'queryClient'>, resource: R): ReadonlyArray<Records[R]> | undefined =>
	queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource))?.records;
