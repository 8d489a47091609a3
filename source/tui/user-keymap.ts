import {readKeyBindings} from '../settings/key-bindings.ts';
import {keyName} from './keys/hints.ts';
import {keyLabel} from './keys/key-labels.ts';
import {checkKeyOverrides} from './keys/key-overrides.ts';
import {createKeymap, type Keymap} from './keys/keymap.ts';

/**
The keymap with the bindings from the settings file.

@returns it, and what to report if some of them are ignored.
*/
export const openUserKeymap = (options: {readonly configFolder?: string | undefined} = {}): {readonly keymap: Keymap; readonly notices: readonly string[]} => {
	const bindings = readKeyBindings(options);
	const {overrides, problems} = checkKeyOverrides(bindings);
	const keymap = createKeymap(overrides);
	const [paletteKey] = keymap.keysOf('palette');
	const source = paletteKey === undefined ? '`switchboard help keys`' : `the palette (${keyLabel(paletteKey)})`;
	const nextSteps = `${keyName(keymap, 'messages')} shows all of this; ${source} lists every action.`;
	return {
		keymap,
		notices: problems.length === 0 ? [] : [`Ignored key bindings in ${bindings.file}: ${problems.join('; ')}. ${nextSteps}`],
	};
};
