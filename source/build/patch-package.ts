import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {type Plugin} from 'esbuild';

/** What is changed of one file of a package: each text is replaced where it stands, exactly once. */
export type Patch = {
	/** Below `node_modules`, with slashes. */
	readonly file: string;
	readonly changes: ReadonlyArray<readonly [before: string, after: string]>;
};

const patched = (text: string, {file, changes}: Patch): string => {
	let result = text;
	for (const [before, after] of changes) {
		const parts = result.split(before);
		if (parts.length !== 2) {
			throw new Error(`${file} was changed: this stands there ${parts.length - 1} times instead of once:\n${before}`);
		}

		result = parts.join(after);
	}

	return result;
};

/**
Changes files of a package as they are bundled. The build fails if a text to be replaced does not occur exactly once, or if a
bundle with the package lacks one of the files: the package was changed, and its patches have to be reviewed.
*/
export const patchPackage = (name: string, patches: readonly Patch[]): Plugin => ({
	name: `patch-${name}`,
	setup(bundler) {
		const seen = new Set<string>();
		bundler.onLoad({filter: new RegExp(String.raw`[/\\]node_modules[/\\]${name}[/\\].*\.js$`)}, async ({path: file}) => {
			const found = file.replaceAll(path.sep, '/').split('/node_modules/').at(-1)!;
			seen.add(found);
			const patch = patches.find(each => each.file === found);
			return patch === undefined ? undefined : {contents: patched(await readFile(file, 'utf8'), patch)};
		});
		bundler.onEnd(() => {
			const missing = patches.map(({file}) => file).filter(file => !seen.has(file));
			return seen.size === 0 || missing.length === 0 ? {} : {errors: [{text: `There is no ${missing.join(', ')} any more: review the patches.`}]};
		});
	},
});
