/** Values by key, in the order in which they came. */
export const groupBy = <Item, Value>(items: readonly Item[], key: (item: Item) => number, value: (item: Item) => Value): ReadonlyMap<number, Value[]> => {
	const groups = new Map<number, Value[]>();
	for (const item of items) {
		const group = groups.get(key(item));
		if (group === undefined) {
			groups.set(key(item), [value(item)]);
		} else {
			group.push(value(item));
		}
	}

	return groups;
};

/** A column that holds a list of texts as JSON; only this service writes it. */
export const parseTexts = (json: string): string[] => JSON.parse(json) as string[];
