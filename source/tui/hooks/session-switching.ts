import {type QueryClient} from '@tanstack/react-query';
import {type Client} from '../../client/client.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {createThrottle} from '../terminal/throttle.ts';
import {changeList, resourceKeys, type SeenList} from './list-cache.ts';
import {createSwitching, type Switching, type SwitchingOptions} from './switching.ts';
import {createToggleQueue, type ToggleQueue} from './toggle-queue.ts';

export type SessionSwitchingOptions = Omit<SwitchingOptions, 'toggles' | 'shownRecord' | 'isListFresh'> & {
	readonly client: Client;
	readonly queryClient: QueryClient;
	/** Aborted when the session is closed. */
	readonly closing: AbortSignal;
	readAgain(): Promise<void>;
};

/** Answers that come closer together than this are drawn together. */
const answersMilliseconds = 50;

const listKey = resourceKeys.list('installed');

/** Switching in a session: sends requests to the service, and puts its answers into the cached list. */
export const createSessionSwitching = (options: SessionSwitchingOptions): {readonly toggles: ToggleQueue; readonly switching: Switching} => {
	const {client, queryClient, closing, readAgain} = options;
	const list = (): SeenList<InstalledAbility> | undefined => queryClient.getQueryData(listKey);
	const isListFresh = (): boolean => !(list()?.isFromEarlierRun ?? false);
	const isReading = (): boolean => queryClient.isFetching({queryKey: listKey}) > 0;

	/** The records of the list by id: one key may look up thousands. */
	let index: {readonly records: readonly InstalledAbility[]; readonly byId: ReadonlyMap<number, InstalledAbility>} | undefined;

	const find = (id: number): InstalledAbility | undefined => {
		const {records = []} = list() ?? {};
		if (index?.records !== records) {
			index = {records, byId: new Map(records.map(record => [record.id, record]))};
		}

		return index.byId.get(id);
	};

	const refetch = (): void => {
		void queryClient.refetchQueries({queryKey: listKey});
	};

	const toggles = createToggleQueue({
		find,
		isListFresh,
		async setEnabled(installed, isEnabled) {
			const mutation = queryClient.getMutationCache().build(queryClient, {
				mutationKey: ['set-enabled', installed.id],
				mutationFn: async () => client.setEnabled(installed, isEnabled),
			});
			return mutation.execute(undefined);
		},
		settle(settled) {
			if (settled.length === 0) {
				return;
			}

			const byId = new Map(settled.map(record => [record.id, record]));
			const wasReading = isReading();
			void changeList(queryClient, 'installed', records => records.map(record => byId.get(record.id) ?? record));
			if (wasReading && !closing.aborted) {
				refetch();
			}
		},
		readAgain,
		requestList() {
			if (!isReading()) {
				refetch();
			}
		},
		recheckList() {
			if (!isReading() && queryClient.getQueryState(listKey)?.status === 'success') {
				refetch();
			}
		},
		onOutcomes(outcomes) {
			switching.handleOutcomes(outcomes);
		},
		throttle: handle => createThrottle(handle, answersMilliseconds).run,
	});

	const switching = createSwitching({
		...options,
		toggles,
		isListFresh,
		shownRecord(id) {
			const {installed, isWantedEnabled} = toggles.getIntents().get(id) ?? {};
			const record = installed ?? find(id);
			return record && {name: record.name, isEnabled: isWantedEnabled ?? record.isEnabled};
		},
	});

	return {toggles, switching};
};
