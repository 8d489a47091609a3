import type {AgentChanges} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {decodeRecord, type Agent, type InstalledAbility} from '../interface/records.ts';
import {hasValues} from './fields.ts';

/* Answers to changes: the record as it was sent, and what an answer must not say. */

/** The agent with the changes, cleaned for the screen. */
export const withChanges = (agent: Agent, {name, prompt, abilities}: AgentChanges): Agent =>
	decodeRecord('agents', {
		...agent.raw,
		...(name !== undefined && {name}),
		...(prompt !== undefined && {description: prompt}),
		...(abilities !== undefined && {matching_capabilities: abilities}),
	}) ?? agent;

/** @throws SwitchboardError `refused` if the service answered a switch with another state. */
export const refuseOtherState = ({name, isEnabled}: InstalledAbility, isWanted: boolean): void => {
	if (isEnabled !== isWanted) {
		throw new SwitchboardError('refused', `The service answered that ${name} is still ${stateWord(isEnabled)}.`);
	}
};

/** @throws SwitchboardError `refused` if the service answered with other trigger phrases, in whatever order. */
export const refuseOtherPhrases = (answered: InstalledAbility, triggers: readonly string[]): void => {
	if (hasValues('installed', answered, {triggers}) === false) {
		throw new SwitchboardError('refused', `The service answered that ${answered.name} has other trigger phrases.`, {
			nextStep: 'Look at them with: switchboard installed --json',
		});
	}
};
