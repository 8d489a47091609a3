import {type Ability} from '../../interface/records.ts';
import {type UiServices} from '../app-context.ts';
import {type InstalledState} from '../hooks/use-installed.ts';
import {keyName} from '../keys/hints.ts';
import {absenceCheck} from './installed-lookup.ts';

type NotSwitched = {
	readonly name: string;
	/** `undefined` where the list of abilities lacks it. */
	readonly ability: Ability | undefined;
	/** True where an ability has to be opened first to be installed. */
	readonly isOpenedFirst?: boolean;
};

/** Says why there is nothing to switch of an ability without an installed record, and which key helps. */
export const sayNotSwitched = ({keymap, say}: UiServices, {records, isReading, error}: Pick<InstalledState, 'records' | 'isReading' | 'error'>, {name, ability, isOpenedFirst = false}: NotSwitched): void => {
	if (records === undefined) {
		say('error', `Whether ${name} is installed is not known yet: the installed abilities ${isReading ? 'are still being read' : 'could not be read'}.`, error);
	} else if (ability === undefined) {
		say('info', `${name} cannot be switched: this service does not list it.`);
	} else if (!absenceCheck(records)(ability)) {
		say('info', `This service does not show which installed ability ${name} is. ${keyName(keymap, 'installed')} shows those to switch.`);
	} else if (isOpenedFirst) {
		say('info', `${name} is not installed: ${keyName(keymap, 'open')} opens it, then ${keyName(keymap, 'install')} installs it.`);
	} else {
		say('info', `${name} is not installed: ${keyName(keymap, 'install')} installs it.`);
	}
};
