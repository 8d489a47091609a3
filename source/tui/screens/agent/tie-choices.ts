import {type Agent} from '../../../interface/records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {createRowChooser, type RowChooser} from '../../state/rows.ts';
import {createStore, type Store} from '../../state/store.ts';
import {
	createChecklistState,
	reduceChecklist,
	type ChecklistAction,
	type ChecklistState,
} from '../../widgets/checklist/index.ts';

/** What a person is choosing for an agent and has not saved. */
export type TieChoices = {
	readonly store: Store<ChecklistState, ChecklistAction>;
	readonly chooseRows: RowChooser;
	/** The agent as it was when the choosing began; none after a conflict, when the newest one takes its place. */
	seen: Agent | undefined;
};

const choicesByAgent: MemoryKey<Map<number, TieChoices>> = {create: () => new Map()};

/** The choices for an agent, begun with what is tied to it. They outlive a question that lies on top of them. */
export const tieChoicesOf = (session: ServiceSession, agent: Agent): TieChoices => {
	const known = session.memory.get(choicesByAgent);
	const found = known.get(agent.id) ?? {
		store: createStore(reduceChecklist, createChecklistState(agent.abilityIds ?? [])),
		chooseRows: createRowChooser(),
		seen: agent,
	};
	known.set(agent.id, found);
	return found;
};

/** Once they are saved or given up: the next choosing begins with what is tied then. */
export const forgetTieChoices = (session: ServiceSession, agentId: number): void => {
	session.memory.get(choicesByAgent).delete(agentId);
};
