import assert from 'node:assert/strict';

/** Asserts that a list holds no such item; it fails with those that it holds. */
export function assertNone<Item>(items: Iterable<Item>, isWrong: (item: Item, index: number) => unknown, message?: string): void {
	assert.deepEqual([...items].filter(isWrong), [], message);
}

/** Asserts what is made of each item of a list. */
export function assertMapped<Item>(
	items: Iterable<Item>,
	map: (item: Item, index: number) => unknown,
	expected: unknown,
	message?: string,
): void {
	assert.deepEqual(Array.from(items, map), expected, message);
}

/** Asserts that a list holds such an item; it fails with the list. */
export function assertSome<Item>(items: Iterable<Item>, isRight: (item: Item) => unknown, message?: string): void {
	const all = [...items];
	assert.ok(all.some(isRight), message ?? all.join('\n'));
}

/** Returns a callback that adds what it is given to a list. */
export function addTo<Item>(list: Item[]): (item: Item) => void {
	return item => {
		list.push(item);
	};
}
