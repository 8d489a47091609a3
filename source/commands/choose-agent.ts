import {rawName, type Agent} from '../interface/records.ts';
import type {Context} from './context.ts';
import {findRecord, readList} from './find-records.ts';
import type {Service} from './with-service.ts';

export type ChosenAgent = {
	/** Its id, or 0 for the account's default agent, whichever it is. */
	readonly id: number;
	/** For display. */
	readonly name: string;
	/** For `--json`: the service's name, or null for the default agent, which only the service knows. */
	readonly publicName: string | null;
};

export function toChosen(agent: Agent): ChosenAgent {
	return {id: agent.id, name: agent.name, publicName: rawName(agent)};
}

const defaultAgent: ChosenAgent = {id: 0, name: 'the default agent', publicName: null};

/**
Chooses the agent of a conversation: the agent named by a word, else the only agent, else the account's default agent. Without a word, a
note on standard error names the agent.

@param word - an id, or a name in any case; `0` is the default agent unless an agent has that name.
@throws SwitchboardError `not-found` or `ambiguous`; `forbidden` for a command that may not be run with the key.
*/
export async function chooseAgent(context: Context, service: Service, word: string | undefined): Promise<ChosenAgent> {
	const agents = await readList(context, service, 'agents');
	if (word === '0' && agents.every(({name}) => name !== word)) {
		return defaultAgent;
	}

	if (word !== undefined) {
		return toChosen(findRecord(agents, word, {resource: 'agents', isToChange: context.isChanging}));
	}

	const [only, ...others] = agents;
	if (only !== undefined && others.length === 0) {
		context.note(`The agent is ${only.name}.`);
		return toChosen(only);
	}

	context.note('The agent is the default one of the account (0).');
	return defaultAgent;
}
