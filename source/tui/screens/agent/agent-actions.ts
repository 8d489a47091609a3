import type {Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import type {ActionName} from '../../../words/key-table.ts';
import {runAction} from '../../../words/keymap.ts';
import {agentFilter} from '../../../interface/filter.ts';
import {sayRenameKey} from '../list/list-actions.ts';
import {nothingSelected, refuseChange} from '../refuse-change.ts';
import {useEditPrompt} from './use-edit-prompt.ts';

/** Carries out the actions on an agent, in the list or opened; returns false for any other action. */
export function useAgentActions(): (action: ActionName, agent: Agent | undefined, marked?: readonly Agent[]) => boolean {
	const ui = useUiServices();
	const session = useServiceSession();
	const editPrompt = useEditPrompt();

	const showInstalled = (chosen: readonly Agent[]): void => {
		const hidden = chosen.find(({abilityIds}) => abilityIds === undefined);
		if (hidden !== undefined) {
			ui.say('info', `This service doesn't show which abilities ${hidden.name} has.`);
			return;
		}

		const names = session.records.seen('agents')?.map(agent => agent.name) ?? [];
		const {list} = ui.store.getState().views.installed;
		ui.store.dispatch({type: 'close-all'});
		ui.store.dispatch({
			type: 'change-view',
			screen: 'installed',
			change: {
				filter: agentFilter(
					chosen.map(({name}) => name),
					names,
				),
				isFilterOpen: false,
				list: {...list, cursorRow: 0, topRow: 0},
			},
		});
		ui.store.dispatch({type: 'show-screen', screen: 'installed'});
	};

	return (action, agent, marked = []) => {
		const on =
			(act: (selected: Agent) => void, {isWrite = true} = {}) =>
			(): void => {
				if (agent === undefined) {
					ui.say('info', nothingSelected);
				} else if (!isWrite || !refuseChange(ui, action)) {
					act(agent);
				}
			};

		const open = (kind: 'agent' | 'edit-name' | 'edit-ties') =>
			on(({id}) => ui.store.dispatch({type: 'open', overlay: {kind, id}}), {isWrite: kind !== 'agent'});
		return (
			runAction(
				{
					open: open('agent'),
					'edit-name': open('edit-name'),
					'edit-ties': open('edit-ties'),
					'edit-prompt': on(selected => {
						void editPrompt(selected);
					}),
					'show-installed': on(selected => showInstalled(marked.length === 0 ? [selected] : marked), {isWrite: false}),
					talk: on(({id}) => ui.store.dispatch({type: 'open', overlay: {kind: 'conversation', agentId: id}}), {isWrite: false}),
				},
				action,
			) ||
			(action === 'next-match' && sayRenameKey(ui))
		);
	};
}
