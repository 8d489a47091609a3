import {type Hint} from '../state/hint.ts';
import {
	actionNames,
	keyTable,
	type ActionName,
	type KeyScope,
} from './key-table.ts';
import {keyLabel} from './key-labels.ts';
import {type Keymap} from './keymap.ts';

/**
The current key of an action, for a sentence: `Space`. An action without a key goes by its name in the palette, with the
palette's key: `:toggle`.
*/
export const keyName = (keymap: Keymap, name: ActionName): string => {
	const [key] = keymap.keysOf(name);
	if (key !== undefined) {
		return keyLabel(key);
	}

	const [paletteKey] = keymap.keysOf('palette');
	if (paletteKey === undefined) {
		return `“${name}” (which has no key)`;
	}

	const label = keyLabel(paletteKey);
	return label.length === 1 ? label + name : `${label} ${name}`;
};

/** The hint of an action for the hint line; `undefined` if it has no key. */
export const hintOf = (keymap: Keymap, name: ActionName, label: string = keyTable[name].hint): Hint | undefined => {
	const [key] = keymap.keysOf(name);
	return key === undefined ? undefined : {key: key === 'escape' ? 'esc' : key, label, ...(name === 'help' && {isKept: true})};
};

/** The hint for scrolling a text that does not fit; `position` is empty if it fits. */
export const scrollHints = (keymap: Keymap, position: string): readonly Hint[] => {
	const keys = [keymap.keysOf('down')[0], keymap.keysOf('up')[0]].filter(key => key !== undefined);
	return position === '' || keys.length === 0 ? [] : [{key: keys.join('/'), label: 'scroll'}];
};

/** The hints for searching a text: how to start or, during a search, how to go on and end it. */
export const searchHints = (keymap: Keymap, {isTyping, isActive}: {readonly isTyping: boolean; readonly isActive: boolean}): readonly Hint[] => {
	if (!isActive) {
		return [hintOf(keymap, 'filter', 'search')].filter(hint => hint !== undefined);
	}

	return [
		...(isTyping ? [{key: 'enter', label: 'keep'}] : []),
		{key: 'esc', label: 'end the search'},
		...(isTyping ? [{key: 'down/up', label: 'next, previous match'}] : [hintOf(keymap, 'next-match'), hintOf(keymap, 'previous-match')]),
	].filter(hint => hint !== undefined);
};

type HintContext = {
	readonly isReadOnly?: boolean;
	/** True if rows are marked: the hints are then for what works on those, and for what still works on one row. */
	readonly hasMarks?: boolean;
};

/** The hints of the actions that work in these scopes now, the most useful first. */
export const hintsFor = (keymap: Keymap, scopes: readonly KeyScope[], {isReadOnly = false, hasMarks = false}: HintContext = {}): readonly Hint[] =>
	actionNames
		.filter(name => scopes.includes(keyTable[name].scope) && !(isReadOnly && keyTable[name].writes))
		.map(name => {
			const {hintRank, marked, hint} = keyTable[name];
			return hasMarks ? {name, rank: marked?.rank, label: marked?.hint ?? hint} : {name, rank: hintRank, label: hint};
		})
		.filter(({rank}) => rank !== undefined)
		.toSorted((first, second) => first.rank! - second.rank!)
		.map(({name, label}) => hintOf(keymap, name, label))
		.filter(hint => hint !== undefined);

type KeyRow = {readonly name: ActionName; readonly keys: string; readonly scope: KeyScope; readonly description: string};

/** Every available action with all its keys, for the help, the palette and the README. */
export const keyRows = (keymap: Keymap): readonly KeyRow[] =>
	actionNames.filter(name => keymap.isAvailable(name)).map(name => ({
		name,
		keys: keymap.keysOf(name).map(key => keyLabel(key)).join(', '),
		scope: keyTable[name].scope,
		description: keyTable[name].description,
	}));
