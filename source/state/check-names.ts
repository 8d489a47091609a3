import {nameIdentity} from '../interface/name-index.ts';
import {cleanName} from '../interface/records.ts';
import {nameProblems} from './field-problems.ts';
import {type Problem} from './problems.ts';
import {type AgentEntry, type NamedPlace} from './state.ts';

const repetition = (name: string, {name: earlier, place: {line}}: NamedPlace): string => name === earlier
	? `“${cleanName(name)}” is here twice, first in line ${line}.`
	: `“${cleanName(name)}” is the same name as “${cleanName(earlier)}” in line ${line}.`;

/** Problems with names that must differ, in any case (`CONTRACT.md`, Commands), each from those before it. */
export const checkNames = (names: readonly NamedPlace[]): readonly Problem[] => {
	const first = new Map<string, NamedPlace>();
	return names.flatMap((named): readonly Problem[] => {
		const {name, place} = named;
		const problems = nameProblems(name);
		if (problems.length > 0) {
			return problems.map(message => ({place, message}));
		}

		const earlier = first.get(nameIdentity(name));
		first.set(nameIdentity(name), earlier ?? named);
		return earlier === undefined ? [] : [{place, message: repetition(name, earlier)}];
	});
};

/** Problems with new names: after `apply`, each agent must still be the one that its key or its new name means. */
export const checkNewNames = (agents: readonly AgentEntry[]): readonly Problem[] => {
	const owners = new Map(agents.map(agent => [nameIdentity(agent.key), agent]));
	return agents.flatMap((agent): readonly Problem[] => {
		if (agent.name === undefined || nameIdentity(agent.name) === '') {
			return [];
		}

		const own = nameIdentity(agent.name);
		const owner = owners.get(own) ?? agent;
		owners.set(own, owner);
		return owner === agent
			? []
			: [{place: agent.place, message: `“${cleanName(agent.key)}” cannot be renamed “${cleanName(agent.name)}”: that is the name of another agent, in line ${owner.place.line}.`}];
	});
};
