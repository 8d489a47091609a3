import {type AgentChanges} from '../../client/client.ts';
import {type Agent} from '../../interface/records.ts';
import {originalOf} from './agent-changes.ts';
import {type UndoStep} from './undo-history.ts';

const subjects: ReadonlyArray<readonly [keyof AgentChanges, string]> = [['name', 'the name'], ['prompt', 'the prompt'], ['abilityIds', 'what is tied to']];

/** What an edit changes, such as “the name of Hearth”; several of them are one word. */
export const whatChanges = ({name}: Agent, changes: AgentChanges): string => {
	const [first, ...others] = subjects.filter(([field]) => changes[field] !== undefined);
	if (first === undefined || others.length > 0) {
		return `the last change to ${name}`;
	}

	const [field, subject] = first;
	return field === 'abilityIds' ? `${subject} ${name}` : `${subject} of ${name}`;
};

const takenBackText = (before: Agent, {name, prompt, abilityIds}: AgentChanges): string => {
	if (name !== undefined) {
		return `The agent is called ${before.name} again.`;
	}

	if (prompt !== undefined) {
		return `The prompt of ${before.name} is as it was before.`;
	}

	const count = abilityIds?.length ?? 0;
	return `What is tied to ${before.name} is as it was before: ${count === 0 ? 'no ability' : (count === 1 ? '1 ability' : `${count} abilities`)}.`;
};

/**
How an edit of an agent is undone: by saving what was there before, unless somebody has changed it since.

@param edit - saves changes to an agent, with that check, and records nothing.
*/
export const wayBackOf = (
	{before, after, changes}: {readonly before: Agent; readonly after: Agent; readonly changes: AgentChanges},
	edit: (undoing: {readonly seen: Agent; readonly changes: AgentChanges}) => Promise<unknown>,
): UndoStep => {
	const original = originalOf(before);
	const fields = subjects.map(([field]) => field).filter(field => changes[field] !== undefined);
	const what = whatChanges(before, changes);
	if (fields.some(field => original[field] === undefined)) {
		return {refusal: `${what[0]!.toUpperCase()}${what.slice(1)} was saved, and that cannot be undone: the service did not show what was there before.`};
	}

	const former: AgentChanges = Object.fromEntries(fields.map(field => [field, original[field]]));
	return {
		what,
		async takeBack() {
			await edit({seen: after, changes: former});
			return takenBackText(before, former);
		},
	};
};
