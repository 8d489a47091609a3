import {type Agent} from '../../../interface/records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {createRowFilter, type RowFilter} from '../../state/rows.ts';
import {createStore, type Store} from '../../state/store.ts';
import {
	createChecklistState,
	reduceChecklist,
	type ChecklistAction,
	type ChecklistState,
} from '../../widgets/checklist/index.ts';

/** The unsaved choice of abilities for an agent. */
export type TieChoices = {
	readonly store: Store<ChecklistState, ChecklistAction>;
	readonly chooseRows: RowFilter;
	/** The agent as it was when the choice began. After a conflict it is the one that was reported. */
	seen: Agent;
};

const choicesByAgent: MemoryKey<Map<number, TieChoices>> = {create: () => new Map()};

/** The choice for an agent, which starts with its abilities. It outlives a question above it. */
export const tieChoicesOf = (session: ServiceSession, agent: Agent): TieChoices => {
	const known = session.memory.get(choicesByAgent);
	const found = known.get(agent.id) ?? {
		store: createStore(reduceChecklist, createChecklistState(agent.abilityIds ?? [])),
		chooseRows: createRowFilter(),
		seen: agent,
	};
	known.set(agent.id, found);
	return found;
};

/** Takes over the agent's abilities as they are now, unless the person has begun to choose. */
export const followTies = (choices: TieChoices, agent: Agent): void => {
	const {store, seen} = choices;
	const {abilityIds = []} = agent;
	const isBegun = new Set(seen.abilityIds).symmetricDifference(store.getState().marks).size > 0;
	if (isBegun) {
		return;
	}

	choices.seen = agent;
	store.dispatch({type: 'set-marks', ids: abilityIds});
};

/** Forgets the choice once it is saved or cancelled: the next one starts with the agent's abilities at that time. */
export const forgetTieChoices = (session: ServiceSession, agentId: number): void => {
	session.memory.get(choicesByAgent).delete(agentId);
};
