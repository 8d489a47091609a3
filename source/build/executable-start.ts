import {createRequire, registerHooks} from 'node:module';
import process from 'node:process';
import sea from 'node:sea';
import {isMainThread} from 'node:worker_threads';

/*
The first code of the executable, and of its thread for the bundled service: from here on the chunks of the program are
loaded from the assets as they are from the disk, each when it is first needed, and the compile cache keeps them.
*/

/** What the program sees as its folder. */
const root = 'switchboard:///';

const entryUrl = `${root}entry`;

/** Node.js gives the main script of an executable no `import()` of its own. A module that it is made to require has one. */
const entrySource = `import('${root}${isMainThread ? 'cli' : 'service-worker'}.js');`;

const urlOf = (specifier: string, parentUrl = ''): string | undefined => {
	if (specifier.startsWith(root)) {
		return specifier;
	}

	return specifier.startsWith('./') && parentUrl.startsWith(root) ? new URL(specifier, parentUrl).href : undefined;
};

registerHooks({
	resolve(specifier, context, nextResolve) {
		const url = urlOf(specifier, context.parentURL);
		return url === undefined ? nextResolve(specifier, context) : {url, format: 'module', shortCircuit: true};
	},
	load(url, context, nextLoad) {
		return url.startsWith(root)
			? {format: 'module', source: url === entryUrl ? entrySource : sea.getAsset(url.slice(root.length), 'utf8'), shortCircuit: true}
			: nextLoad(url, context);
	},
});
createRequire(process.execPath)(entryUrl);
