import {useMutationState} from '@tanstack/react-query';
import {type AgentChanges} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {findNamesake} from '../../interface/name-index.ts';
import {type Agent} from '../../interface/records.ts';
import {
	asListed,
	conflictBetween,
	formerOf,
	isAsChanged,
	subjectOf,
	undoneText,
} from './agent-changes.ts';
import {saveChecked, type CheckedSave} from './checked-save.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {isWriting} from './writes.ts';

type Edit = {readonly id: number; readonly changes: AgentChanges};

type EditAgent = {
	/** Changes that are being saved, by the agent's id. */
	readonly pending: ReadonlyMap<number, AgentChanges>;
	/** The current value, for a key that comes before the next frame. */
	isPending(agentId: number): boolean;
	/**
	Saves changes to an agent, unless somebody else changed the same fields since it was `seen`. Returns the agent as the
	service has it now.

	@throws SwitchboardError `conflict` if somebody else changed it; the list shows the agent as it is now.
	*/
	edit(seen: Agent, changes: AgentChanges): Promise<Agent>;
};

/** Two agents of one name could not be told apart by it, and no state file can have both. The list is fresh. */
const refuseTakenName = (session: ServiceSession, agent: Agent, {name}: AgentChanges): void => {
	const other = name === undefined ? undefined : findNamesake(seenRecords(session, 'agents') ?? [], agent, name);
	if (other !== undefined) {
		throw new SwitchboardError('refused', `The name “${other.name}” is taken by agent ${other.id}.`, {field: 'name'});
	}
};

const saveOf = (session: ServiceSession, seen: Agent, changes: AgentChanges): CheckedSave<'agents'> => ({
	resource: 'agents',
	id: seen.id,
	name: seen.name,
	what: subjectOf(seen, changes),
	variables: {id: seen.id, changes} satisfies Edit,
	isSaved: agent => isAsChanged(agent, changes),
	findConflict: agent => conflictBetween(seen, agent, changes),
	async send(agent) {
		refuseTakenName(session, agent, changes);
		return asListed(await session.client.editAgent(agent, changes), agent);
	},
	reverse(before, after) {
		const former = formerOf(before, changes);
		return former && {save: saveOf(session, after, former), undoneText: undoneText(before, former)};
	},
	async insteadAfter({kind, message}) {
		const isAgreed = kind === 'not-kept' && await session.confirm({question: `Change the prompt of ${seen.name} all the same?`, details: [message], yes: 'change it'});
		return isAgreed ? saveOf(session, seen, {...changes, canLosePrompt: true}) : undefined;
	},
});

/** The writes behind the screens of an agent: its name, its prompt and its abilities. */
export const useEditAgent = (): EditAgent => {
	const session = useServiceSession();
	const edits = useMutationState({
		filters: {mutationKey: ['edit-agents'], status: 'pending'},
		select: ({state}) => state.variables as Edit,
	}, session.queryClient);
	return {
		pending: new Map(edits.map(({id, changes}) => [id, changes])),
		isPending: id => isWriting(session, ['edit-agents', id]),
		edit: async (seen, changes) => saveChecked(session, saveOf(session, seen, changes)),
	};
};
