import {indexList} from './list-index.ts';
import {
	createdNamesOf,
	matchAbilities,
	planAbilities,
	type SourceComparison,
} from './plan-abilities.ts';
import {planAgents} from './plan-agents.ts';
import {planInstalled, planPrune} from './plan-installed.ts';
import {
	joinParts,
	stepsOrUnchanged,
	type Lists,
	type PlanPart,
} from './plan.ts';
import {type AbilityEntry, type State} from './state.ts';

type PlanOptions = {
	/** Switches off what the state does not name. */
	readonly isPruning?: boolean;
	/** Of the sources with those on the service, for the abilities that exist there. */
	readonly comparisons?: ReadonlyMap<AbilityEntry, SourceComparison>;
};

/**
What has to change so that the service is as a state says.

@param lists - those that the state needs (`neededLists`).
*/
export const planState = (state: State, lists: Lists, {isPruning = false, comparisons = new Map()}: PlanOptions = {}): PlanPart => {
	const [installed, abilities, agents] = [indexList(lists.installed), indexList(lists.abilities), indexList(lists.agents)];
	const matches = matchAbilities(state.abilities, abilities);
	const createdNames = createdNamesOf(matches);
	const pruned = isPruning ? planPrune(state, installed) : [];
	return joinParts([
		planAbilities(matches, comparisons),
		planInstalled(state.installed, {installed, abilities, createdNames}),
		...(pruned.length === 0 ? [] : [stepsOrUnchanged(pruned)]),
		planAgents(state.agents, {agents, abilities, createdNames}),
	]);
};
