import {readKeyBindings} from '../settings/key-bindings.ts';
import {keyName} from './keys/hints.ts';
import {keyLabel} from './keys/key-labels.ts';
import {checkKeyOverrides} from './keys/key-overrides.ts';
import {createKeymap, type Keymap} from './keys/keymap.ts';

/**
The keymap with the keys of the person's own from the settings file.

@returns it with what to tell the person where some of them are left out.
*/
export const openUserKeymap = (options: {readonly configFolder?: string | undefined} = {}): {readonly keymap: Keymap; readonly notices: readonly string[]} => {
	const bindings = readKeyBindings(options);
	const {overrides, problems} = checkKeyOverrides(bindings);
	const keymap = createKeymap(overrides);
	const [paletteKey] = keymap.keysOf('palette');
	const source = paletteKey === undefined ? 'README' : `palette (${keyLabel(paletteKey)})`;
	const whereAllIs = `${keyName(keymap, 'messages')} shows all of this, the ${source} names every action.`;
	return {
		keymap,
		notices: problems.length === 0 ? [] : [`Of the keys in ${bindings.file} these are left out: ${problems.join('; ')}. ${whereAllIs}`],
	};
};
