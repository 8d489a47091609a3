import type {QueryClient} from '@tanstack/react-query';
import type {Values} from '../../changes/fields.ts';
import {ChangeQueue, type Outcome} from '../../changes/queue.ts';
import type {RecordedClient} from '../../changes/recorded-client.ts';
import type {AbilityChanges, AgentChanges, Client, InstalledChanges} from '../../client/client.ts';
import {decodeRecord, type Ability, type Agent, type InstalledAbility, type Records, type Resource} from '../../interface/records.ts';
import {createThrottle} from '../../platform/timers.ts';
import {changeList, queueKey, resourceKeys, type ListCache} from './list-cache.ts';

/** Answers within this time are drawn together. */
const answersMilliseconds = 50;

type SessionQueueOptions = {
	readonly client: Client;
	readonly recorded: Pick<RecordedClient, 'newGroup' | 'within'>;
	readonly queryClient: QueryClient;
	readonly cache: ListCache;
	readonly closing: AbortSignal;
	readAgain(resource: Resource): Promise<void>;
	onOutcomes(outcomes: readonly Outcome[]): void;
};

/** Returns the queue of a session's changes: their records are in the cache of TanStack Query, and each request is a mutation there. */
export function createSessionQueue({
	client,
	recorded,
	queryClient,
	cache,
	closing,
	readAgain,
	onOutcomes,
}: SessionQueueOptions): ChangeQueue {
	const refetch = (resource: Resource): void => {
		void queryClient.refetchQueries({queryKey: resourceKeys.list(resource)});
	};

	return new ChangeQueue({
		find: cache.find,
		isListFresh: cache.isFresh,
		async send(resource, record, values, group = recorded.newGroup()) {
			const mutation = queryClient
				.getMutationCache()
				.build(queryClient, {
					mutationKey: [queueKey, resource, record.id],
					mutationFn: async () => recorded.within(group, async () => sendValues(client, resource, record, values)),
				});
			return mutation.execute(undefined);
		},
		settle(resource, settled) {
			const byId = new Map(settled.map(record => [record.id, record]));
			const wasReading = cache.isReading(resource);
			void changeList(queryClient, resource, records => records.map(record => byId.get(record.id) ?? record));
			if (wasReading && !closing.aborted) {
				refetch(resource);
			}
		},
		readAgain,
		requestList(resource) {
			if (!cache.isReading(resource)) {
				refetch(resource);
			}
		},
		recheckList(resource) {
			if (!cache.isReading(resource) && queryClient.getQueryState(resourceKeys.list(resource))?.status === 'success') {
				refetch(resource);
			}
		},
		onOutcomes,
		throttle: handle => createThrottle(handle, answersMilliseconds).run,
	});
}

/**
Sends values of a record; other fields stay as they are in it.

@returns the record as the answer shows it, or as it was sent. Ties of an agent that the list does not show are left out: the next edit
would take them for all.
*/
async function sendValues(client: Client, resource: Resource, record: Records[Resource], values: Values): Promise<Records[Resource]> {
	if (resource === 'abilities') {
		return client.editAbility(record as Ability, values as AbilityChanges);
	}

	if (resource === 'installed') {
		return client.editInstalled(record as InstalledAbility, values as InstalledChanges);
	}

	const edited = await client.editAgent(record as Agent, values as AgentChanges);
	if ((record as Agent).abilityIds !== undefined) {
		return edited;
	}

	const {matching_capabilities: _, ...raw} = edited.raw;
	return decodeRecord('agents', raw) ?? edited;
}
