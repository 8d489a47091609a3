import {type Agent} from '../../../interface/records.ts';
import {useProgram} from '../../app-context.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {useEditPrompt} from './use-edit-prompt.ts';

const overlayKinds = {open: 'agent', 'edit-name': 'agent-name', 'edit-ties': 'agent-ties'} as const satisfies Partial<Record<ActionName, string>>;

type OwnAction = keyof typeof overlayKinds | 'edit-prompt';

const isOwn = (action: ActionName): action is OwnAction => action === 'edit-prompt' || Object.hasOwn(overlayKinds, action);

/** Carries out what can be done with an agent, in the list and where one is open; gives false for any other action. */
export const useAgentActions = (): ((action: ActionName, agent: Agent | undefined) => boolean) => {
	const program = useProgram();
	const editPrompt = useEditPrompt();
	return (action, agent) => {
		if (!isOwn(action)) {
			return false;
		}

		if (agent === undefined) {
			program.say('info', 'There is no agent here.');
		} else if (action !== 'open' && refuseWhenReadOnly(program)) {
			return true;
		} else if (action === 'edit-prompt') {
			void editPrompt(agent);
		} else {
			program.store.dispatch({type: 'open', overlay: {kind: overlayKinds[action], id: agent.id}});
		}

		return true;
	};
};
