import {useMemo} from 'react';
import {type Agent} from '../../interface/records.ts';
import {withMark} from '../state/severity.ts';
import {useResource} from './use-resource.ts';

type AgentNames = {
	/** The agents that use an ability; `undefined` if that is not known yet, or not shown by the service. */
	of(abilityId: number | undefined): readonly string[] | undefined;
	/** The same as text, such as “Hearth, Study”, or why it is not known. */
	textOf(abilityId: number | undefined): string;
	/** Changes when an agent gets or loses an ability. */
	readonly key: string;
};

const noNames: readonly string[] = [];

const namesByAbility = (agents: readonly Agent[]): ReadonlyMap<number, readonly string[]> => {
	const names = new Map<number, readonly string[]>();
	for (const {name, abilityIds = []} of agents) {
		for (const id of abilityIds) {
			names.set(id, [...names.get(id) ?? [], name]);
		}
	}

	return names;
};

/** Which agents use which ability. The agents are read only if `isWanted`. */
export const useAgentNames = (isWanted: boolean): AgentNames => {
	const {records, error, isReading} = useResource('agents', {isWanted});
	const isUnreadable = error !== undefined && !isReading;
	return useMemo(() => {
		const isShown = records?.some(({abilityIds}) => abilityIds !== undefined) ?? false;
		const names = namesByAbility(records ?? []);
		const of = (id: number | undefined): readonly string[] | undefined => isShown && id !== undefined ? names.get(id) ?? noNames : undefined;
		return {
			of,
			textOf(id) {
				const found = records?.length === 0 ? noNames : of(id);
				if (found !== undefined) {
					return found.length === 0 ? 'none' : found.join(', ');
				}

				if (records === undefined) {
					return isUnreadable ? withMark('error', 'could not be read') : 'reading…';
				}

				return 'not shown by this service';
			},
			key: JSON.stringify([...names]),
		};
	}, [records, isUnreadable]);
};
