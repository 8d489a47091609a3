import process from 'node:process';

/** A leading tilde would be the home folder. */
const safe = /^(?!~)[\w%+\-./:@~]+$/;
const safeOnWindows = /^[\w%+\-./:@\\~]+$/;

/** Returns a text as one word of a command that a person can copy into a shell, quoted if necessary. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
	if (platform === 'win32') {
		return safeOnWindows.test(word) ? word : `"${word}"`;
	}

	return safe.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** One word: plain characters, escaped characters and quoted parts, in any order without whitespace in between. */
const word = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/gu;

const wordPart = /\\(?<escaped>[\s\S])|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"/gu;

const unquoted = (text: string): string =>
	text.replaceAll(wordPart, (...captures: readonly unknown[]) => {
		const {escaped, single, double} = captures.at(-1) as {readonly escaped?: string; readonly single?: string; readonly double?: string};
		return escaped ?? single ?? double!.replaceAll(/\\(?<character>["$\\`])/gu, '$<character>');
	});

/**
Splits a command line into words as a POSIX shell does (POSIX.1-2024, Shell Command Language, 2.2): blanks separate words,
quotation marks and backslashes are removed. Nothing is expanded or run.

@returns `undefined` if a quotation mark is not closed or the line ends with a backslash.
*/
export function splitShellWords(line: string): readonly string[] | undefined {
	const rest = line.replaceAll(word, '');
	return rest.trim() === '' ? [...line.matchAll(word)].map(([text]) => unquoted(text)) : undefined;
}

/**
Splits a person's command for another program, such as `$EDITOR`, into the program and its arguments. On Windows a backslash separates the
folders of a path.

@returns `undefined` if it names no program.
*/
export function splitCommand(
	command: string,
	platform: NodeJS.Platform,
): {readonly program: string; readonly args: readonly string[]} | undefined {
	const [program, ...args] = splitShellWords(platform === 'win32' ? command.replaceAll('\\', String.raw`\\`) : command) ?? [];
	return program === undefined || program === '' ? undefined : {program, args};
}
