import {useMemo} from 'react';
import {type Ability, type Agent} from '../../../interface/records.ts';
import {useAbilities} from '../../hooks/use-abilities.ts';
import {useInstalled, type InstalledState} from '../../hooks/use-installed.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {withMark} from '../../state/severity.ts';
import {tiedAbilities, type TiedAbility} from './tied-abilities.ts';

export type TiedAbilities = {
	/** The abilities of an agent; `undefined` if the service doesn't show them. */
	of(agent: Agent): readonly TiedAbility[] | undefined;
	/** Why names or states are missing, in a few words; empty if none are. */
	readonly trouble: string;
	readonly abilities: ResourceState<Ability>;
	readonly installed: InstalledState;
};

const troubleWith = (lists: ReadonlyArray<ResourceState<unknown>>): string => {
	const missing = lists.filter(({records}) => records === undefined);
	if (missing.length === 0) {
		return '';
	}

	return missing.some(({error, isReading}) => error !== undefined && !isReading) ? withMark('error', 'could not be read') : 'reading…';
};

/**
The abilities of these agents, each with its state, from the lists of abilities and of installed abilities. The list of
abilities is read only if an agent has any.
*/
export const useTiedAbilities = (agents: readonly Agent[]): TiedAbilities => {
	const isWanted = agents.some(({abilityIds = []}) => abilityIds.length > 0);
	const abilities = useAbilities(isWanted);
	const installed = useInstalled();
	const of = useMemo(
		() => tiedAbilities({abilities: abilities.records, installed: installed.records, intents: installed.intents}),
		[abilities.records, installed.records, installed.intents],
	);
	return {
		of, trouble: isWanted ? troubleWith([abilities, installed]) : '', abilities, installed,
	};
};
