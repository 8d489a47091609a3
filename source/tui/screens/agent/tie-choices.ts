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
	/** The agent as it was when the choice began; `undefined` after a conflict, when the newest one counts. */
	seen: Agent | undefined;
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

/** Forgets the choice once it is saved or cancelled: the next one starts with the agent's abilities at that time. */
export const forgetTieChoices = (session: ServiceSession, agentId: number): void => {
	session.memory.get(choicesByAgent).delete(agentId);
};
