import {type Ability, type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {keyLabel} from '../../keys/key-labels.ts';
import {keyTable} from '../../keys/key-table.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {pasteIntoFilter} from '../../state/filter-line.ts';
import {actOnChecklist, type ChecklistItem} from '../../widgets/checklist/index.ts';
import {type TieChoices} from './tie-choices.ts';
import {chosenItems, tieRows} from './tie-rows.ts';
import {useSaveTies} from './use-save-ties.ts';

type TiesKeysOptions = {
	readonly agent: Agent;
	readonly choices: TieChoices;
	readonly abilities: ResourceState<Ability>;
	readonly items: readonly ChecklistItem[];
	readonly visibleRows: number;
	readonly isSaving: boolean;
};

/** The keys of the checklist of an agent's abilities: Enter saves, Escape cancels. */
export const useTiesKeys = ({agent, choices, abilities, items, visibleRows, isSaving}: TiesKeysOptions): void => {
	const ui = useUiServices();
	const {store, chooseRows} = choices;
	const {save, cancel} = useSaveTies(agent, choices);
	const isRead = abilities.records !== undefined;

	const sayUnread = (): void => {
		if (abilities.isReading) {
			ui.say('info', 'Still reading the abilities.');
		} else {
			ui.say('error', `Could not read the abilities. ${keyName(ui.keymap, 'refresh')} tries again.`, abilities.error);
		}
	};

	const enter = (): void => {
		if (isRead) {
			const chosen = chosenItems(items, store.getState());
			save(chosen.map(({id}) => id), chosen.map(({name, id}) => `${name} (#${id})`));
		} else {
			sayUnread();
		}
	};

	const escape = (): void => {
		if (ui.store.getState().messages.shown === undefined) {
			cancel();
		} else {
			ui.store.dispatch({type: 'dismiss'});
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			const isActed = !isSaving && isRead && actOnChecklist(key, {
				keymap: ui.keymap,
				store,
				visibleRows,
				idsOf: state => tieRows(chooseRows, items, state).ids,
			});
			if (isActed) {
				return true;
			}

			const action = ui.keymap.actionOf(key.name, ['list', 'everywhere']);
			if (key.name === 'escape') {
				escape();
			} else if (key.name === 'enter') {
				enter();
			} else if (action === 'refresh') {
				void abilities.refresh();
			} else if (action === 'help' || action === 'messages') {
				return false;
			} else if (action !== undefined && !isRead) {
				sayUnread();
			} else if (action !== undefined && !isSaving) {
				ui.say('info', `${keyLabel(key.name)} (${keyTable[action].hint}) works on the list, not here. Enter saves.`);
			}

			return true;
		},
		onPaste: text => pasteIntoFilter(store, store.getState(), text),
	});
};
