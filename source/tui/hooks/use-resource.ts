import {useQuery} from '@tanstack/react-query';
import {useCallback, useEffect, useMemo, useSyncExternalStore} from 'react';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {decodeRecord, type Ability, type Agent, type InstalledAbility, type Records, type Resource} from '../../interface/records.ts';
import type {Timer} from '../../interface/timers.ts';
import {withMark} from '../../words/signs.ts';
import {clock} from '../../words/age.ts';
import {resourceKeys} from './list-cache.ts';
import type {OutsideState} from './outside-changes.ts';
import {useServiceSession} from './service-session.ts';
import {isShownEnabled, type SwitchIntents} from './switching.ts';
import {shownTimer} from './timers.ts';
import {undoEarlier} from './undo-earlier.ts';

export type ResourceState<Record_> = {
	/** `undefined` if there is nothing to show yet, not even from an earlier run. */
	readonly records: readonly Record_[] | undefined;
	readonly leftOutCount: number;
	readonly isComplete: boolean;
	/** True while the records come from an earlier run's store. */
	readonly isFromEarlierRun: boolean;
	/** When the service last confirmed them, in milliseconds since the epoch. */
	readonly asOf: number;
	readonly isReading: boolean;
	/** Why the newest attempt to read it failed. */
	readonly error: SwitchboardError | undefined;
	/** When it is read again automatically after a failure, in milliseconds since the epoch; `undefined` if it is not, or is being read. */
	readonly nextTryAt: number | undefined;
	/** Reads it now, for a key; resolves with the reason if that failed. */
	refresh(): Promise<SwitchboardError | undefined>;
};

/** Tells whether a completely read list lacks a record, because it was deleted. */
export function isGone<Record_ extends {readonly id: number}>(
	{records, isComplete}: ResourceState<Record_>,
	id: number | undefined,
): boolean {
	return id !== undefined && records !== undefined && isComplete && records.every(record => record.id !== id);
}

/**
Returns a list of the service, shared by all callers, and polled while it is on the screen.

@param options.isWanted - false to read only the cache.
*/
export function useResource<R extends Resource>(
	resource: R,
	{isWanted = true}: {readonly isWanted?: boolean} = {},
): ResourceState<Records[R]> {
	const session = useServiceSession();
	const {changeFeed} = session.records;
	const pollInterval = useSyncExternalStore(changeFeed.subscribe, changeFeed.pollInterval);
	const query = useQuery(
		{
			queryKey: resourceKeys.list(resource),
			queryFn: async ({signal}) => session.records.load(resource, signal),
			enabled: isWanted,
			refetchInterval: pollInterval,
			refetchIntervalInBackground: true,
		},
		session.records.queryClient,
	);
	const {data, error, errorUpdatedAt, isFetching, dataUpdatedAt, refetch} = query;
	// The query's interval begins anew with these, and with each answer.
	const polledSince = useMemo(() => Date.now(), [pollInterval]);
	return {
		records: data?.records,
		leftOutCount: data?.leftOutCount ?? 0,
		isComplete: data?.isComplete ?? true,
		isFromEarlierRun: data?.isFromEarlierRun ?? false,
		asOf: dataUpdatedAt,
		isReading: isFetching,
		error: error === null ? undefined : toSwitchboardError(error),
		nextTryAt: error !== null && pollInterval !== false && !isFetching ? Math.max(errorUpdatedAt, polledSince) + pollInterval : undefined,
		async refresh() {
			// Reads from a service that is down would fail.
			const {error: reason} = await refetch({cancelRefetch: session.startAgain()});
			return reason === null ? undefined : toSwitchboardError(reason);
		},
	};
}

/** Returns the agents of the account. */
export function useAgents(): ResourceState<Agent> {
	return useResource('agents');
}

/** Returns the abilities of the account; requested only if `isWanted`. */
export function useAbilities(isWanted = true): ResourceState<Ability> {
	return useResource('abilities', {isWanted});
}

export type InstalledState = ResourceState<InstalledAbility> & {
	readonly intents: SwitchIntents;
	/** Returns the timer on the screen: the last one requested, or the service's. */
	readonly timerOf: (record: InstalledAbility) => Timer | undefined;
	readonly enabledCount: number;
	/** The number of abilities whose state the service does not show. */
	readonly hiddenCount: number;
};

/** Returns the installed abilities of the account, with the changes under way. */
export function useInstalled(): InstalledState {
	const {queue} = useServiceSession().changes;
	const state = useResource('installed');
	const intents = useSyncExternalStore(queue.subscribe, () => queue.intents('installed', 'enabled'));
	const timerIntents = useSyncExternalStore(queue.subscribe, () => queue.intents('installed', 'timer'));
	const timerOf = useCallback(
		(record: InstalledAbility) => shownTimer(record, intents.get(record.id) ?? timerIntents.get(record.id)),
		[intents, timerIntents],
	);
	const {records} = state;
	const counts = useMemo(() => {
		const states = (records ?? []).map(record => isShownEnabled(record, intents));
		return {
			enabledCount: states.filter(isEnabled => isEnabled === true).length,
			hiddenCount: states.filter(isEnabled => isEnabled === undefined).length,
		};
	}, [records, intents]);
	return {...state, ...counts, intents, timerOf};
}

/**
Returns one ability with everything that the service shows of it. It is read again when the list shows a change. Leaving it cancels the
read.
*/
export function useAbility(id: number | undefined, list: ResourceState<Ability>) {
	const {client, queryClient, seen} = useServiceSession().records;
	const listed = list.records?.find(record => record.id === id);
	const isDeleted = isGone(list, id);
	const {data, error, isFetching, refetch} = useQuery(
		{
			queryKey: resourceKeys.ability(id),
			async queryFn({signal}) {
				const listedBefore = seen('abilities')?.find(record => record.id === id);
				return {whole: await client.getAbility(id!, signal), listed: listedBefore};
			},
			enabled: id !== undefined && !isDeleted,
		},
		queryClient,
	);
	const isChanged = data !== undefined && listed !== undefined && data.listed !== listed;
	useEffect(() => {
		if (isChanged) {
			void refetch();
		}
	}, [isChanged, listed]);
	const newest = useMemo(
		() => (isChanged ? decodeRecord('abilities', {...data.whole.raw, ...listed.raw}) : (data?.whole ?? listed)),
		[isChanged, data, listed],
	);
	return {
		/**
		The newest known record: the service's answer for it, with later changes in the list; `undefined` if it is in neither, or was
		deleted.
		*/
		ability: isDeleted ? undefined : newest,
		isReading: isFetching,
		error: error === null || isDeleted ? undefined : toSwitchboardError(error),
		refresh(): void {
			void refetch({cancelRefetch: false});
		},
	};
}

const noNames: readonly string[] = [];

/** Returns the agents that use each ability. The agents are read only if `isWanted`. */
export function useAgentNames(isWanted: boolean) {
	const {records, error, isReading} = useResource('agents', {isWanted});
	const isUnreadable = error !== undefined && !isReading;
	return useMemo(() => {
		const isShown = records?.some(({abilityIds}) => abilityIds !== undefined) ?? false;
		const names = namesByAbility(records ?? []);
		const of = (id: number | undefined): readonly string[] | undefined =>
			records?.length === 0 ? noNames : isShown && id !== undefined ? (names.get(id) ?? noNames) : undefined;
		return {
			/** The agents that use an ability; `undefined` if they are not known yet, or not shown by the service. */
			of,
			/** The agents as text, such as “Hearth, Study”, or the reason why they are not known. */
			textOf(id: number | undefined): string {
				const found = of(id);
				if (found !== undefined) {
					return found.length === 0 ? 'none' : found.join(', ');
				}

				if (records === undefined) {
					return isUnreadable ? withMark('error', 'could not be read') : 'reading…';
				}

				return 'not shown by this service';
			},
			/** Whether the service shows them; `undefined` until that is known. */
			areShown: records === undefined ? undefined : isShown || records.length === 0,
			/** Changes when an agent gets or loses an ability. */
			key: JSON.stringify([...names]),
		};
	}, [records, isUnreadable]);
}

/** Returns the names of the agents that use each ability, by its id. */
export function namesByAbility(agents: readonly Agent[]): ReadonlyMap<number, readonly string[]> {
	const names = new Map<number, readonly string[]>();
	for (const {name, abilityIds = []} of agents) {
		for (const id of abilityIds) {
			names.set(id, [...(names.get(id) ?? []), name]);
		}
	}

	return names;
}

export function useOutsideChanges(): OutsideState {
	const {outside} = useServiceSession().changes;
	return useSyncExternalStore(outside.subscribe, outside.getState);
}

/** Returns a function for the authors of changes elsewhere: a text such as “by anna, 12:03”, empty if the author is not known. */
export function useChangers(): (resource: Resource, id: number, now: number) => string {
	const {
		changes,
		account: {timeZone},
	} = useServiceSession();
	const {whoChanged} = changes;
	const changers = useSyncExternalStore(whoChanged.subscribe, whoChanged.get);
	return (resource, id, now) => {
		const changer = changers[resource].get(id);
		return changer === undefined ? '' : `by ${changer.by}, ${clock(changer.at, now, timeZone.zone)}`;
	};
}

/**
Returns the verbs for switching, with retry, and for undo and redo of anything done in this session. A change shows at once, and settles or
is reverted when the service answers.
*/
export function useToggle() {
	const session = useServiceSession();
	const {switching, timers, undoHistory} = session.changes;
	const failures = useSyncExternalStore(switching.subscribe, switching.getFailures);
	return {
		...switching,
		timers,
		/** Returns false if there is nothing to undo, even in earlier sessions. */
		undo: (): boolean => undoHistory.undo() || undoEarlier(session),
		redo: undoHistory.redo,
		failures,
	};
}

export type Toggle = ReturnType<typeof useToggle>;
