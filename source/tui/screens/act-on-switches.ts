import {type Program} from '../app-context.ts';
import {type Toggle} from '../hooks/use-toggle.ts';
import {keyName} from '../keys/hints.ts';
import {type ActionName} from '../keys/key-table.ts';
import {refuseWhenReadOnly} from './read-only.ts';

export type Switches = {
	readonly program: Program;
	readonly toggle: Toggle;
	/** Installed records of what is marked. */
	readonly markedIds: readonly number[];
	/** Switches what is under the cursor, or says why it cannot be. */
	switchCursor(): void;
};

const setMarked = ({program, toggle, markedIds}: Switches, isEnabled: boolean): void => {
	if (markedIds.length === 0) {
		program.say('info', `Nothing is marked that could be switched: ${keyName(program.keymap, 'mark')} marks a row, ${keyName(program.keymap, 'mark-all')} all shown.`);
		return;
	}

	if (toggle.setMany(markedIds, isEnabled) === 0) {
		program.say('info', `All ${markedIds.length} marked are ${isEnabled ? 'on' : 'off'} already.`);
	}
};

/** Carries out what switches abilities, on the Installed and the Abilities screen alike; false for any other action. */
export const actOnSwitches = (action: ActionName, switches: Switches): boolean => {
	const {program, toggle} = switches;
	const actions: Partial<Record<ActionName, () => void>> = {
		toggle() {
			switches.switchCursor();
		},
		'enable-marked'() {
			setMarked(switches, true);
		},
		'disable-marked'() {
			setMarked(switches, false);
		},
		undo() {
			if (!toggle.undo()) {
				program.say('info', 'There is nothing to undo.');
			}
		},
		redo() {
			if (!toggle.redo()) {
				program.say('info', 'There is nothing to do again.');
			}
		},
		retry() {
			if (!toggle.retry()) {
				program.say('info', 'Nothing has failed that could be tried again.');
			}
		},
	};
	const carryOut = actions[action];
	if (carryOut === undefined) {
		return false;
	}

	if (!refuseWhenReadOnly(program)) {
		carryOut();
	}

	return true;
};
