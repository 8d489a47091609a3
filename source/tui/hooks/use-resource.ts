import {createContext, useContext, useSyncExternalStore} from 'react';
import {useQuery} from '@tanstack/react-query';
import {rarePollMilliseconds} from '../../client/follow-changes.ts';
import {type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {pollMilliseconds} from './query-client.ts';
import {resourceKeys} from './list-cache.ts';
import {useServiceSession} from './service-session.ts';

/** False while something is typed, asked or pending, and while the UI is idle: lists are not polled then. */
export const PollingContext = createContext(true);

export type ResourceState<Record_> = {
	/** `undefined` if there is nothing to show yet, not even from an earlier run. */
	readonly records: readonly Record_[] | undefined;
	readonly leftOutCount: number;
	readonly isComplete: boolean;
	/** True while the records are those that an earlier run stored. */
	readonly isFromEarlierRun: boolean;
	/** When the service last confirmed them, in milliseconds since the epoch. */
	readonly asOf: number;
	readonly isReading: boolean;
	/** Why the newest attempt to read it failed. */
	readonly error: SwitchboardError | undefined;
	/** Reads it now, for a key; resolves with the reason if that failed. */
	refresh(): Promise<SwitchboardError | undefined>;
};

/** True if a list that was read whole lacks a record: it was deleted. */
export const isGone = <Record_ extends {readonly id: number}>({records, isComplete}: ResourceState<Record_>, id: number | undefined): boolean =>
	id !== undefined && records !== undefined && isComplete && records.every(record => record.id !== id);

/**
A list of the service, shared by all callers, and polled while it is on the screen.

@param options.isWanted - false to read the cache alone.
*/
export const useResource = <R extends Resource>(resource: R, {isWanted = true}: {readonly isWanted?: boolean} = {}): ResourceState<Records[R]> => {
	const session = useServiceSession();
	const isPolled = useContext(PollingContext);
	const isTold = useSyncExternalStore(session.changeFeed.subscribe, session.changeFeed.isOpen);
	const intervalMilliseconds = isTold ? rarePollMilliseconds : pollMilliseconds;
	const query = useQuery({
		queryKey: resourceKeys.list(resource),
		queryFn: async ({signal}) => session.load(resource, signal),
		enabled: isWanted,
		refetchInterval: isPolled ? intervalMilliseconds : false,
		refetchIntervalInBackground: true,
	}, session.queryClient);
	const {data, error, isFetching, dataUpdatedAt, refetch} = query;
	return {
		records: data?.records,
		leftOutCount: data?.leftOutCount ?? 0,
		isComplete: data?.isComplete ?? true,
		isFromEarlierRun: data?.isFromEarlierRun ?? false,
		asOf: dataUpdatedAt,
		isReading: isFetching,
		error: error === null ? undefined : toSwitchboardError(error),
		async refresh() {
			// What is being read from a service that is down fails.
			const {error: reason} = await refetch({cancelRefetch: session.startAgain()});
			return reason === null ? undefined : toSwitchboardError(reason);
		},
	};
};
