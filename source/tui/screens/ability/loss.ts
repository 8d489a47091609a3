import {type Ability, type Agent, type InstalledAbility} from '../../../interface/records.ts';

/** The agents, as far as they are known: being read, or not to be read. */
export type KnownAgents = readonly Agent[] | 'reading' | 'unreadable';

type InstalledOf = (ability: Ability) => InstalledAbility | undefined;

const stateText = ({id, isEnabled}: InstalledAbility): string => `installed record ${id}, which is ${isEnabled ? 'on' : 'off'}`;

const usersOf = (ability: Ability, agents: readonly Agent[]): readonly string[] =>
	agents.filter(({abilityIds}) => abilityIds?.includes(ability.id)).map(({name}) => name);

const areTiesShown = (agents: readonly Agent[]): boolean => agents.every(({abilityIds}) => abilityIds !== undefined);

const agentsText = (agents: KnownAgents): string | undefined => {
	if (agents === 'reading') {
		return 'Looking which agents have it…';
	}

	if (agents === 'unreadable') {
		return 'Which agents would lose it could not be read.';
	}

	return areTiesShown(agents) ? undefined : 'Agents that have it lose it; this service does not show which.';
};

const lossOfOne = (ability: Ability, installedOf: InstalledOf, agents: KnownAgents): readonly string[] => {
	const installed = installedOf(ability);
	const users = typeof agents === 'string' ? [] : usersOf(ability, agents);
	const general = agentsText(agents);
	return [
		...(installed === undefined ? [] : [`Its ${stateText(installed)}, goes with it.`]),
		...(users.length === 0 ? [] : [`${users.join(', ')} would lose it.`]),
		...(general === undefined ? [] : [general]),
		...(installed === undefined && users.length === 0 && general === undefined ? ['It is not installed, and no agent has it.'] : []),
	];
};

/** What goes with abilities that are deleted, in lines for the question before. */
export const lossLines = (abilities: readonly Ability[], installedOf: InstalledOf, agents: KnownAgents): readonly string[] => {
	const [only] = abilities;
	if (abilities.length === 1 && only !== undefined) {
		return lossOfOne(only, installedOf, agents);
	}

	const general = agentsText(agents);
	return [
		...abilities.map(ability => {
			const installed = installedOf(ability);
			const users = typeof agents === 'string' ? [] : usersOf(ability, agents);
			return `${ability.name} (${ability.id})${installed === undefined ? '' : `, with its ${stateText(installed)}`}${users.length === 0 ? '' : `; ${users.join(', ')} would lose it`}`;
		}),
		...(general === undefined ? [] : [general]),
	];
};
