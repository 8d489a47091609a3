import {type ActionName, actionNames, type KeyScope, keyTable, scopesOf} from './key-table.ts';

export type Hint = {
	readonly key: string;
	readonly label: string;
	/** True for a hint that stays if there is no room for all. */
	readonly isKept?: boolean;
};

/** A line of the palette, such as `:preset night`, or a filter, such as `/is:off`, that has a key. */
export type KeyLine = `${':' | '/'}${string}`;

/** Tells whether a name of the settings is such a line, and not the key `:` or `/` itself. */
export function isKeyLine(name: string): name is KeyLine {
	return /^[:/]\s*\S/u.test(name);
}

/** The person's own keys, by action or line; an empty list unbinds it. */
export type KeyOverrides = Readonly<Partial<Record<ActionName | KeyLine, readonly string[]>>>;

/**
Returns the key table with the person's own keys.

@param unavailable - actions that cannot be carried out where these keys are pressed.
*/
export function createKeymap(overrides: KeyOverrides = {}, unavailable: readonly ActionName[] = []) {
	const boundKeysOf = (name: ActionName): readonly string[] => overrides[name] ?? keyTable[name].keys;
	const isAvailable = (name: ActionName): boolean => !unavailable.includes(name);
	const keysOf = (name: ActionName): readonly string[] => (isAvailable(name) ? boundKeysOf(name) : []);
	const lines = Object.entries(overrides).flatMap(([line, keys]) =>
		isKeyLine(line) && keys !== undefined && keys.length > 0 ? [{line, keys}] : [],
	);
	const byScope = new Map<KeyScope, Map<string, ActionName>>();
	for (const name of actionNames) {
		const {scope} = keyTable[name];
		const keys = byScope.get(scope) ?? new Map<string, ActionName>();
		byScope.set(scope, keys);
		for (const key of keysOf(name)) {
			keys.set(key, name);
		}
	}

	return {
		keysOf,
		isAvailable,
		/** The lines that have keys. */
		lines,
		lineOf: (keyName: string): KeyLine | undefined => lines.find(({keys}) => keys.includes(keyName))?.line,
		/** The action that a key would have if it were available here. */
		unavailableActionOf: (keyName: string) => unavailable.find(name => boundKeysOf(name).includes(keyName)),
		/** The action of a key in these active scopes, the nearest scope first. */
		actionOf(keyName: string, scopes: readonly KeyScope[]): ActionName | undefined {
			for (const scope of scopes) {
				const name = byScope.get(scope)?.get(keyName);
				if (name !== undefined) {
					return name;
				}
			}

			return undefined;
		},
	};
}

export type Keymap = ReturnType<typeof createKeymap>;

const isSideways = ({keysOf}: Keymap, action: 'previous-screen' | 'next-screen', sideways: readonly string[], keyName: string): boolean =>
	sideways.includes(keyName) && keysOf(action).includes(keyName);

/**
Tells whether a key goes back while something is open and no text is typed: Escape, the keys that quit from a list, and h and Left unless
the person bound them to another action. Ctrl+C never gets here, as it quits everywhere.
*/
export function isBackKey(keymap: Keymap, keyName: string): boolean {
	return keyName === 'escape' || keymap.keysOf('quit').includes(keyName) || isSideways(keymap, 'previous-screen', ['h', 'left'], keyName);
}

/** Tells whether a key opens the row under the cursor while something is open: the action's own keys, l and Right. */
export function isOpenKey(keymap: Keymap, keyName: string): boolean {
	return keymap.keysOf('open').includes(keyName) || isSideways(keymap, 'next-screen', ['l', 'right'], keyName);
}

/** Tells whether both scopes are active on some screen, or both belong to the editor, so that they cannot share a key. */
export function doScopesOverlap(first: KeyScope, second: KeyScope): boolean {
	return first === second || Object.values(scopesOf).some(scopes => scopes.includes(first) && scopes.includes(second));
}

const labels: Readonly<Record<string, string>> = {
	space: 'Space',
	enter: 'Enter',
	escape: 'Esc',
	tab: 'Tab',
	'shift+tab': 'Shift+Tab',
	up: 'Up',
	down: 'Down',
	left: 'Left',
	right: 'Right',
	pageup: 'PgUp',
	pagedown: 'PgDn',
	home: 'Home',
	end: 'End',
	backspace: 'Backspace',
	delete: 'Del',
};

/** Returns a key's name as people write it: `Ctrl+D` for `ctrl+d`; a printable key is itself. */
export function keyLabel(name: string): string {
	const label = labels[name];
	if (label !== undefined) {
		return label;
	}

	return [...name].length === 1
		? name
		: name
				.split(/\+(?=.)/u)
				.map(word => labels[word] ?? `${word[0]!.toUpperCase()}${word.slice(1)}`)
				.join('+');
}

/**
Returns the current key of an action, for a sentence: `Space`. An action without a key is named as in the palette, after the palette's key:
`:toggle`.
*/
export function keyName(keymap: Keymap, name: ActionName): string {
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
}

/** Returns the hint of an action for the hint line; `undefined` if it has no key. */
export function hintOf(keymap: Keymap, name: ActionName, label: string = keyTable[name].hint): Hint | undefined {
	const [key] = keymap.keysOf(name);
	return key === undefined ? undefined : {key: key === 'escape' ? 'esc' : key, label, ...(name === 'help' && {isKept: true})};
}

/** Returns the hint for scrolling a text that does not fit; `position` is empty if it fits. */
export function scrollHints(keymap: Keymap, position: string): readonly Hint[] {
	const keys = [keymap.keysOf('down')[0], keymap.keysOf('up')[0]].filter(key => key !== undefined);
	return position === '' || keys.length === 0 ? [] : [{key: keys.join('/'), label: 'scroll'}];
}

/** Returns the hints for searching a text: how to start it or, during a search, how to go on and end it. */
export function searchHints(
	keymap: Keymap,
	{isTyping, isActive}: {readonly isTyping: boolean; readonly isActive: boolean},
): readonly Hint[] {
	if (!isActive) {
		return [hintOf(keymap, 'filter', 'search')].filter(hint => hint !== undefined);
	}

	return [
		...(isTyping ? [{key: 'enter', label: 'keep'}] : []),
		{key: 'esc', label: 'end the search'},
		...(isTyping ? [{key: 'down/up', label: 'next, previous match'}] : [hintOf(keymap, 'next-match'), hintOf(keymap, 'previous-match')]),
	].filter(hint => hint !== undefined);
}

type HintContext = {
	readonly isReadOnly?: boolean;
	/** True if rows are marked: the hints are then for actions on the marked rows, and for actions that still work on one row. */
	readonly hasMarks?: boolean;
	/** The hint of undo; without one there is nothing to undo. */
	readonly undo?: string | undefined;
};

export function hintsFor(
	keymap: Keymap,
	scopes: readonly KeyScope[],
	{isReadOnly = false, hasMarks = false, undo}: HintContext = {},
): readonly Hint[] {
	return actionNames
		.filter(
			name => scopes.includes(keyTable[name].scope) && !(isReadOnly && keyTable[name].writes) && (name !== 'undo' || undo !== undefined),
		)
		.map(name => {
			const {hintRank, marked, hint} = keyTable[name];
			const label = name === 'undo' ? undo! : hint;
			return hasMarks ? {name, rank: marked?.rank, label: marked?.hint ?? label} : {name, rank: hintRank, label};
		})
		.filter(({rank}) => rank !== undefined)
		.toSorted((first, second) => first.rank! - second.rank!)
		.map(({name, label}) => hintOf(keymap, name, label))
		.filter(hint => hint !== undefined);
}

/** Returns the purpose of a daily key, in a few words; `undefined` for an action that is not used every day. */
export function dailyText(name: ActionName): string | undefined {
	const {daily, description} = keyTable[name];
	return daily === true ? description : daily;
}

/** Returns all keys of a row of the help, with their labels. */
export function keyLabels(keys: readonly string[]): string {
	return keys.map(key => keyLabel(key)).join(', ');
}

type KeyRow = {readonly name: ActionName; readonly keys: string; readonly scope: KeyScope; readonly description: string};

/** Returns every available action with all its keys, for the help, the palette and the README. */
export function keyRows(keymap: Keymap): readonly KeyRow[] {
	return actionNames
		.filter(name => keymap.isAvailable(name))
		.map(name => ({name, keys: keyLabels(keymap.keysOf(name)), scope: keyTable[name].scope, description: keyTable[name].description}));
}

/** Returns the words for the key that tries again, and for the time: only a service that limits requests says how long to wait. */
export function retryText(key: string, nextStep: string | undefined, verb = 'tries again.'): string {
	const wait = /^Try again in (?:\d+ s|a minute)(?=\.$)/.exec(nextStep ?? '')?.[0];
	return wait === undefined ? `${key} ${verb}` : `${wait} with ${key}.`;
}

type ActionHandlers = Readonly<Partial<Record<ActionName, () => void>>>;

/** Carries out an action; returns false if no handler is for it. */
export function runAction(handlers: ActionHandlers, action: ActionName | undefined): boolean {
	const handle = action && handlers[action];
	handle?.();
	return handle !== undefined;
}
