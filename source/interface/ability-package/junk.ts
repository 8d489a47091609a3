/*
What `LIVE-SERVICE.md` says stays out (“compiled files, .git, virtual environments and the like”), in full. Names are
compared without regard to case. What a developer may mean to ship (`env/`, `build/`, `dist/`, logs) is not here.
*/

/** Folders and files with these names stay out, with everything below them. */
const junkNames: ReadonlySet<string> = new Set([
	// Compiled: made for one interpreter and machine; the service makes its own.
	['__pycache__'],
	// Version control: whole histories, with anything once committed by mistake.
	['.git', '.hg', '.svn', '.jj', '.bzr', 'cvs', '.gitignore', '.gitattributes', '.gitmodules', '.hgignore'],
	// Virtual environments: thousands of files that only work on this machine.
	['.venv', 'venv', '.virtualenv', 'virtualenv', 'pyvenv.cfg', '.direnv', '.pixi', '.conda'],
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
	// Keys and passwords, which anyone who gets the package could read.
	['.envrc', '.netrc', '_netrc', '.pypirc', '.npmrc', '.pgpass', '.htpasswd', '.aws', '.ssh', '.gnupg', '.openhome'],
	['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
].flat());

/** The same for names that match one of these. */
const junkPatterns: readonly RegExp[] = [
	// Compiled.
	/\.(?:py[cdo]|so|dylib|dll|o|a)$/,
	// Caches.
	/\.egg-info$/,
	// Editors' copies of open files.
	/(?:^\.#.*|^#.*#|~|\.(?:sw[a-p]|un~|bak|orig|rej|tmp|sublime-(?:project|workspace)|code-workspace))$/,
	// Operating systems.
	/^(?:\._|\.trash-|\.nfs|\.fuse_hidden)/,
	// Secrets; `.env.example` and the like are made to be shared.
	/^\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/,
];

/**
True if the file or folder stays out of a package.

@param path - relative, its parts separated by `/`.
*/
export const isJunk = (path: string): boolean => path.toLowerCase().split('/').some(name =>
	junkNames.has(name) || junkPatterns.some(pattern => pattern.test(name)));

/** True for a folder that is a virtual environment under any name: each contains this file (PEP 405). */
export const isVirtualEnvironment = (namesInFolder: readonly string[]): boolean => namesInFolder.includes('pyvenv.cfg');
