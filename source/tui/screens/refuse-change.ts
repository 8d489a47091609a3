import type {HistoryKind} from '../../interface/history.ts';
import {describeLimits} from '../../interface/key-rights.ts';
import {listNouns} from '../../interface/lists.ts';
import {rawName, type Records} from '../../interface/records.ts';
import {type ActionName, keyTable} from '../../words/key-table.ts';
import type {UiServices} from '../app-context.ts';
import type {Overlay} from '../state/app-state.ts';
import type {ScreenName} from '../state/view.ts';

/* Behaviour that the lists share with the records opened from them. */

/**
Refuses a change in a read-only run, or beyond the rights of the key, with a message; returns true if it did. The client would refuse it
too.

@param action - `undefined` for a switch.
*/
export function refuseChange(ui: UiServices, action?: ActionName): boolean {
	const reason = refusalOf(ui, action);
	if (reason !== undefined) {
		ui.say('error', `Not ${action !== undefined && isSwitch(action) ? 'switched' : 'changed'}: ${reason}`);
	}

	return reason !== undefined;
}

/** Returns the reason why the run or the key may not make a change, as the end of a sentence; `undefined` if it may. */
export function refusalOf({isReadOnly, isOverSsh, keyLimits}: UiServices, action: ActionName | undefined): string | undefined {
	if (keyLimits !== undefined) {
		return isReadOnly || !isSwitching(action) ? describeLimits(keyLimits).replace(/^The/, 'the') : undefined;
	}

	return isReadOnly
		? isOverSsh
			? 'your key is read-only.'
			: 'this run is read-only. Start it without --read-only to make changes.'
		: undefined;
}

/** Undo takes back changes of this key, and so may switch. */
const isSwitching = (action: ActionName | undefined): boolean =>
	action === undefined || action === 'undo' || action === 'redo' || isSwitch(action);

const isSwitch = (action: ActionName): boolean => ['switches', 'states'].includes(keyTable[action].scope);

/** Dismisses a visible error or warning, before Escape does anything else; returns true if it did. */
export function dismissError(store: UiServices['store']): boolean {
	const {shown} = store.getState().messages;
	if (shown === undefined || shown.level === 'info') {
		return false;
	}

	store.dispatch({type: 'dismiss'});
	return true;
}

const historyKinds: Readonly<Record<ScreenName, HistoryKind>> = {agents: 'agent', abilities: 'ability', installed: 'installed'};

/** Returns the history of a list, or of one of its records: its installed record may have had another id before. */
export function historyOverlay(screen: ScreenName, record?: Pick<Records[ScreenName], 'id' | 'name' | 'raw'>): Overlay {
	return {
		kind: 'history',
		title: `History: ${record?.name ?? listNouns[screen]}`,
		query: {kind: historyKinds[screen], ...(record !== undefined && {records: [record.id, rawName(record)]})},
	};
}

/** Said when an action that needs a row has none. */
export const nothingSelected = 'Nothing is selected.';

export function endText(by: 1 | -1): string {
	return `This is the ${by === 1 ? 'last' : 'first'} record.`;
}
