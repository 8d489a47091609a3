import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {agentFilter} from '../../state/agent-term.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {sayRenameKey} from './rename-key.ts';
import {useEditPrompt} from './use-edit-prompt.ts';

const overlayKinds = {open: 'agent', 'edit-name': 'agent-name', 'edit-ties': 'agent-ties'} as const satisfies Partial<Record<ActionName, string>>;

type OwnAction = keyof typeof overlayKinds | 'edit-prompt' | 'show-installed';

const isOwn = (action: ActionName): action is OwnAction => action === 'edit-prompt' || action === 'show-installed' || Object.hasOwn(overlayKinds, action);

/** Carries out the actions on an agent, in the list or opened; returns false for any other action. */
export const useAgentActions = (): ((action: ActionName, agent: Agent | undefined) => boolean) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const editPrompt = useEditPrompt();

	const showInstalled = ({name, abilityIds}: Agent): void => {
		if (abilityIds === undefined) {
			ui.say('info', `This service doesn't show which abilities ${name} has.`);
			return;
		}

		const names = seenRecords(session, 'agents')?.map(agent => agent.name) ?? [];
		const {list} = ui.store.getState().views.installed;
		ui.store.dispatch({type: 'close-all'});
		ui.store.dispatch({
			type: 'change-view', screen: 'installed', change: {filter: agentFilter(name, names), isFilterOpen: false, list: {...list, cursorRow: 0, topRow: 0}},
		});
		ui.store.dispatch({type: 'show-screen', screen: 'installed'});
	};

	return (action, agent) => {
		if (!isOwn(action)) {
			return action === 'next-match' && sayRenameKey(ui, session);
		}

		if (agent === undefined) {
			ui.say('info', 'No agent is selected.');
		} else if (action === 'show-installed') {
			showInstalled(agent);
		} else if (action !== 'open' && refuseWhenReadOnly(ui)) {
			return true;
		} else if (action === 'edit-prompt') {
			void editPrompt(agent);
		} else {
			ui.store.dispatch({type: 'open', overlay: {kind: overlayKinds[action], id: agent.id}});
		}

		return true;
	};
};
