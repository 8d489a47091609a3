import type {AgentChanges} from '../client/client.ts';
import {toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import type {JsonValue} from '../interface/json.ts';
import {decodeRecord, type Agent} from '../interface/records.ts';
import type {Context} from './context.ts';
import {readAfterwards, writeOnce} from './unknown-outcome.ts';
import type {Service} from './with-service.ts';

/** Services may trim a text, and a form changes its line ends. */
export const isSameText = (found: JsonValue | undefined, wanted: string): boolean =>
	typeof found === 'string' && found.replaceAll('\r\n', '\n').trim() === wanted.replaceAll('\r\n', '\n').trim();

/** Whether an agent has all the changes; `undefined` if its abilities were changed and the service does not show them. */
export const hasChanges = ({raw, abilityIds}: Agent, {name, prompt, abilityIds: wantedIds}: AgentChanges): boolean | undefined => {
	if ((name !== undefined && !isSameText(raw['name'], name)) || (prompt !== undefined && !isSameText(raw['description'], prompt))) {
		return false;
	}

	return wantedIds === undefined ? true : abilityIds && new Set(abilityIds).symmetricDifference(new Set(wantedIds)).size === 0;
};

/** The agent as it would be. */
const changed = (agent: Agent, {name, prompt, abilityIds}: AgentChanges): Agent => decodeRecord('agents', {
	...agent.raw,
	...(name !== undefined && {name}),
	...(prompt !== undefined && {description: prompt}),
	...(abilityIds !== undefined && {matching_capabilities: abilityIds}),
})!;

/**
Edits an agent, unless it is a dry run. If no answer comes, the list says whether the agent has the changes.

@throws SwitchboardError with `isOutcomeUnknown` if the change may still arrive.
*/
export const sendEdit = async (context: Context, {client}: Service, agent: Agent, changes: AgentChanges): Promise<Agent> => {
	const {id, name} = agent;
	if (context.isDryRun) {
		return changed(agent, changes);
	}

	const ifUnknown = `It is not known whether ${name} was changed: the change was sent and may still arrive.`;
	try {
		return await writeOnce(context, {
			async write() {
				context.showProgress(`Changing ${name} …`);
				return client.editAgent(agent, {...changes, canLosePrompt: context.isSure}, context.writeSignal);
			},
			ifDone: `${name} was changed.`,
			ifUnknown,
			ifNotSent: `${name} was not changed.`,
		});
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown) {
			throw error;
		}

		const list = await readAfterwards(context, async signal => client.list('agents', signal));
		const seen = list?.records.find(record => record.id === id);
		const verdict = seen && hasChanges(seen, changes);
		if (seen !== undefined && verdict === true) {
			return seen;
		}

		const sentence = verdict === false ? `${name} has not changed yet: the change was sent and may still arrive.` : ifUnknown;
		throw unknownOutcomeError(error, sentence, 'Check with: switchboard agents');
	}
};
