import {type UiServices} from '../app-context.ts';
import {keyLabel} from '../keys/key-labels.ts';
import {
	keyTable,
	scopesOf,
	screensOf,
	type KeyScope,
} from '../keys/key-table.ts';
import {screenNames} from '../state/view.ts';

/** Says why a key does nothing in these scopes: on which screens it works, or that its action is not available. Returns false for a key that works here or nowhere. */
export const explainKey = (keyName: string, scopesHere: readonly KeyScope[], {keymap, say}: UiServices): boolean => {
	const unavailable = keymap.unavailableActionOf(keyName);
	if (unavailable !== undefined) {
		say('info', `${keyLabel(keyName)} (${keyTable[unavailable].hint}) is not available over SSH.`);
		return true;
	}

	const actions = new Set(screenNames.map(name => keymap.actionOf(keyName, scopesOf[name])).filter(action => action !== undefined));
	if (actions.size === 0 || keymap.actionOf(keyName, scopesHere) !== undefined) {
		return false;
	}

	// Where it does something else on each of them, the message says what.
	const elsewhere = [...actions].map(action => screensOf(keyTable[action].scope).join(' and ') + (actions.size > 1 ? ` (${keyTable[action].hint})` : ''));
	say('info', `${keyLabel(keyName)} works on ${elsewhere.join(' and ')}, not here.`);
	return true;
};
