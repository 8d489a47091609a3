import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {type UiServices} from '../app-context.ts';
import {type Toggle} from '../hooks/use-toggle.ts';
import {runAction} from '../keys/action-handlers.ts';
import {keyName} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';

type Switches = {
	readonly ui: UiServices;
	readonly toggle: Toggle;
	/** Installed records of the marked rows; `undefined` if no row is marked. */
	readonly markedIds: readonly number[] | undefined;
	/** The installed record of the row under the cursor. */
	readonly record: Pick<InstalledAbility, 'id' | 'name'> | undefined;
	/** Says why there is none. */
	sayNoRecord(): void;
};

/** Toggles the record under the cursor, or says why it cannot be toggled. */
const flip = ({ui: {keymap, say}, toggle, record, sayNoRecord}: Switches): void => {
	if (record === undefined) {
		sayNoRecord();
	} else if (!toggle.toggle(record.id)) {
		say('info', `This service doesn't show whether ${record.name} is on. ${keyName(keymap, 'enable-marked')} switches it on, ${keyName(keymap, 'disable-marked')} off.`);
	}
};

/** Sets all marked records, or the one under the cursor, to a state, even if the service doesn't show which state they have. */
const set = ({ui: {say}, toggle, markedIds, record, sayNoRecord}: Switches, isEnabled: boolean): void => {
	const ids = markedIds ?? (record === undefined ? [] : [record.id]);
	if (markedIds === undefined && record === undefined) {
		sayNoRecord();
	} else if (ids.length === 0) {
		say('info', 'None of the marked abilities is installed: nothing to switch.');
	} else if (toggle.setMany(ids, isEnabled) === 0) {
		say('info', `${markedIds === undefined ? `${record!.name} is` : `All ${ids.length} marked are`} already ${stateWord(isEnabled)}.`);
	}
};

/** Undoes and redoes, on every list; returns false for any other action. */
export const actOnHistory = (action: ActionName, {say}: UiServices, toggle: Pick<Toggle, 'undo' | 'redo'>): boolean => runAction({
	undo() {
		if (!toggle.undo()) {
			say('info', 'Nothing to undo.');
		}
	},
	redo() {
		if (!toggle.redo()) {
			say('info', 'Nothing to redo.');
		}
	},
}, action);

/** Carries out actions that switch abilities, on the Installed and the Abilities screen; returns false for any other action. */
export const actOnSwitches = (action: ActionName, switches: Switches): boolean => {
	const {ui, toggle} = switches;
	return actOnHistory(action, ui, toggle) || runAction({
		toggle() {
			flip(switches);
		},
		'enable-marked'() {
			set(switches, true);
		},
		'disable-marked'() {
			set(switches, false);
		},
		retry() {
			if (!toggle.retry()) {
				ui.say('info', 'Nothing to retry.');
			}
		},
	}, action);
};
