import {type KeySource} from '../settings/sign-in-hint.ts';
import {keyName} from './keys/hints.ts';
import {type Keymap} from './keys/keymap.ts';

/** What to do on the screens when a key is refused. `SWITCHBOARD_API_KEY` overrides every stored key, `OPENHOME_API_KEY` none. */
export const helpForRefusedKeyHere = ({keyVariable}: KeySource, keymap: Keymap): string => {
	const key = keyName(keymap, 'connect');
	if (keyVariable === undefined) {
		return `${key} signs in again.`;
	}

	return keyVariable === 'SWITCHBOARD_API_KEY'
		? `Change the variable and start again. ${key} signs in with another key for now, but the variable overrides it at the next start.`
		: `Change the variable and start again, or sign in with another key: ${key}.`;
};
