import {
	actionNames,
	keyTable,
	placesOf,
	type ActionName,
	type Place,
} from './key-table.ts';

/** Keys of the person's own, by action; none unbinds the action. */
export type KeyOverrides = Readonly<Partial<Record<ActionName, readonly string[]>>>;

export type Keymap = {
	/** The action that a key stands for where these places are active, the nearest place first. */
	actionOf(keyName: string, places: readonly Place[]): ActionName | undefined;
	/** The keys of an action; empty where it is unbound. */
	keysOf(name: ActionName): readonly string[];
};

/** The key table with the person's own keys in it. */
export const createKeymap = (overrides: KeyOverrides = {}): Keymap => {
	const keysOf = (name: ActionName): readonly string[] => overrides[name] ?? keyTable[name].keys;
	const byPlace = new Map<Place, Map<string, ActionName>>();
	for (const name of actionNames) {
		const {place} = keyTable[name];
		const keys = byPlace.get(place) ?? new Map<string, ActionName>();
		byPlace.set(place, keys);
		for (const key of keysOf(name)) {
			keys.set(key, name);
		}
	}

	return {
		keysOf,
		actionOf(keyName, places) {
			for (const place of places) {
				const name = byPlace.get(place)?.get(keyName);
				if (name !== undefined) {
					return name;
				}
			}

			return undefined;
		},
	};
};

/** True where both places are active on some screen, so that one key cannot stand for an action of each. */
export const areTogether = (first: Place, second: Place): boolean =>
	Object.values(placesOf).some((places: readonly Place[]) => places.includes(first) && places.includes(second));
