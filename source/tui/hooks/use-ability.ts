import {useEffect, useMemo} from 'react';
import {useQuery} from '@tanstack/react-query';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {decodeRecord, type Ability} from '../../interface/records.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession} from './service-session.ts';
import {isGone, type ResourceState} from './use-resource.ts';

type AbilityState = {
	/** The newest that is known: what the service returned for it alone, with what the list has shown since; `undefined` if it is in neither, or was deleted. */
	readonly ability: Ability | undefined;
	readonly isReading: boolean;
	/** Why the newest attempt to read it failed. */
	readonly error: SwitchboardError | undefined;
	/** Reads it now. */
	refresh(): void;
};

/** The cache's key of one ability. */
export const abilityKey = (id: number | undefined) => ['resource', 'abilities', 'one', id] as const;

/** One ability with all that the service shows of it. It is read again when the list shows a change of it. Leaving it cancels the read. */
export const useAbility = (id: number | undefined, list: ResourceState<Ability>): AbilityState => {
	const {client, queryClient} = useServiceSession();
	const listed = list.records?.find(record => record.id === id);
	const isDeleted = isGone(list, id);
	const {data, error, isFetching, refetch} = useQuery({
		queryKey: abilityKey(id),
		async queryFn({signal}) {
			const listedBefore = seenRecords({queryClient}, 'abilities')?.find(record => record.id === id);
			return {whole: await client.getAbility(id!, signal), listed: listedBefore};
		},
		enabled: id !== undefined && !isDeleted,
	}, queryClient);
	const isChanged = data !== undefined && listed !== undefined && data.listed !== listed;
	useEffect(() => {
		if (isChanged) {
			void refetch();
		}
	}, [isChanged, listed]);
	const newest = useMemo(
		() => isChanged ? decodeRecord('abilities', {...data.whole.raw, ...listed.raw}) : data?.whole ?? listed,
		[isChanged, data, listed],
	);
	return {
		ability: isDeleted ? undefined : newest,
		isReading: isFetching,
		error: error === null || isDeleted ? undefined : toSwitchboardError(error),
		refresh() {
			void refetch({cancelRefetch: false});
		},
	};
};
