import {useMutationState} from '@tanstack/react-query';
import {type AgentChanges} from '../../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type Agent} from '../../interface/records.ts';
import {
	asListed,
	isAsChanged,
	isShown,
	refuseConflict,
} from './agent-changes.ts';
import {notSeenYet} from './late-change.ts';
import {resourceKeys, type SeenList} from './list-cache.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {wayBackOf, whatChanges} from './undo-agent-edit.ts';
import {replaceRecord} from './writes.ts';

type Edit = {readonly seen: Agent; readonly changes: AgentChanges};

export type EditAgent = {
	/** What is being saved and is not confirmed yet, by the agent's id. */
	readonly pending: ReadonlyMap<number, AgentChanges>;
	/** The same as of now, for a key: it may come before the frame that shows what the one before it did. */
	isPending(agentId: number): boolean;
	/**
	Saves changes to an agent, unless what they change is not as it was `seen` any more. Resolves with the agent as the
	service has it then. It can be undone, where the service shows what was there before.

	@throws SwitchboardError `conflict` where somebody else has changed it meanwhile; the list shows it as it is by then.
	*/
	edit(seen: Agent, changes: AgentChanges): Promise<Agent>;
};

const mutationKey = ['edit-agent'] as const;

const listKey = resourceKeys.list('agents');

/** The agent as the service has it now. Its list is read past the cache, where a screen that closes would cut it short. */
const readAgent = async ({load, queryClient}: ServiceSession, {id, name}: Agent): Promise<Agent> => {
	const list = await load('agents');
	await queryClient.cancelQueries({queryKey: listKey});
	queryClient.setQueryData<SeenList<Agent>>(listKey, list);
	const agent = list.records.find(record => record.id === id);
	if (agent === undefined) {
		throw new SwitchboardError('not-found', `${name} is not among the agents any more.`);
	}

	return agent;
};

/** After a request without an answer only the list can tell whether it was carried out. */
const checkOutcome = async (session: ServiceSession, agent: Agent, changes: AgentChanges, error: SwitchboardError): Promise<Agent> => {
	let found: Agent;
	try {
		found = await readAgent(session, agent);
	} catch {
		throw error;
	}

	if (isAsChanged(found, changes)) {
		return found;
	}

	throw isShown(found, changes) ? notSeenYet(error, 'The list does not show it') : error;
};

/** The agent before and after the edit. */
type Edited = {readonly before: Agent; readonly after: Agent};

const carryOut = async (session: ServiceSession, {seen, changes}: Edit): Promise<Edited> => {
	const newest = await readAgent(session, seen);
	if (isAsChanged(newest, changes)) {
		return {before: newest, after: newest};
	}

	refuseConflict(seen, newest, changes);
	let edited: Agent;
	try {
		edited = asListed(await session.client.editAgent(newest, changes), newest);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown) {
			throw error;
		}

		return {before: newest, after: await checkOutcome(session, newest, changes, error)};
	}

	await replaceRecord(session, 'agents', edited);
	return {before: newest, after: edited};
};

const runEdit = async (session: ServiceSession, edit: Edit): Promise<Edited> => {
	const {queryClient} = session;
	const mutation = queryClient.getMutationCache().build(queryClient, {
		mutationKey,
		scope: {id: 'edit-agent'},
		mutationFn: async (each: Edit) => carryOut(session, each),
		meta: {unknown: `It is not known whether the changes to ${edit.seen.name} are saved.`},
	});
	return mutation.execute(edit);
};

const editAndRecord = async (session: ServiceSession, edit: Edit): Promise<Agent> => {
	const {seen, changes} = edit;
	const what = whatChanges(seen, changes);
	const end = session.undoHistory.begin(`Still being saved: ${what}.`);
	try {
		const {before, after} = await runEdit(session, edit);
		end(before === after ? undefined : wayBackOf({before, after, changes}, async undoing => runEdit(session, undoing)));
		return after;
	} catch (error_) {
		const {isOutcomeUnknown} = toSwitchboardError(error_);
		end(isOutcomeUnknown ? {refusal: `It is not known whether ${what} was saved, so that cannot be undone.`} : undefined);
		throw error_;
	}
};

/** The writes behind the screens of an agent: its name, its prompt, the abilities tied to it. One after the other. */
export const useEditAgent = (): EditAgent => {
	const session = useServiceSession();
	const {queryClient} = session;
	const edits = useMutationState({
		filters: {mutationKey, status: 'pending'},
		select: ({state}) => state.variables as Edit,
	}, queryClient);
	return {
		pending: new Map(edits.map(({seen, changes}) => [seen.id, changes])),
		isPending: agentId => queryClient.getMutationCache().findAll({mutationKey, status: 'pending'})
			.some(({state}) => (state.variables as Edit).seen.id === agentId),
		edit: async (seen, changes) => editAndRecord(session, {seen, changes}),
	};
};
