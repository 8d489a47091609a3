/** The categories that public clients know (`docs/interface.md`, Records), each with the short word that the screens use. */
const categoryLabels = {skill: 'skill', brain_skill: 'brain', background_daemon: 'daemon', local: 'local'} as const;

export type Category = keyof typeof categoryLabels;

export const categories = Object.keys(categoryLabels) as readonly Category[];

/** For help texts. */
export const categoryMeanings: Readonly<Record<Category, string>> = {
	skill: 'runs on a trigger phrase',
	brain_skill: 'the agent decides when it runs',
	background_daemon: 'runs all session',
	local: "runs on the user's device",
};

export function isCategory(value: unknown): value is Category {
	return typeof value === 'string' && Object.hasOwn(categoryLabels, value);
}

/** Returns the short word for a category; an unknown category is returned as it is. */
export function categoryLabel(category: string): string {
	return isCategory(category) ? categoryLabels[category] : category;
}

/** The words accepted for a category: the words in tables, then the words of the interface. */
export const categoryWords: readonly string[] = [...new Set([...Object.values(categoryLabels), ...categories])];

/** Returns the category for a word in any case: `daemon` as well as `background_daemon` and `background daemon`. */
export function categoryOf(word: string): Category | undefined {
	const wanted = word
		.trim()
		.toLowerCase()
		.replaceAll(/[\s\-_]+/g, '_');
	return categories.find(category => category === wanted || categoryLabels[category] === wanted);
}
