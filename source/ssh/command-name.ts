/** The groups of commands, and what their commands do that may be called over SSH; lists are called by their group. */
const groups: ReadonlySet<string> = new Set(['agents', 'abilities', 'installed']);
const verbs: ReadonlySet<string> = new Set(['edit', 'get', 'delete']);

const isName = (word: string | undefined): word is string => word !== undefined && /^[a-z][-a-z]{0,30}$/.test(word);

/** What a command is called, without its arguments. */
export const commandName = ([first, second]: readonly string[]): string => {
	if (!isName(first)) {
		return 'a command';
	}

	return groups.has(first) && isName(second) && verbs.has(second) ? `${first} ${second}` : first;
};
