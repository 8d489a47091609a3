/*
The full list of the files that stay out of a package (`docs/interface.md`, Upload). Names are compared without regard to case. Files that a
developer may mean to ship (`env/`, `build/`, `dist/`, logs) are not in it. Folders with these names stay out with everything below them.
*/

type Names = ReadonlySet<string>;

/** Whole histories, with anything that was once committed by mistake. Git's is litter: the vendor's clients pack it with the rest. */
const historyNames: Names = new Set(['.hg', '.svn', '.jj', '.bzr', 'cvs']);

/** Thousands of files that only work on one machine. */
const environmentNames: Names = new Set(['.venv', 'venv', '.virtualenv', 'virtualenv', 'pyvenv.cfg', '.direnv', '.pixi', '.conda']);

/** Keys and passwords, which anyone who gets the package could read. */
const secretNames: Names = new Set(
	[
		['.envrc', '.netrc', '_netrc', '.pypirc', '.npmrc', '.pgpass', '.htpasswd', '.aws', '.ssh', '.gnupg', '.openhome'],
		['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
	].flat(),
);

/** As a pattern; `.env.example` and the like are made to be shared. */
const secretPattern = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/;

/** The names that no package may hold, each with the reason as a clause that follows the file's name. */
const forbidden: ReadonlyArray<readonly [isMeant: (name: string) => boolean, reason: string]> = [
	[name => historyNames.has(name), 'belongs to the history of a version control system'],
	[name => environmentNames.has(name), 'belongs to a virtual environment'],
	[name => secretNames.has(name) || secretPattern.test(name), 'may contain a key or a password'],
];

/** Ties a folder to its ability (`docs/interface.md`). */
export const tieFileName = '.openhome.json';

/** Names that no ability needs. */
const litterNames: Names = new Set(
	[
		// Compiled: made for one interpreter and machine; the service makes its own.
		['__pycache__'],
		// Version control.
		['.hgignore'],
		[tieFileName],
		// Caches: made again when needed.
		['.pytest_cache', '.mypy_cache', '.ruff_cache', '.pytype', '.hypothesis', '.tox', '.nox', '.cache', '.eggs'],
		['.ipynb_checkpoints', '.coverage', 'htmlcov', '.parcel-cache', '.turbo'],
		// Installed packages.
		['node_modules', 'bower_components', 'site-packages', '.pnp.cjs', '.yarn'],
		// Editors: the developer's own settings.
		['.vscode', '.idea', '.vs', '.fleet', '.zed', '.history', '.dir-locals.el', '.editorconfig'],
		// Operating systems.
		['.ds_store', '__macosx', '.appledouble', '.lsoverride', '.spotlight-v100', '.trashes', '.fseventsd'],
		['thumbs.db', 'ehthumbs.db', 'desktop.ini', '$recycle.bin', '.directory'],
	].flat(),
);

/** Patterns for names that no ability needs. */
const litterPatterns: readonly RegExp[] = [
	// Version control; Windows knows the folder by the other name, too.
	/^(?:\.git|git~\d)/,
	// Compiled.
	/\.(?:py[cdo]|so|dylib|dll|o|a)$/,
	// Caches.
	/\.egg-info$/,
	// Editors' copies of open files.
	/(?:^\.#.*|^#.*#|~|\.(?:sw[a-p]|un~|bak|orig|rej|tmp|sublime-(?:project|workspace)|code-workspace))$/,
	// Operating systems.
	/^(?:\._|\.trash-|\.nfs|\.fuse_hidden)/,
];

/**
The names in a path as the least careful file system reads them: it may ignore case, invisible characters, or dots and spaces at the end.
*/
const plainNames = (path: string): readonly string[] =>
	path
		.toLowerCase()
		.split('/')
		.map(name => name.replaceAll(/\p{Default_Ignorable_Code_Point}|(?<![. ])[. ]+$/gu, ''));

/**
Returns why no package may hold the file or folder, as a clause that follows its name; `undefined` if a package may hold it.

@param path - relative, its parts separated by `/`.
*/
export function forbiddenReason(path: string): string | undefined {
	const names = plainNames(path);
	return forbidden.find(([isMeant]) => names.some(name => isMeant(name)))?.[1];
}

/**
Tells whether the file or folder stays out of a package.

@param path - relative, its parts separated by `/`.
*/
export function isJunk(path: string): boolean {
	return (
		forbiddenReason(path) !== undefined ||
		plainNames(path).some(name => litterNames.has(name) || litterPatterns.some(pattern => pattern.test(name)))
	);
}

/** Files made to be shared, which show people and their tools how to start. */
const sharedDotNames: Names = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist', '.flake8', '.python-version']);

/** Tells whether the file may change how programs behave in its folder without being seen there: a name in its path begins with a dot. */
export function isHidden(path: string): boolean {
	const names = path.toLowerCase().split('/');
	return names.some((name, index) => name.startsWith('.') && !(index === names.length - 1 && sharedDotNames.has(name)));
}

/** Returns the file or folder that keeps a path out of packages: such as `lamps/.git/` for each file in that folder. */
export function junkRoot(path: string): string {
	const names = path.split('/');
	const length = names.findIndex((_name, index) => isJunk(names.slice(0, index + 1).join('/'))) + 1;
	return length === 0 || length === names.length ? path : `${names.slice(0, length).join('/')}/`;
}

/** Tells whether a folder is a virtual environment, whatever its name: each contains this file (PEP 405). */
export function isVirtualEnvironment(namesInFolder: readonly string[]): boolean {
	return namesInFolder.includes('pyvenv.cfg');
}
