import {planState} from '../../state/plan-state.ts';
import type {Lists, Step} from '../../state/plan.ts';
import {problemsError} from '../../state/problems.ts';
import type {AbilityEntry, State} from '../../state/state.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {prepareSources, type PreparedSource} from './prepare-sources.ts';
import {readLists} from './read-lists.ts';

/** What has to be done so that a service is as a state says. */
export type Plan = {
	readonly steps: readonly Step[];
	/** How many entries of the state already are as it says. */
	readonly unchangedCount: number;
	/** The lists that it was made from, as far as they were needed. */
	readonly lists: Lists;
	/** The packed sources of `abilities:`. */
	readonly sources: ReadonlyMap<AbilityEntry, PreparedSource>;
};

export type PlanOptions = {
	/** Also switches off what `installed:` does not name. */
	readonly isPruning?: boolean;
};

/**
Reads what a state needs from the service, and makes a plan. Prints nothing but the context's notes, and sends no write.

@throws SwitchboardError with all problems of the state at once, each with its place.
*/
export const preparePlan = async (context: Context, service: Service, state: State, {isPruning = false}: PlanOptions = {}): Promise<Plan> => {
	const lists = await readLists(context, service, state, {isPruning});
	const {sources, problems: sourceProblems} = await prepareSources(context, service, state, lists);
	const {steps, unchangedCount, problems} = planState(state, lists, {isPruning, comparisons: sources});
	if (sourceProblems.length + problems.length > 0) {
		throw problemsError(state.label, [...problems, ...sourceProblems]);
	}

	return {
		steps, unchangedCount, lists, sources,
	};
};
