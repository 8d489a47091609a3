import {
	actionNames,
	keyTable,
	scopesOf,
	type ActionName,
	type KeyScope,
} from './key-table.ts';

/** The person's own keys, by action; an empty list unbinds the action. */
export type KeyOverrides = Readonly<Partial<Record<ActionName, readonly string[]>>>;

export type Keymap = {
	/** The action of a key if these scopes are active, the nearest scope first. */
	actionOf(keyName: string, scopes: readonly KeyScope[]): ActionName | undefined;
	/** The keys of an action; empty if it is unbound. */
	keysOf(name: ActionName): readonly string[];
	/** False for an action that is not available here; it has no keys. */
	isAvailable(name: ActionName): boolean;
	/** The action that a key would have if it were available here. */
	unavailableActionOf(keyName: string): ActionName | undefined;
};

/**
The key table with the person's own keys.

@param unavailable - actions that cannot be carried out where these keys are pressed.
*/
export const createKeymap = (overrides: KeyOverrides = {}, unavailable: readonly ActionName[] = []): Keymap => {
	const boundKeysOf = (name: ActionName): readonly string[] => overrides[name] ?? keyTable[name].keys;
	const isAvailable = (name: ActionName): boolean => !unavailable.includes(name);
	const keysOf = (name: ActionName): readonly string[] => isAvailable(name) ? boundKeysOf(name) : [];
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
		unavailableActionOf: keyName => unavailable.find(name => boundKeysOf(name).includes(keyName)),
		actionOf(keyName, scopes) {
			for (const scope of scopes) {
				const name = byScope.get(scope)?.get(keyName);
				if (name !== undefined) {
					return name;
				}
			}

			return undefined;
		},
	};
};

/** True for a key that goes back where something is open and no text is typed: Escape, and the keys that quit from a list. Ctrl+C never gets there: it quits everywhere. */
export const isBackKey = ({keysOf}: Keymap, keyName: string): boolean => keyName === 'escape' || keysOf('quit').includes(keyName);

/** True if both scopes are active on some screen, or are those of the editor, so that they cannot share a key. */
export const doScopesOverlap = (first: KeyScope, second: KeyScope): boolean =>
	first === second || Object.values(scopesOf).some(scopes => scopes.includes(first) && scopes.includes(second));
