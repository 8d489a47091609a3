import type {AbilityChanges, AgentChanges} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonValue} from '../interface/json.ts';
import {decodeRecord, hasMorePhrases, type Ability, type Agent, type InstalledAbility} from '../interface/records.ts';

/* Whether a record has the changes that were sent: in an answer, and in a list that was read after an answer was lost. */

/** The agent with the changes, cleaned for the screen. */
export const withChanges = (agent: Agent, {name, prompt, abilityIds}: AgentChanges): Agent =>
	decodeRecord('agents', {
		...agent.raw,
		...(name !== undefined && {name}),
		...(prompt !== undefined && {description: prompt}),
		...(abilityIds !== undefined && {matching_capabilities: abilityIds}),
	}) ?? agent;

/** Services may trim a text, and a form changes its line ends. */
export const isSameText = (found: JsonValue | undefined, wanted: string): boolean =>
	typeof found === 'string' && found.replaceAll('\r\n', '\n').trim() === wanted.replaceAll('\r\n', '\n').trim();

/** Whether an agent has all the changes; `undefined` if it does as far as the service shows it, which does not show all. */
export const hasChanges = ({raw, abilityIds}: Agent, {name, prompt, abilityIds: wantedIds}: AgentChanges): boolean | undefined => {
	const hasText = (field: string, wanted: string | undefined): boolean | undefined =>
		wanted === undefined ? true : Object.hasOwn(raw, field) ? isSameText(raw[field], wanted) : undefined;
	const found = [
		hasText('name', name),
		hasText('description', prompt),
		wantedIds === undefined ? true : abilityIds && new Set(abilityIds).symmetricDifference(new Set(wantedIds)).size === 0,
	];
	return found.includes(false) ? false : found.includes(undefined) ? undefined : true;
};

/** Whether an ability has all the changes; `undefined` if the service does not show a changed field. */
export const hasAbilityChanges = ({raw, triggerPhrases}: Ability, changes: AbilityChanges): boolean | undefined => {
	const {name, category, description, triggerPhrases: phrases} = changes;
	const texts = Object.entries({name, category, description}).filter(([, wanted]) => wanted !== undefined) as ReadonlyArray<
		[string, string]
	>;
	if (
		texts.some(([field]) => !Object.hasOwn(raw, field)) ||
		(phrases !== undefined && (!Object.hasOwn(raw, 'trigger_words') || hasMorePhrases(raw)))
	) {
		return undefined;
	}

	return (
		texts.every(([field, wanted]) => isSameText(raw[field] ?? '', wanted)) &&
		(phrases === undefined || new Set(triggerPhrases).symmetricDifference(new Set(phrases)).size === 0)
	);
};

/**
Whether an agent that does not have all the changes was changed again since, so that it is not their fault: no field that differs is as it was before.

@param before - the agent before the changes.
*/
export function isChangedAgain(seen: Agent, before: Agent, {name, prompt, abilityIds}: AgentChanges): boolean {
	const textOf = (field: string): string | undefined => (typeof before.raw[field] === 'string' ? before.raw[field] : undefined);
	const fields: ReadonlyArray<readonly [wanted: AgentChanges, former: AgentChanges]> = [
		[{name}, {name: textOf('name')}],
		[{prompt}, {prompt: textOf('description')}],
		[{abilityIds}, {abilityIds: before.abilityIds}],
	];
	return fields.every(([wanted, former]) => hasChanges(seen, wanted) !== false || hasChanges(seen, former) === false);
}

/** Whether an installed ability has exactly these trigger phrases, in any order; `undefined` if the service does not show them all. */
export const hasPhrases = ({raw, triggerPhrases}: InstalledAbility, phrases: readonly string[]): boolean | undefined =>
	Object.hasOwn(raw, 'trigger_words') && !hasMorePhrases(raw)
		? new Set(triggerPhrases).symmetricDifference(new Set(phrases)).size === 0
		: undefined;

/** @throws SwitchboardError `refused` if the service answered a switch with another state. */
export const refuseOtherState = ({name, isEnabled}: InstalledAbility, isWanted: boolean): void => {
	if (isEnabled !== isWanted) {
		throw new SwitchboardError('refused', `The service answered that ${name} is still ${stateWord(isEnabled)}.`);
	}
};

/** @throws SwitchboardError `refused` if the service answered with other trigger phrases, in whatever order. */
export const refuseOtherPhrases = (answered: InstalledAbility, wanted: readonly string[]): void => {
	if (hasPhrases(answered, wanted) === false) {
		throw new SwitchboardError('refused', `The service answered that ${answered.name} has other trigger phrases.`, {
			nextStep: 'Look at them with: switchboard installed --json',
		});
	}
};
