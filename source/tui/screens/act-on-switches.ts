import {absenceCheck, stateWord} from '../../interface/installed-lookup.ts';
import type {Ability, InstalledAbility} from '../../interface/records.ts';
import type {UiServices} from '../app-context.ts';
import type {InstalledState, Toggle} from '../hooks/use-resource.ts';
import type {ActionName} from '../../words/key-table.ts';
import {keyName, type Keymap} from '../../words/keymap.ts';
import {timerText} from '../../words/timer-words.ts';
import {typedTime} from './timer-field.tsx';

/** Carries out undo, redo and retry, on every list; returns false for any other action. */
export function actOnHistory(action: ActionName, {say}: UiServices, toggle: Pick<Toggle, 'undo' | 'redo' | 'retry'>): boolean {
	if (action !== 'undo' && action !== 'redo' && action !== 'retry') {
		return false;
	}

	if (!toggle[action]()) {
		say('info', `Nothing to ${action}.`);
	}

	return true;
}

type Switches = {
	readonly ui: UiServices;
	readonly toggle: Toggle;
	/** The installed records of the marked rows; `undefined` if no row is marked. */
	readonly markedIds: readonly number[] | undefined;
	readonly record: Pick<InstalledAbility, 'id' | 'name'> | undefined;
	/** Says why there is no record. */
	sayNoRecord(): void;
};

const setKeysText = (keymap: Keymap, it: 'it' | 'them'): string =>
	`${keyName(keymap, 'enable-marked')} switches ${it} on, ${keyName(keymap, 'disable-marked')} off.`;

/**
Carries out actions that switch abilities, in lists and on opened records, or says why these cannot be switched; returns false for any other
action.
*/
export function actOnSwitches(action: ActionName, {ui, toggle, markedIds, record, sayNoRecord}: Switches): boolean {
	const {keymap, say} = ui;
	if (action !== 'toggle' && action !== 'timer' && action !== 'enable-marked' && action !== 'disable-marked') {
		return actOnHistory(action, ui, toggle);
	} else if (record === undefined && markedIds === undefined) {
		sayNoRecord();
	} else if (action === 'timer') {
		askForTimer(ui, toggle, markedIds ?? [record!.id]);
	} else if (action === 'toggle' && markedIds === undefined) {
		if (!toggle.toggle(record!.id)) {
			say('info', `This service doesn't show whether ${record!.name} is on. ${setKeysText(keymap, 'it')}`);
		}
	} else {
		const ids = markedIds ?? [record!.id];
		const isEnabled = action === 'enable-marked';
		const count = action === 'toggle' ? toggle.toggleMany(ids) : toggle.setMany(ids, isEnabled);
		if (ids.length === 0) {
			say('info', 'None of the marked abilities is installed: nothing to switch.');
		} else if (count === 0 && action === 'toggle') {
			say('info', `This service doesn't show which of the marked ones are on. ${setKeysText(keymap, 'them')}`);
		} else if (count === 0) {
			const subject =
				markedIds === undefined ? `${record!.name} is` : ids.length === 1 ? 'The marked one is' : `All ${ids.length} marked are`;
			say('info', `${subject} already ${stateWord(isEnabled)}.`);
		}
	}

	return true;
}

/** Asks for the time at which the present states end. */
function askForTimer({store, say, timeZone}: UiServices, {timers}: Pick<Toggle, 'timers'>, ids: readonly number[]): void {
	const records = timers.shown(ids);
	const [first] = records;
	if (first === undefined) {
		say('info', 'This service does not show which of them are on: no timer was set.');
		return;
	}

	const {name, isEnabled, timer} = first;
	const isOne = records.length === 1;
	store.dispatch({
		type: 'open',
		overlay: {
			kind: 'timer',
			title: isOne
				? `${name} is ${stateWord(isEnabled)}${timer?.overdue === undefined ? '' : `; ${timerText(timer, timeZone)}`}`
				: `${records.length} abilities stay as they are`,
			initial:
				isOne && timer !== undefined && timer.overdue === undefined
					? `${typedTime(timer.at, {now: Date.now(), ...timeZone})} ${timer.note}`.trim()
					: '',
			onTime(time) {
				void timers.set(records, time);
			},
			...(records.every(each => each.timer !== undefined) && {
				onCancel() {
					void timers.set(records, null);
				},
			}),
		},
	});
}

type NotSwitched = {
	readonly name: string;
	readonly ability: Ability | undefined;
	/** True if the person must open the ability to install it. */
	readonly isOpenedFirst?: boolean;
};

/** Says why an ability without an installed record cannot be switched, and names the key that helps. */
export function sayNotSwitched(
	{keymap, say}: UiServices,
	{records, isReading, error}: Pick<InstalledState, 'records' | 'isReading' | 'error'>,
	{name, ability, isOpenedFirst = false}: NotSwitched,
): void {
	if (records === undefined) {
		const why = isReading ? 'are still being read' : 'could not be read';
		say(
			isReading ? 'info' : 'error',
			`It is not known yet whether ${name} is installed: the installed abilities ${why}.`,
			error,
			'installed',
		);
	} else if (ability === undefined) {
		say('info', `${name} cannot be switched: this service does not list it.`);
	} else if (absenceCheck(records)(ability)) {
		const opens = isOpenedFirst ? `${keyName(keymap, 'open')} opens it, then ` : '';
		say('info', `${name} is not installed: ${opens}${keyName(keymap, 'install')} installs it.`);
	} else {
		say(
			'info',
			`This service doesn't show which installed ability ${name} is. ${keyName(keymap, 'installed')} lists the installed abilities.`,
		);
	}
}
