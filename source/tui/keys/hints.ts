import {
	actionNames,
	keyTable,
	type ActionName,
	type KeyScope,
} from './key-table.ts';
import {keyLabel} from './key-labels.ts';
import {type Keymap} from './keymap.ts';

export type KeyHint = {
	readonly key: string;
	readonly label: string;
	/** True for what stays where there is no room for all: it leads to the others. */
	readonly isKept?: boolean;
};

/**
The key of an action within a sentence, as it is now: `Space`. One that has no key is asked for by its name in the palette,
by the key that this has: `:toggle`.
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

/** The hint of an action, for a line that names the keys that act now; `undefined` where it is unbound. */
export const hintOf = (keymap: Keymap, name: ActionName, label: string = keyTable[name].hint): KeyHint | undefined => {
	const [key] = keymap.keysOf(name);
	return key === undefined ? undefined : {key: key === 'escape' ? 'esc' : key, label, ...(name === 'help' && {isKept: true})};
};

/** How a text is scrolled that does not fit, as its position says. */
export const scrollHints = (keymap: Keymap, position: string): readonly KeyHint[] => {
	const keys = [keymap.keysOf('down')[0], keymap.keysOf('up')[0]].filter(key => key !== undefined);
	return position === '' || keys.length === 0 ? [] : [{key: keys.join('/'), label: 'scroll'}];
};

/** How a text is searched: how to begin or, once that is so, how to go on and to end it. */
export const searchHints = (keymap: Keymap, {isTyping, isActive}: {readonly isTyping: boolean; readonly isActive: boolean}): readonly KeyHint[] => {
	if (!isActive) {
		return [hintOf(keymap, 'filter', 'search')].filter(hint => hint !== undefined);
	}

	return [
		...(isTyping ? [{key: 'enter', label: 'keep'}] : []),
		{key: 'esc', label: 'end the search'},
		hintOf(keymap, 'next-match'),
		hintOf(keymap, 'previous-match'),
	].filter(hint => hint !== undefined);
};

/** What the hints hang on beside the screen. */
export type HintContext = {
	readonly isReadOnly?: boolean;
	/** True where rows are marked: then the hints are of what acts on those, and of what still acts on one row. */
	readonly hasMarks?: boolean;
};

/** The hints of the actions that act in these scopes and at this moment, the most useful first. */
export const hintsFor = (keymap: Keymap, scopes: readonly KeyScope[], {isReadOnly = false, hasMarks = false}: HintContext = {}): readonly KeyHint[] =>
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

export type KeyRow = {readonly name: ActionName; readonly keys: string; readonly scope: KeyScope; readonly description: string};

/** Every action with all its keys, for the help, the palette and the README. */
export const keyRows = (keymap: Keymap): readonly KeyRow[] =>
	actionNames.map(name => ({
		name,
		keys: keymap.keysOf(name).map(key => keyLabel(key)).join(', '),
		scope: keyTable[name].scope,
		description: keyTable[name].description,
	}));
