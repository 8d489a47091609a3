import {cleanText} from '../../interface/clean-text.ts';
import {type KeyBinding, type KeyBindings, readKeyBindings} from '../../settings/key-bindings.ts';
import {type ActionName, actionNames, isActionName, type KeyScope, keyTable} from '../../words/key-table.ts';
import {
	createKeymap,
	doScopesOverlap,
	isKeyLine,
	keyLabel,
	type KeyLine,
	type Keymap,
	keyName,
	type KeyOverrides,
} from '../../words/keymap.ts';

/** Keys other than characters that terminals also send with Shift, Control and Alt. */
const functionKeys: ReadonlySet<string> = new Set([
	...'up down left right home end pageup pagedown insert delete'.split(' '),
	...Array.from({length: 20}, (_, index) => `f${index + 1}`),
]);

const plainKeys: ReadonlySet<string> = new Set(['space', 'enter', 'escape', 'tab', 'backspace']);

/** Other names for some of them, such as their labels in the help. */
const aliases: Readonly<Record<string, string>> = {
	esc: 'escape',
	return: 'enter',
	pgup: 'pageup',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
	ins: 'insert',
	del: 'delete',
	control: 'ctrl',
};

/**
Characters that a terminal sends with Control. For `h`, `i`, `j`, `m` and `[` it sends the bytes of Backspace, Tab, Enter and Escape, and
for any other character only the character, or nothing.
*/
const controlCharacters = /^[\\\]^_a-gkln-z]$/;

const modifierOrder = ['ctrl', 'alt', 'shift'];

/**
Returns the keyboard reader's name for a key as a person writes it, in any case and order: `Ctrl+D`, `PgDn`, `shift+ctrl+up`, `space`, `G`.
A single character is that character: `G` is not `g`.

@param isInEditor - true for a key of the editor, which takes Alt and a letter; on a slow connection these look like Escape and the letter,
and outside of the editor they mean that.
@returns `undefined` if there is no such key, or terminals send another key's bytes for it.
*/
export function parseKeyName(text: string, isInEditor = false): string | undefined {
	if (text === ' ') {
		return 'space';
	}

	if ([...text].length === 1) {
		return /^[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}]$/u.test(text) ? text : undefined;
	}

	const words = text
		.toLowerCase()
		.split('+')
		.map(word => aliases[word.trim()] ?? word.trim());
	const key = words.at(-1)!;
	const modifiers = words.slice(0, -1);
	if (new Set(modifiers).size < modifiers.length || modifiers.some(word => !modifierOrder.includes(word))) {
		return undefined;
	}

	const name = [...modifierOrder.filter(word => modifiers.includes(word)), key].join('+');
	const isKnown =
		functionKeys.has(key) ||
		(modifiers.length === 0 && plainKeys.has(key)) ||
		name === 'shift+tab' ||
		name === 'ctrl+space' ||
		(isInEditor && /^alt\+[a-z]$/.test(name)) ||
		(name === `ctrl+${key}` && controlCharacters.test(key));
	return isKnown ? name : undefined;
}

/** This key always quits: it cannot be unbound or given to another action. */
const quitKey = 'ctrl+c';

type CheckedOverrides = {
	readonly overrides: KeyOverrides;
	/** The ignored entries and the reasons, as clauses that start with the line in the file. */
	readonly problems: readonly string[];
};

type Entry = {readonly action: ActionName | KeyLine; readonly keys: readonly string[]};

/** Actions by their former names, which stay valid in the settings. */
const formerNames: ReadonlyMap<string, ActionName> = new Map([['edit-phrases', 'edit-installed']]);

/** The keys of lines work wherever no text is typed. */
const scopeOf = (action: Entry['action']): KeyScope => (isActionName(action) ? keyTable[action].scope : 'everywhere');

/**
Checks the person's own keys: each entry that conflicts or is unknown is ignored and reported. A default key that the person has given to
another action is removed from its own action, which keeps its other keys.
*/
export function checkKeyOverrides({bindings, wrongLine}: Pick<KeyBindings, 'bindings' | 'wrongLine'>): CheckedOverrides {
	const problems = wrongLine === undefined ? [] : [`line ${wrongLine}: “keys” is not an object`];
	const entries: Entry[] = [];
	for (const binding of bindings) {
		const entry = checkEntry(binding);
		const problem = typeof entry === 'string' ? entry : conflictOf(entry, entries);
		if (problem === undefined) {
			entries.push(entry as Entry);
		} else {
			problems.push(`line ${binding.line}: ${problem}`);
		}
	}

	return {overrides: toOverrides(entries), problems};
}

/** @returns the entry with its keys, or the reason why it is ignored. Quitting always keeps its own key too. */
function checkEntry({action: named, keys}: KeyBinding): Entry | string {
	const action = isKeyLine(named) ? cleanText(named).trim() : (formerNames.get(named) ?? named);
	const shown = cleanText(named, 60);
	if (!isActionName(action) && !isKeyLine(action)) {
		return `unknown action “${shown}”`;
	}

	if (keys === undefined) {
		return `“${shown}” needs a key, a list of keys, or null`;
	}

	const names = keys.map(key => parseKeyName(key, scopeOf(action) === 'text'));
	const unknown = keys[names.indexOf(undefined)];
	return unknown === undefined
		? {action, keys: [...new Set([...(names as readonly string[]), ...(action === 'quit' ? [quitKey] : [])])]}
		: `“${shown}” cannot use “${cleanText(unknown, 60)}”, which terminals do not send as a separate key`;
}

/** Returns the reason why an entry is ignored: one of its keys always quits, or an earlier entry has that key while both are active. */
function conflictOf({action, keys}: Entry, before: readonly Entry[]): string | undefined {
	for (const key of keys) {
		const other = key === quitKey ? 'quit' : before.find(entry => hasKey(entry, key, scopeOf(action)))?.action;
		if (other !== undefined && other !== action) {
			return `“${cleanText(action, 60)}” cannot use ${keyLabel(key)}, the key of “${cleanText(other, 60)}”`;
		}
	}

	return undefined;
}

const hasKey = ({action, keys}: Entry, key: string, scope: KeyScope): boolean =>
	doScopesOverlap(scopeOf(action), scope) && keys.includes(key);

/** The keys of the entries, and the default keys that other actions keep if entries have taken some of them. */
const toOverrides = (entries: readonly Entry[]): KeyOverrides =>
	Object.fromEntries([
		...entries.filter(({action}) => isKeyLine(action)).map(({action, keys}) => [action, keys] as const),
		...actionNames.flatMap(name => {
			const own = entries.find(({action}) => action === name);
			const {keys, scope} = keyTable[name];
			const left = keys.filter(key => entries.every(entry => !hasKey(entry, key, scope)));
			return own === undefined && left.length === keys.length ? [] : [[name, own?.keys ?? left] as const];
		}),
	]);

/**
Returns the keymap with the bindings from the settings file, whether the settings switch the mouse on, and a report on ignored entries.

@param options.unavailable - actions that cannot be carried out where these keys are pressed.
*/
export function openUserKeymap(options: {readonly configFolder?: string | undefined; readonly unavailable?: readonly ActionName[]} = {}): {
	readonly keymap: Keymap;
	readonly isMouseWanted: boolean;
	readonly notices: readonly string[];
} {
	const bindings = readKeyBindings(options);
	const {overrides, problems} = checkKeyOverrides(bindings);
	const keymap = createKeymap(overrides, options.unavailable);
	const [paletteKey] = keymap.keysOf('palette');
	const source = paletteKey === undefined ? '`switchboard help keys`' : `the palette (${keyLabel(paletteKey)})`;
	const nextSteps = `${keyName(keymap, 'messages')} shows all of this; ${source} lists every action.`;
	return {
		keymap,
		isMouseWanted: bindings.mouse === true,
		notices: [
			...(problems.length === 0 ? [] : [`Ignored key bindings in ${bindings.file}: ${problems.join('; ')}. ${nextSteps}`]),
			...(['boolean', 'undefined'].includes(typeof bindings.mouse)
				? []
				: [`Ignored “mouse” in ${bindings.file}: it must be true or false.`]),
		],
	};
}
