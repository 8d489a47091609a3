/** Returns a count with separated thousands: 1,400. `Intl` is not used because it is slow to load. */
export function formatCount(count: number): string {
	return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns a count with its noun, whose plural has an s: 1 record, 1,400 records. */
export function counted(count: number, noun: string): string {
	return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the first words, and the number of the others: “lamps, pantry and 3 more”. */
export function firstWords(words: readonly string[], maximumCount: number): string {
	const first = words.slice(0, maximumCount).join(', ');
	return words.length <= maximumCount ? first : `${first} and ${formatCount(words.length - maximumCount)} more`;
}

/** Returns words as a list: “its image, version 1 and its publication”. */
export function wordList(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
	const first = words.slice(0, -1);
	return first.length === 0 ? (words[0] ?? '') : `${first.join(', ')} ${conjunction} ${words.at(-1)!}`;
}
