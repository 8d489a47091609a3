import {type Ability, type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {keyLabel} from '../../keys/key-labels.ts';
import {keyTable} from '../../keys/key-table.ts';
import {isBackKey} from '../../keys/keymap.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {actOnChecklist, type ChecklistItem} from '../../widgets/checklist/index.ts';
import {dismissError} from '../dismiss-error.ts';
import {useFilterLine} from '../use-filter-line.ts';
import {type TieChoices} from './tie-choices.ts';
import {chosenItems, tieRows} from './tie-rows.ts';
import {useSaveTies} from './use-save-ties.ts';

type TiesKeysOptions = {
	readonly agent: Agent;
	readonly isGone: boolean;
	readonly choices: TieChoices;
	readonly abilities: ResourceState<Ability>;
	readonly items: readonly ChecklistItem[];
	readonly visibleRows: number;
	readonly isSaving: boolean;
};

/** The keys of the checklist of an agent's abilities: Enter saves, Escape cancels. */
export const useTiesKeys = ({agent, isGone, choices, abilities, items, visibleRows, isSaving}: TiesKeysOptions): void => {
	const ui = useUiServices();
	const {store, chooseRows} = choices;
	const {save, cancel} = useSaveTies(agent, isGone, choices);
	const isRead = abilities.records !== undefined;

	const sayUnread = (): void => {
		if (abilities.isReading) {
			ui.say('info', 'Still reading the abilities.', 'abilities');
		} else {
			ui.say('error', `Could not read the abilities. ${keyName(ui.keymap, 'refresh')} tries again.`, abilities.error, 'abilities');
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
			if (isBackKey(ui.keymap, key.name)) {
				if (key.name !== 'escape' || !dismissError(ui.store)) {
					cancel();
				}
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
	});
	useFilterLine({
		store,
		read: store.getState,
		move(move) {
			store.dispatch({
				type: 'move', move, ids: tieRows(chooseRows, items, store.getState()).ids, visibleRows,
			});
		},
	});
};
