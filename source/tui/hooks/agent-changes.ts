import {type AgentChanges} from '../../client/client.ts';
import {type JsonObject} from '../../interface/json.ts';
import {decodeRecord, type Agent} from '../../interface/records.ts';
import {type Conflict} from './checked-save.ts';

const fields = ['name', 'prompt', 'abilityIds'] as const satisfies ReadonlyArray<keyof AgentChanges>;

type Field = (typeof fields)[number];

/**
The editable fields of an agent, as the service returned them: these are edited, compared and sent back, never the cleaned
text of the screen. A field is `undefined` if the service does not show it.
*/
export const originalOf = ({raw, abilityIds}: Agent): AgentChanges => ({
	name: typeof raw['name'] === 'string' ? raw['name'] : undefined,
	prompt: typeof raw['description'] === 'string' ? raw['description'] : undefined,
	abilityIds,
});

const isSame = (first: AgentChanges[Field], second: AgentChanges[Field]): boolean => {
	if (first === undefined || second === undefined || typeof first === 'string' || typeof second === 'string') {
		return first === second;
	}

	const ids = new Set(first);
	return ids.symmetricDifference(new Set(second)).size === 0;
};

const changedFields = (changes: AgentChanges): readonly Field[] => fields.filter(field => changes[field] !== undefined);

/** True if an agent already has the changes; `undefined` if the service does not show all changed fields. */
export const isAsChanged = (agent: Agent, changes: AgentChanges): boolean | undefined => {
	const original = originalOf(agent);
	const changed = changedFields(changes);
	return changed.some(field => original[field] === undefined) ? undefined : changed.every(field => isSame(original[field], changes[field]));
};

const subjects: Readonly<Record<Field, string>> = {name: 'the name', prompt: 'the prompt', abilityIds: 'the abilities'};

/** What changes change, such as “the name of Hearth”. */
export const subjectOf = ({name}: Agent, changes: AgentChanges): string =>
	`${changedFields(changes).map(field => subjects[field]).join(' and ')} of ${name}`;

/** Finds a changed field that somebody else changed since the agent was seen. */
export const conflictBetween = (seen: Agent, newest: Agent, changes: AgentChanges): Conflict | undefined => {
	const before = originalOf(seen);
	const now = originalOf(newest);
	// What the service does not show may be what was saved last and has been on the screen since.
	const field = changedFields(changes).find(name => now[name] !== undefined && !isSame(before[name], now[name]));
	return field && {field, message: `Somebody else changed ${subjects[field]} of ${newest.name} in the meantime.`};
};

/** What an agent had before the changes; `undefined` if the service did not show all of it. */
export const formerOf = (before: Agent, changes: AgentChanges): AgentChanges | undefined => {
	const original = originalOf(before);
	const former = changedFields(changes).map(field => [field, original[field]] as const);
	return former.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(former);
};

/** Such as “1 ability”. */
export const abilityCountText = (count: number): string => count === 0 ? 'no abilities' : (count === 1 ? '1 ability' : `${count} abilities`);

/** Such as “the agent is called Hearth again.” */
export const undoneText = ({name: agentName}: Agent, {name, prompt, abilityIds}: AgentChanges): string => {
	if (name !== undefined) {
		return `the agent is called ${name} again.`;
	}

	return prompt === undefined
		? `${agentName} has ${abilityCountText(abilityIds?.length ?? 0)} again.`
		: `${agentName} has its previous prompt again.`;
};

/**
The agent after an edit, as the list will show it: if the list shows no ties, those that were just sent are hidden too. The
next edit would take them for all ties.
*/
export const asListed = (edited: Agent, listed: Agent): Agent => {
	if (listed.abilityIds !== undefined) {
		return edited;
	}

	const {matching_capabilities: _, ...raw} = edited.raw;
	return decodeRecord('agents', raw) ?? edited;
};

/** The agent with the changes, cleaned for the screen. */
export const withChanges = (agent: Agent, {name, prompt, abilityIds}: AgentChanges): Agent => {
	const raw: JsonObject = {
		...agent.raw,
		...(name !== undefined && {name}),
		...(prompt !== undefined && {description: prompt}),
		...(abilityIds !== undefined && {matching_capabilities: abilityIds}),
	};
	return decodeRecord('agents', raw) ?? agent;
};
