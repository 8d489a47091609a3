import {type Client, type ResourceList} from '../../client/client.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {createObservable, type Observable} from '../observable.ts';
import {compareLists, type Change} from './list-changes.ts';
import {createOwnWrites} from './own-writes.ts';

type Ids = Readonly<Record<Resource, ReadonlySet<number>>>;

/** What was changed elsewhere, by the ids of the records. */
export type OutsideState = {
	/** Those that are still highlighted. */
	readonly signs: Ids;
	/** Those that were changed since the session began. */
	readonly changed: Ids;
};

export type OutsideChanges = Pick<Observable<OutsideState>, 'subscribe'> & {
	/** The client to use, so that changes made here are recognized. */
	readonly client: Client;
	getState(): OutsideState;
	/** Loads a list and compares it with the known one. */
	watch<R extends Resource>(resource: R, load: () => Promise<ResourceList<Records[R]>>, signal?: AbortSignal): Promise<ResourceList<Records[R]>>;
	/** The cursor has passed these records: they have been seen. */
	pass(resource: Resource, ids: readonly number[]): void;
	close(): void;
};

export type OutsideChangesOptions = {
	readonly client: Client;
	/** The list of this run that the screens show; `undefined` if there is none to compare with. */
	knownList<R extends Resource>(resource: R): ResourceList<Records[R]> | undefined;
	/** Called with what was changed elsewhere, once for each list that differs. */
	onChanged(changes: readonly Change[]): void;
};

/** How long a record is highlighted unless the cursor passes it. */
export const signMilliseconds = 10_000;

const nothing: Ids = {agents: new Set(), abilities: new Set(), installed: new Set()};

/** Finds what was changed elsewhere, whenever a list is read. */
export const createOutsideChanges = ({client, knownList, onChanged}: OutsideChangesOptions): OutsideChanges => {
	const ownWrites = createOwnWrites(client);
	const timers = new Set<NodeJS.Timeout>();
	const state = createObservable<OutsideState>({signs: nothing, changed: nothing});

	const takeSigns = (resource: Resource, ids: readonly number[]): void => {
		const {signs, changed} = state.get();
		const left = signs[resource].difference(new Set(ids));
		if (left.size < signs[resource].size) {
			state.set({changed, signs: {...signs, [resource]: left}});
		}
	};

	const handleChanges = (resource: Resource, changes: readonly Change[]): void => {
		if (changes.length === 0) {
			return;
		}

		const ids = changes.filter(({kind}) => kind !== 'removed').map(({id}) => id);
		const {signs, changed} = state.get();
		state.set({
			signs: {...signs, [resource]: signs[resource].union(new Set(ids))},
			changed: {...changed, [resource]: changed[resource].union(new Set(ids))},
		});
		const timer = setTimeout(() => {
			timers.delete(timer);
			takeSigns(resource, ids);
		}, signMilliseconds);
		timer.unref();
		timers.add(timer);
		onChanged(changes);
	};

	return {
		client: ownWrites.client,
		getState: state.get,
		subscribe: state.subscribe,
		async watch(resource, load, signal) {
			const askedAt = ownWrites.now();
			const list = await load();
			if (!signal?.aborted) {
				const known = knownList(resource);
				const changes = known === undefined ? [] : compareLists(resource, known, list).filter(change => !ownWrites.explain(change));
				ownWrites.handleList(resource, askedAt);
				handleChanges(resource, changes);
			}

			return list;
		},
		pass: takeSigns,
		close() {
			for (const timer of timers) {
				clearTimeout(timer);
			}
		},
	};
};
