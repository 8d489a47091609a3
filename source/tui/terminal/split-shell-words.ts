/** One word: plain characters, an escaped character, or a quoted part, in any order without a blank between. */
const word = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/gu;

const wordPart = /\\(?<escaped>[\s\S])|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"/gu;

const unquoted = (text: string): string => text.replaceAll(wordPart, (...captures: readonly unknown[]) => {
	const {escaped, single, double} = captures.at(-1) as {readonly escaped?: string; readonly single?: string; readonly double?: string};
	return escaped ?? single ?? double!.replaceAll(/\\(?<character>["$\\`])/gu, '$<character>');
});

/**
The words of a line as a POSIX shell splits them (POSIX.1-2024, Shell Command Language, 2.2): blanks part words, quotation
marks and backslashes are taken off. Nothing is expanded and nothing is run.

@returns `undefined` where a quotation mark is never closed, or a backslash stands at the end.
*/
export const splitShellWords = (line: string): readonly string[] | undefined => {
	const rest = line.replaceAll(word, '');
	return rest.trim() === '' ? [...line.matchAll(word)].map(([text]) => unquoted(text)) : undefined;
};
