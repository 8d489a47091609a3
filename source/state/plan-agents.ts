import {normalizeText} from '../interface/normalize-text.ts';
import {cleanName, rawName, type Agent} from '../interface/records.ts';
import {type Change} from './change.ts';
import {ambiguousName, missingName, type ListIndex} from './list-index.ts';
import {
	joinParts,
	problem,
	stepsOrUnchanged,
	type AgentEdit,
	type PlanPart,
	type Tie,
} from './plan.ts';
import {
	findTies,
	tieChange,
	type AbilityLists,
	type Found,
} from './plan-ties.ts';
import {type Problem} from './problems.ts';
import {hasPrompt, keepsWhitespace} from './same-prompt.ts';
import {type AgentEntry} from './state.ts';

type AgentLists = AbilityLists & {readonly agents: ListIndex<Agent>};

type AgentContext = AgentLists & {readonly isWhitespaceKept: boolean};

const failed = (...problems: readonly Problem[]): {readonly problems: readonly Problem[]} => ({problems});

/** An agent is found by its present name, else by the name that it gets: then it already has it. */
const findAgent = ({key, name, place}: AgentEntry, agents: ListIndex<Agent>): Found<Agent> => {
	const wanted = {name: key, place};
	const byKey = agents.find(key);
	const records = byKey.length === 0 && name !== undefined ? agents.find(name) : byKey;
	if (records.length > 1) {
		return failed(ambiguousName(wanted, records));
	}

	return records[0] === undefined ? failed(missingName(wanted, 'agent', [agents])) : {value: records[0]};
};

const isSameName = (a: string, b: string): boolean => normalizeText(a.trim()) === normalizeText(b.trim());

const takenName = ({name: wanted = '', place}: AgentEntry, agent: Agent, {agents}: AgentLists): Problem | undefined => {
	const other = agents.find(wanted).find(({id}) => id !== agent.id);
	return other && {place, kind: 'conflict', message: `The name “${cleanName(wanted)}” is taken by agent ${other.id}.`};
};

const planAgent = (entry: AgentEntry, agent: Agent, ties: readonly Tie[] | undefined, lists: AgentContext): PlanPart => {
	const name = rawName(agent);
	const {raw} = agent;
	const shownText = (field: string): string | null => typeof raw[field] === 'string' ? raw[field] : null;
	const edit: {-readonly [Field in keyof AgentEdit]: AgentEdit[Field]} = {};
	const changes: Change[] = [];
	if (entry.name !== undefined && !isSameName(shownText('name') ?? '', entry.name)) {
		const taken = takenName(entry, agent, lists);
		if (taken !== undefined) {
			return problem(taken);
		}

		edit.name = entry.name;
		changes.push({
			kind: 'agent', name, field: 'name', from: shownText('name'), to: entry.name,
		});
	}

	if (entry.prompt !== undefined && !hasPrompt(agent, entry.prompt, lists.isWhitespaceKept)) {
		edit.prompt = entry.prompt;
		changes.push({
			kind: 'agent', name, field: 'prompt', from: shownText('description'), to: entry.prompt,
		});
	}

	const tied = ties && tieChange(name, agent, ties, lists.abilities);
	if (ties !== undefined && tied !== undefined) {
		edit.ties = ties;
		changes.push(tied);
	}

	return stepsOrUnchanged(changes.length === 0
		? []
		: [{
			kind: 'agent', name, agent, edit, changes,
		}]);
};

/** What `agents:` would change. */
export const planAgents = (entries: readonly AgentEntry[], lists: AgentLists): PlanPart => {
	const isWhitespaceKept = keepsWhitespace(lists.agents.records);
	const keys = new Map<number, string>();
	return joinParts(entries.map(entry => {
		const [agent, ties] = [findAgent(entry, lists.agents), findTies(entry, lists)];
		if ('problems' in agent || 'problems' in ties) {
			return problem(...('problems' in agent ? agent.problems : []), ...('problems' in ties ? ties.problems : []));
		}

		const earlierKey = keys.get(agent.value.id);
		if (earlierKey !== undefined) {
			return problem({place: entry.place, message: `“${cleanName(entry.key)}” and “${cleanName(earlierKey)}” are the same agent, ${agent.value.id}.`});
		}

		keys.set(agent.value.id, entry.key);
		return planAgent(entry, agent.value, ties.value, {...lists, isWhitespaceKept});
	}));
};
