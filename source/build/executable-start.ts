import {createRequire, registerHooks} from 'node:module';
import process from 'node:process';
import sea from 'node:sea';
import {pathToFileURL} from 'node:url';
import {isMainThread} from 'node:worker_threads';

/*
The first code of the executable, and of its thread for the bundled service: from here on the chunks of the program are
loaded from the assets as they are from the disk, each when it is first needed, and the compile cache keeps them.
*/

/** The folder that the program believes to be its own. */
const root = 'switchboard:///';

/**
Node.js gives the main script of an executable no `import()`; a module that it requires has one. A required module must look like a file, with its whole path, for the current folder may be gone. The ending says what it is: without one Node.js would read the
`package.json` beside it and in every folder above, which anyone may have put there.
*/
const entryFile = `${process.execPath}.mjs`;

const entryUrl = pathToFileURL(entryFile).href;

const entrySource = `import('${root}${isMainThread ? 'cli' : 'service-worker'}.js');`;

function urlOf(specifier: string, parentUrl = ''): string | undefined {
	if (specifier === entryFile) {
		return entryUrl;
	}

	const isChunk = specifier.startsWith(root) || (specifier.startsWith('./') && parentUrl.startsWith(root));
	return isChunk ? new URL(specifier, root).href : undefined;
}

function sourceOf(url: string): string | undefined {
	if (url === entryUrl) {
		return entrySource;
	}

	return url.startsWith(root) ? sea.getAsset(url.slice(root.length), 'utf8') : undefined;
}

registerHooks({
	resolve(specifier, context, nextResolve) {
		const url = urlOf(specifier, context.parentURL);
		return url === undefined ? nextResolve(specifier, context) : {url, format: 'module', shortCircuit: true};
	},
	load(url, context, nextLoad) {
		const source = sourceOf(url);
		return source === undefined ? nextLoad(url, context) : {source, format: 'module', shortCircuit: true};
	},
});
createRequire(process.execPath)(entryFile);
