import {CancelledError, type QueryClient} from '@tanstack/react-query';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {makeRoomForList} from '../../platform/heap-size.ts';
import {type LastSeenLists} from './last-seen-lists.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';
import {type OutsideChanges} from './outside-changes.ts';

export type SessionLists = {
	/** Loads a list, for TanStack Query, and stores it for the next run. */
	load<R extends Resource>(resource: R, signal?: AbortSignal): Promise<SeenList<Records[R]>>;
	/** Reads a list now, instead of a read that may be under way, even if no screen shows it. Rejects if that fails. */
	readAgain(resource: Resource): Promise<void>;
};

type SessionListsOptions = {
	readonly queryClient: QueryClient;
	/** Finds what was changed elsewhere; its client reads. */
	readonly outside: OutsideChanges;
	readonly lastSeenLists: LastSeenLists;
	/** Aborted when the session is closed. */
	readonly closing: AbortSignal;
	/** Called when a list was read. */
	onRead(resource: Resource): void;
	/** Listeners for the list of installed abilities. */
	readonly installed: {
		/** Called when the service has answered, before the cache has the list. */
		onAnswered(): void;
		/** Called once the cache has the list. */
		onRead(): void;
		onUnreadable(error: SwitchboardError): void;
	};
};

/** Reads the lists of a session. */
export const createSessionLists = ({queryClient, outside, lastSeenLists, closing, onRead, installed}: SessionListsOptions): SessionLists => {
	const load: SessionLists['load'] = async <R extends Resource>(resource: R, signal?: AbortSignal) => {
		try {
			const list = await outside.watch(resource, async () => {
				const before = queryClient.getQueryData<SeenList<Records[R]>>(resourceKeys.list(resource));
				const answer: SeenList<Records[R]> = await outside.client.list(resource, signal, before);
				makeRoomForList(answer.records.length);
				if (resource === 'installed') {
					installed.onAnswered();
				}

				// Confirmed, it is of this run.
				return answer.isFromEarlierRun ? {...answer, isFromEarlierRun: false} : answer;
			}, signal);
			if (!closing.aborted) {
				lastSeenLists.store(resource, list);
				onRead(resource);
			}

			if (resource === 'installed') {
				setImmediate(() => {
					// A read that was cancelled meanwhile has not changed the cache, which may be older than a change that failed since.
					if (queryClient.getQueryData(resourceKeys.list('installed')) === list) {
						installed.onRead();
					}
				});
			}

			return list;
		} catch (error) {
			if (resource === 'installed' && !signal?.aborted) {
				installed.onUnreadable(toSwitchboardError(error));
			}

			throw error;
		}
	};

	const readAgain: SessionLists['readAgain'] = async resource => {
		const queryKey = resourceKeys.list(resource);
		await queryClient.cancelQueries({queryKey});
		const updatedAt = (): number | undefined => queryClient.getQueryState(queryKey)?.dataUpdatedAt;
		const updatedBefore = updatedAt();
		// Another write may make it out of date on its way, or its screen may be left: then it is cancelled, which returns the
		// old data, or throws if there was none. The next read begins after this write too.
		while (updatedAt() === updatedBefore && !closing.aborted) {
			try {
				// Otherwise a list from the future, as after the clock was set back, would count as fresh.
				await queryClient.invalidateQueries({queryKey, refetchType: 'none'});
				await queryClient.query({queryKey, queryFn: async () => load(resource, closing), staleTime: 0});
			} catch (error) {
				if (!(error instanceof CancelledError)) {
					throw error;
				}
			}
		}
	};

	return {load, readAgain};
};
