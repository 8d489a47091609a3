import {useMemo} from 'react';
import {type Agent} from '../../interface/records.ts';
import {useResource} from './use-resource.ts';

export type AgentNames = {
	/** The agents that an ability is tied to; `undefined` where that is not known, or not shown by the service. */
	of(abilityId: number | undefined): readonly string[] | undefined;
	/** Another one where another agent has an ability. */
	readonly key: string;
};

const nothingTied: readonly string[] = [];

const namesByAbility = (agents: readonly Agent[]): ReadonlyMap<number, readonly string[]> => {
	const names = new Map<number, readonly string[]>();
	for (const {name, abilityIds = []} of agents) {
		for (const id of abilityIds) {
			names.set(id, [...names.get(id) ?? [], name]);
		}
	}

	return names;
};

/** Which agents have which ability. The agents are read once that is wanted. */
export const useAgentNames = (isWanted: boolean): AgentNames => {
	const {records} = useResource('agents', {isWanted});
	return useMemo(() => {
		const isShown = records?.some(({abilityIds}) => abilityIds !== undefined) ?? false;
		const names = namesByAbility(records ?? []);
		return {
			of: id => isShown && id !== undefined ? names.get(id) ?? nothingTied : undefined,
			key: JSON.stringify([...names]),
		};
	}, [records]);
};
