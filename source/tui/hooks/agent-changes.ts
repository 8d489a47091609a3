import {type AgentChanges} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {type JsonObject} from '../../interface/json.ts';
import {decodeRecord, type Agent} from '../../interface/records.ts';

type Field = keyof AgentChanges;

const fields = ['name', 'prompt', 'abilityIds'] as const satisfies readonly Field[];

/**
What can be changed of an agent, as the service returned it: this is what is edited, compared and sent back, never the
cleaned text of the screen. `undefined` where the service does not show it.
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

/** True where the agent is what the changes would make of it. Never of what the service does not show. */
export const isAsChanged = (agent: Agent, changes: AgentChanges): boolean => {
	const original = originalOf(agent);
	return changedFields(changes).every(field => isSame(original[field], changes[field]));
};

/** True where the service shows all that the changes change. */
export const isShown = (agent: Agent, changes: AgentChanges): boolean => {
	const original = originalOf(agent);
	return changedFields(changes).every(field => original[field] !== undefined);
};

const wasChanged: Readonly<Record<Field, string>> = {
	name: 'The name of',
	prompt: 'The prompt of',
	abilityIds: 'What is tied to',
};

/**
Refuses changes that were made on the grounds of something that is not so any more.

@throws SwitchboardError `conflict`
*/
export const refuseConflict = (seen: Agent, newest: Agent, changes: AgentChanges): void => {
	const before = originalOf(seen);
	const now = originalOf(newest);
	// What the service does not show may be what was saved last and stood on the screen since.
	const field = changedFields(changes).find(name => now[name] !== undefined && !isSame(before[name], now[name]));
	if (field !== undefined) {
		throw new SwitchboardError('conflict', `${wasChanged[field]} ${newest.name} was changed on the service meanwhile.`, {field});
	}
};

/**
The agent after an edit, as the list will have it: where the list shows no ties, those that were just sent are not shown
either. They would look like all that is tied, and be taken for it by the next edit.
*/
export const asListed = (edited: Agent, listed: Agent): Agent => {
	if (listed.abilityIds !== undefined) {
		return edited;
	}

	const {matching_capabilities: _, ...raw} = edited.raw;
	return decodeRecord('agents', raw) ?? edited;
};

/** The agent as the changes would make it, fit for the screen like any other. */
export const withChanges = (agent: Agent, {name, prompt, abilityIds}: AgentChanges): Agent => {
	const raw: JsonObject = {
		...agent.raw,
		...(name !== undefined && {name}),
		...(prompt !== undefined && {description: prompt}),
		...(abilityIds !== undefined && {matching_capabilities: abilityIds}),
	};
	return decodeRecord('agents', raw) ?? agent;
};
