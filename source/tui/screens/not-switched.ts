import {type Ability} from '../../interface/records.ts';
import {type UiServices} from '../app-context.ts';
import {type InstalledState} from '../hooks/use-installed.ts';
import {keyName} from '../keys/hints.ts';
import {absenceCheck} from '../../interface/installed-lookup.ts';

type NotSwitched = {
	readonly name: string;
	/** `undefined` if it is not in the list of abilities. */
	readonly ability: Ability | undefined;
	/** True if the person must open the ability to install it. */
	readonly isOpenedFirst?: boolean;
};

/** Says why an ability without an installed record cannot be switched, and which key helps. */
export const sayNotSwitched = ({keymap, say}: UiServices, {records, isReading, error}: Pick<InstalledState, 'records' | 'isReading' | 'error'>, {name, ability, isOpenedFirst = false}: NotSwitched): void => {
	if (records === undefined) {
		const why = isReading ? 'are still being read' : 'could not be read';
		say(isReading ? 'info' : 'error', `It is not known yet whether ${name} is installed: the installed abilities ${why}.`, error, 'installed');
	} else if (ability === undefined) {
		say('info', `${name} cannot be switched: this service does not list it.`);
	} else if (!absenceCheck(records)(ability)) {
		say('info', `This service doesn't show which installed ability ${name} is. ${keyName(keymap, 'installed')} lists the installed abilities.`);
	} else if (isOpenedFirst) {
		say('info', `${name} is not installed: ${keyName(keymap, 'open')} opens it, then ${keyName(keymap, 'install')} installs it.`);
	} else {
		say('info', `${name} is not installed: ${keyName(keymap, 'install')} installs it.`);
	}
};
