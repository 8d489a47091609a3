import {useQuery} from '@tanstack/react-query';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {type Ability} from '../../interface/records.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession} from './service-session.ts';

type AbilityState = {
	/** As the service returns it by itself or, until then, as the list has it; `undefined` if neither has it. */
	readonly ability: Ability | undefined;
	readonly isReading: boolean;
	/** Why the newest attempt to read it failed. */
	readonly error: SwitchboardError | undefined;
	/** Reads it now. */
	refresh(): void;
};

/** The cache's key of one ability. */
export const abilityKey = (id: number | undefined) => ['resource', 'abilities', 'one', id] as const;

/** One ability with all that the service shows of it. Leaving it cancels the read. */
export const useAbility = (id: number | undefined): AbilityState => {
	const {client, queryClient} = useServiceSession();
	const {data, error, isFetching, refetch} = useQuery({
		queryKey: abilityKey(id),
		queryFn: async ({signal}) => client.getAbility(id!, signal),
		enabled: id !== undefined,
	}, queryClient);
	const listed = seenRecords({queryClient}, 'abilities')?.find(record => record.id === id);
	return {
		ability: data ?? listed,
		isReading: isFetching,
		error: error === null ? undefined : toSwitchboardError(error),
		refresh() {
			void refetch({cancelRefetch: false});
		},
	};
};
