/** Reads one field of each item, or several as a list for each. */
export function fieldsOf<Item, Name extends keyof Item>(items: Iterable<Item>, name: Name): ReadonlyArray<Item[Name]>;
export function fieldsOf<Item>(items: Iterable<Item>, ...names: ReadonlyArray<keyof Item>): ReadonlyArray<readonly unknown[]>;
export function fieldsOf<Item>(items: Iterable<Item>, ...names: ReadonlyArray<keyof Item>): readonly unknown[] {
	return Array.from(items, item => (names.length === 1 ? item[names[0]!] : names.map(name => item[name])));
}
