import {CancelledError, type QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import type {KeyLimits} from '../../interface/key-rights.ts';
import type {InstalledAbility, Records, Resource} from '../../interface/records.ts';
import {makeRoomForList} from '../../platform/engine.ts';
import {resourceKeys, type ListCache, type SeenList} from './list-cache.ts';
import type {OutsideChanges} from './outside-changes.ts';
import type {SwitchCheck} from './switch-check.ts';

/* Reads the lists of a session, for TanStack Query or at once. The session decides what a list means for the changes under way. */

type ListReaderOptions = {
	readonly client: Pick<Client, 'list' | 'getKeyLimits'>;
	readonly queryClient: QueryClient;
	readonly cache: ListCache;
	readonly outside: Pick<OutsideChanges, 'watch'>;
	readonly closing: AbortSignal;
	/** Begins to check the switches with a list that is about to be requested. */
	beginSwitchCheck(): ReturnType<SwitchCheck>;
	onKeyLimits(limits: KeyLimits | undefined): void;
	/** Called with each list that has come, before it is compared with the one before. */
	onAnswer(resource: Resource): void;
	/** Called with each list of the service once it has been compared. */
	onRead(resource: Resource, list: SeenList<Records[Resource]>): void;
	/** Called with the switches that a list of installed abilities denies, once the screens have that list. */
	onShown(denied: ReturnType<ReturnType<SwitchCheck>>['denied']): void;
	/** Called if a list of installed abilities cannot be read. */
	onUnreadable(error: SwitchboardError): void;
};

export function createListReader({client, queryClient, cache, outside, closing, ...options}: ListReaderOptions) {
	/** Loads a list for TanStack Query. */
	const load = async <R extends Resource>(resource: R, signal?: AbortSignal): Promise<SeenList<Records[R]>> => {
		const checkSwitches = resource === 'installed' ? options.beginSwitchCheck() : undefined;
		let checked: ReturnType<NonNullable<typeof checkSwitches>> | undefined;
		const read = async (): Promise<SeenList<Records[R]>> => {
			const answer: SeenList<Records[R]> = await client.list(resource, signal, cache.listOf(resource));
			options.onKeyLimits(await client.getKeyLimits());
			makeRoomForList(answer.records.length);
			options.onAnswer(resource);
			checked = checkSwitches?.(answer.records as readonly InstalledAbility[]);
			const kept = checked?.kept ?? new Map<number, unknown>();
			if (kept.size > 0) {
				// The service's tag belongs to the service's records.
				return {
					...answer,
					records: answer.records.map(record => (kept.get(record.id) as Records[R] | undefined) ?? record),
					entityTag: undefined,
				};
			}

			// Once confirmed, the list counts as this run's.
			return answer.isFromEarlierRun ? {...answer, isFromEarlierRun: false} : answer;
		};

		try {
			const list = await outside.watch(resource, read, signal);
			if (!closing.aborted) {
				options.onRead(resource, list);
			}

			if (resource === 'installed') {
				setImmediate(() => {
					// A cancelled read has not changed the cache, which may be older than a change that has failed since.
					if (cache.listOf(resource) === list) {
						options.onShown(checked?.denied ?? []);
					}
				});
			}

			return list;
		} catch (error) {
			if (resource === 'installed' && !signal?.aborted) {
				options.onUnreadable(toSwitchboardError(error));
			}

			throw error;
		}
	};

	return {
		load,
		/** Reads a list now, instead of a read that may be under way, even if no screen shows it. Rejects if that fails. */
		async readAgain(resource: Resource): Promise<void> {
			const queryKey = resourceKeys.list(resource);
			await queryClient.cancelQueries({queryKey});
			const updatedAt = (): number | undefined => queryClient.getQueryState(queryKey)?.dataUpdatedAt;
			const updatedBefore = updatedAt();
			// Another write may cancel the read because it is out of date, or its screen may be left: the old data is then returned, or an
			// error thrown if there is none. The next read begins after this write too.
			while (updatedAt() === updatedBefore && !closing.aborted) {
				try {
					// Otherwise a list from the future, for example after the clock was set back, would count as fresh.
					await queryClient.invalidateQueries({queryKey, refetchType: 'none'});
					await queryClient.query({queryKey, queryFn: async () => load(resource, closing), staleTime: 0});
				} catch (error) {
					if (!(error instanceof CancelledError)) {
						throw error;
					}
				}
			}
		},
	};
}
