/** Why a file stays out of a package. */
export type JunkReason =
	| 'compiled'
	| 'version control'
	| 'virtual environment'
	| 'cache'
	| 'installed packages'
	| 'editor'
	| 'operating system'
	| 'secret';

type Rule = {
	readonly reason: JunkReason;
	/** Folders and files of these names, with all that is below them. */
	readonly names: readonly string[];
	/** Files whose name fits. */
	readonly pattern?: RegExp;
};

/*
What `LIVE-SERVICE.md` says stays out (“compiled files, .git, virtual environments and the like”), spelled out. Names are
compared without regard to case. What a developer may well mean to ship (`env/`, `build/`, `dist/`, logs) is not here.
*/
const rules: readonly Rule[] = [
	{
		// Made for one interpreter and machine; the service makes its own.
		reason: 'compiled',
		names: ['__pycache__'],
		pattern: /\.(?:py[cdo]|so|dylib|dll|o|a)$/,
	},
	{
		// Whole histories, with whatever was once committed by mistake.
		reason: 'version control',
		names: ['.git', '.hg', '.svn', '.jj', '.bzr', 'cvs', '.gitignore', '.gitattributes', '.gitmodules', '.hgignore'],
	},
	{
		// Thousands of files that are right on this machine only.
		reason: 'virtual environment',
		names: ['.venv', 'venv', '.virtualenv', 'virtualenv', 'pyvenv.cfg', '.direnv', '.pixi', '.conda'],
	},
	{
		// Made again whenever it is needed.
		reason: 'cache',
		names: [
			'.pytest_cache',
			'.mypy_cache',
			'.ruff_cache',
			'.pytype',
			'.hypothesis',
			'.tox',
			'.nox',
			'.cache',
			'.eggs',
			'.ipynb_checkpoints',
			'.coverage',
			'htmlcov',
			'.parcel-cache',
			'.turbo',
		],
		pattern: /\.egg-info$/,
	},
	{
		reason: 'installed packages',
		names: ['node_modules', 'bower_components', 'site-packages', '.pnp.cjs', '.yarn'],
	},
	{
		// The developer's own settings, and copies of files that are open.
		reason: 'editor',
		names: ['.vscode', '.idea', '.vs', '.fleet', '.zed', '.history', '.dir-locals.el', '.editorconfig'],
		pattern: /(?:^\.#.*|^#.*#|~|\.(?:sw[a-p]|un~|bak|orig|rej|tmp|sublime-(?:project|workspace)|code-workspace))$/,
	},
	{
		reason: 'operating system',
		names: [
			'.ds_store',
			'__macosx',
			'.appledouble',
			'.lsoverride',
			'.spotlight-v100',
			'.trashes',
			'.fseventsd',
			'thumbs.db',
			'ehthumbs.db',
			'desktop.ini',
			'$recycle.bin',
			'.directory',
		],
		pattern: /^(?:\._|\.trash-|\.nfs|\.fuse_hidden)/,
	},
	{
		// Keys and passwords, which would be readable to whoever gets the package.
		reason: 'secret',
		names: ['.envrc', '.netrc', '_netrc', '.pypirc', '.npmrc', '.pgpass', '.htpasswd', '.aws', '.ssh', '.gnupg', '.openhome', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
		// `.env.example` and its like are made to be shared.
		pattern: /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/,
	},
];

const reasonOfName = (name: string): JunkReason | undefined =>
	rules.find(({names, pattern}) => names.includes(name) || pattern?.test(name) === true)?.reason;

/**
Why the file or folder stays out of a package, or `undefined` where it goes in.

@param path - relative, its parts separated by `/`.
*/
export const junkReason = (path: string): JunkReason | undefined => {
	for (const name of path.toLowerCase().split('/')) {
		const reason = name === '' ? undefined : reasonOfName(name);
		if (reason !== undefined) {
			return reason;
		}
	}

	return undefined;
};

/** True where the file or folder stays out of a package. */
export const isJunk = (path: string): boolean => junkReason(path) !== undefined;

/** True for a folder that is a virtual environment under any name: each holds this file (PEP 405). */
export const isVirtualEnvironment = (namesInFolder: readonly string[]): boolean => namesInFolder.includes('pyvenv.cfg');
