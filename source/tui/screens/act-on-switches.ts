import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {type UiServices} from '../app-context.ts';
import {type Toggle} from '../hooks/use-toggle.ts';
import {keyName} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';
import {refuseWhenReadOnly} from './read-only.ts';

type Named = Pick<InstalledAbility, 'id' | 'name'>;

export type Switches = {
	readonly ui: UiServices;
	readonly toggle: Toggle;
	/** Installed records of what is marked; `undefined` where no row is. */
	readonly markedIds: readonly number[] | undefined;
	/** The installed record of the row under the cursor. */
	readonly record: Named | undefined;
	/** Says why there is none. */
	sayNoRecord(): void;
};

/** Switches one record to the opposite of what the screen shows, or says why it cannot be. */
export const switchOne = (ui: UiServices, {toggle}: Toggle, {id, name}: Named): void => {
	if (refuseWhenReadOnly(ui) || toggle(id)) {
		return;
	}

	const {keymap, say} = ui;
	say('info', `This service does not show whether ${name} is on. ${keyName(keymap, 'enable-marked')} switches it on, ${keyName(keymap, 'disable-marked')} off.`);
};

/** Sets one record to a state, also where the service does not show which it has. */
export const setOne = (ui: UiServices, {setMany}: Toggle, {id, name}: Named, isEnabled: boolean): void => {
	if (!refuseWhenReadOnly(ui) && setMany([id], isEnabled) === 0) {
		ui.say('info', `${name} is ${stateWord(isEnabled)} already.`);
	}
};

const setMarked = (switches: Switches, isEnabled: boolean): void => {
	const {ui, toggle, markedIds, record} = switches;
	if (markedIds === undefined) {
		if (record === undefined) {
			switches.sayNoRecord();
		} else {
			setOne(ui, toggle, record, isEnabled);
		}

		return;
	}

	if (markedIds.length === 0) {
		ui.say('info', 'Nothing that is marked is installed, so there is nothing to switch.');
	} else if (toggle.setMany(markedIds, isEnabled) === 0) {
		ui.say('info', `All ${markedIds.length} marked are ${stateWord(isEnabled)} already.`);
	}
};

type Actions = Partial<Record<ActionName, () => void>>;

const carryOut = (action: ActionName, ui: UiServices, actions: Actions): boolean => {
	const act = actions[action];
	if (act !== undefined && !refuseWhenReadOnly(ui)) {
		act();
	}

	return act !== undefined;
};

/** Undoes and redoes, on every list and whatever it was that was done; false for any other action. */
export const actOnHistory = (action: ActionName, ui: UiServices, toggle: Pick<Toggle, 'undo' | 'hasUndone' | 'redo'>): boolean => carryOut(action, ui, {
	undo() {
		if (!toggle.undo()) {
			ui.say('info', toggle.hasUndone() ? 'The last change is undone already.' : 'There is nothing to undo.');
		}
	},
	redo() {
		if (!toggle.redo()) {
			ui.say('info', 'There is no switching to do again.');
		}
	},
});

/** Carries out what switches abilities, on the Installed and the Abilities screen alike; false for any other action. */
export const actOnSwitches = (action: ActionName, switches: Switches): boolean => {
	const {ui, toggle, record} = switches;
	return actOnHistory(action, ui, toggle) || carryOut(action, ui, {
		toggle() {
			if (record === undefined) {
				switches.sayNoRecord();
			} else {
				switchOne(ui, toggle, record);
			}
		},
		'enable-marked'() {
			setMarked(switches, true);
		},
		'disable-marked'() {
			setMarked(switches, false);
		},
		retry() {
			if (!toggle.retry()) {
				ui.say('info', 'Nothing has failed that could be tried again.');
			}
		},
	});
};
