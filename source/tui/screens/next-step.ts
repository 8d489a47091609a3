import {type SwitchboardError} from '../../interface/errors.ts';
import {keyName} from '../keys/hints.ts';
import {type Keymap} from '../keys/keymap.ts';

/** What can be done about an error on the screens: where it names a command, a key does the same. */
export const nextStepHere = ({kind, nextStep}: SwitchboardError, keymap: Keymap): string | undefined =>
	kind === 'key-refused' ? `${keyName(keymap, 'profiles')} connects with another API key.` : nextStep;
