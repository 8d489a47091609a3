/* Keys as people paste them: from a shell script, a file of variables (`docker --env-file` keeps its quotes) or a header. */

/**
Each with the key that it surrounds. Base64 may end in `=`, so a name counts only before something else, or if it is plainly the name of a
key.
*/
const wrappings: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
	['quotes', /^(?:(?<quote>["'`])(?<key>.*)\k<quote>|“(?<key>.*)”|‘(?<key>.*)’)$/su],
	['“export”', /^export\s(?<key>.*)$/su],
	['“NAME=”', /^(?:[a-z_]\w*\s*=(?!=*$)|\w*(?:key|token|jwt)\s*=(?=\s*$))(?<key>.*)$/isu],
	['“Bearer”', /^bearer(?:\s(?<key>.*)|$)/isu],
];

type UnwrappedKey = {
	/** May be empty. */
	readonly key: string;
	/** The parts that were stripped, each at most once. */
	readonly removed: readonly string[];
};

/** Strips everything around a pasted key: blanks, one pair of quotes, `export`, `NAME=` and `Bearer`. */
export function unwrapKey(text: string, removed: readonly string[] = []): UnwrappedKey {
	const key = text.trim();
	const found = wrappings.find(([name, pattern]) => !removed.includes(name) && pattern.test(key));
	if (found === undefined) {
		return {key, removed};
	}

	const [name, pattern] = found;
	return unwrapKey(pattern.exec(key)!.groups!['key'] ?? '', [...removed, name]);
}
