import {useUiServices} from '../app-context.ts';
import {keyName} from '../keys/hints.ts';
import {keyLabel} from '../keys/key-labels.ts';
import {keyTable, openedScopesOf, type ActionName} from '../keys/key-table.ts';
import {isBackKey} from '../keys/keymap.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type ScreenName} from '../state/view.ts';
import {type TextSearch} from '../widgets/use-text-search.ts';
import {dismissError} from './dismiss-error.ts';
import {explainKey} from './explain-key.ts';
import {refuseWhenReadOnly} from './read-only.ts';
import {useStepRecord} from './use-step-record.ts';

type OpenedKeysOptions = {
	/** The list that the record was opened from; its keys work on the record too. */
	readonly screen: ScreenName;
	/** The search in its text. */
	readonly search: TextSearch;
	/** Carries out an action on the record; returns false for any other. */
	readonly act: (action: ActionName) => boolean;
};

/** The keys of an opened record: its own, the global ones, and those that go back or to another screen. */
export const useOpenedKeys = ({screen, search, act}: OpenedKeysOptions): void => {
	const ui = useUiServices();
	const {store, keymap, say} = ui;
	const step = useStepRecord();

	/** Returns false for an action of the program around the record. */
	const carryOut = (action: ActionName): boolean => {
		if (keyTable[action].scope === 'everywhere') {
			return false;
		}

		if (action === 'next-record' || action === 'previous-record') {
			step(action === 'next-record' ? 1 : -1);
			return true;
		}

		return search.act(action) || (keyTable[action].writes === true && refuseWhenReadOnly(ui)) || act(action);
	};

	useKeys(layers.overlay, {
		onKey(key) {
			if (search.takeKey(key)) {
				return 'settle';
			}

			if (isBackKey(keymap, key.name)) {
				if (key.name !== 'escape' || !dismissError(store)) {
					store.dispatch({type: 'close'});
				}

				return 'settle';
			}

			const action = keymap.actionOf(key.name, openedScopesOf[screen]);
			if (action === undefined) {
				explainKey(key.name, openedScopesOf[screen], ui);
			} else if (!carryOut(action)) {
				if (keyTable[action].scope === 'everywhere') {
					return false;
				}

				say('info', action === 'next-match' || action === 'previous-match'
					? `Nothing is searched for. ${keyName(keymap, 'filter')} searches the text.`
					: `${keyLabel(key.name)} works on the list, not here.`);
			}

			return 'settle';
		},
		onAction: carryOut,
	});
};
