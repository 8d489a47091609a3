import {useUiServices} from '../../app-context.ts';
import {scopesOf, type ActionName} from '../../keys/key-table.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {type ScreenName} from '../../state/view.ts';
import {useFilterLine} from '../use-filter-line.ts';
import {chooseSortColumn} from './sort-list.ts';

type ListKeysOptions = {
	readonly screen: ScreenName;
	/** What the records are called, such as “agents”. */
	readonly plural: string;
};

/** The keys of a list: those of its filter line and of the choice of a sort column while they are open, else actions. */
export const useListKeys = ({screen, plural}: ListKeysOptions, act: (action: ActionName) => boolean): void => {
	const ui = useUiServices();
	const {store, keymap} = ui;
	useKeys(layers.screen, {
		onKey(key) {
			const {views, overlays} = store.getState();
			if (views[screen].isSortOpen) {
				chooseSortColumn({ui, screen, plural}, key);
				return true;
			}

			const action = keymap.actionOf(key.name, scopesOf[screen]);
			const isUsed = action !== undefined && act(action);
			// What was opened takes the next key, even one of the same chunk.
			return store.getState().overlays === overlays ? isUsed : 'settle';
		},
		onAction: act,
	});
	useFilterLine({
		store,
		read: () => store.getState().views[screen],
		move(move) {
			act(move);
		},
	});
};
