import {type UiServices} from '../app-context.ts';
import {keyLabel} from '../keys/key-labels.ts';
import {
	keyTable,
	scopesOf,
	screensOf,
	type KeyScope,
} from '../keys/key-table.ts';
import {screenNames} from '../state/view.ts';

/** Says on which screens a key works that does nothing in these scopes. Returns false for a key that works here or nowhere. */
export const explainKey = (keyName: string, scopesHere: readonly KeyScope[], {keymap, say}: UiServices): boolean => {
	const actions = new Set(screenNames.map(name => keymap.actionOf(keyName, scopesOf[name])).filter(action => action !== undefined));
	if (actions.size === 0 || keymap.actionOf(keyName, scopesHere) !== undefined) {
		return false;
	}

	// Where it does something else on each of them, the message says what.
	const elsewhere = [...actions].map(action => screensOf(keyTable[action].scope).join(' and ') + (actions.size > 1 ? ` (${keyTable[action].hint})` : ''));
	say('info', `${keyLabel(keyName)} works on ${elsewhere.join(' and ')}, not here.`);
	return true;
};
