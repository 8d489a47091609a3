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
