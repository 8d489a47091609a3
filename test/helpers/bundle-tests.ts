import {readdir, readFile, rm} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type Plugin} from 'esbuild';
import {packageOptions} from '../../source/build/patches.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Below `node_modules`, so that the packages that stay outside of the bundle are found from there. */
const outputFolder = path.join(root, 'node_modules/.cache/switchboard-tests');

/** What finds its own files on the disk, or is compiled for one machine. */
const packagesOutside = ['@lydell/node-pty', '@seriousme/openapi-schema-validator', 'esbuild', 'ssh2', 'tsx', 'typescript-6'];

/** Modules know themselves by where their source is: there are the files and the programs that they start. */
const sourceAddresses: Plugin = {
	name: 'source-addresses',
	setup(bundler) {
		bundler.onLoad({filter: /\/(?:source|test)\/.*\.tsx?$/}, async ({path: file}) => {
			const text = await readFile(file, 'utf8');
			const addresses: Readonly<Record<string, string | boolean>> = {dirname: path.dirname(file), url: pathToFileURL(file).href, main: false};
			const contents = text.replaceAll(/\bimport\.meta\.(?<name>dirname|url|main)\b/g, (_, name: string) => JSON.stringify(addresses[name]));
			return {contents, loader: file.endsWith('x') ? 'tsx' : 'ts'};
		});
	},
};

/**
Bundles the tests whose paths begin with one of these, with what it imports, which loads in a third of the time that the modules take one by one. What
tests share is shared here too, and stack traces name the TypeScript lines where source maps are enabled.

@param isLeftOut - of a path, such as `test/client/lists.test.ts`.
@returns The paths of the bundled tests, and whether any of them may use PostgreSQL.
*/
export const bundleTests = async (paths: readonly string[], isLeftOut: (file: string) => boolean): Promise<{readonly files: readonly string[]; readonly mayUsePostgres: boolean}> => {
	await rm(outputFolder, {recursive: true, force: true});
	const names = await readdir(path.join(root, 'test'), {recursive: true});
	const files = names.filter(name => /\.test\.tsx?$/.test(name) && paths.some(start => `test/${name}`.startsWith(start)) && !isLeftOut(`test/${name}`)).toSorted();
	const {metafile} = await build({
		...packageOptions,
		absWorkingDir: root,
		entryPoints: files.map(file => path.join(root, 'test', file)),
		outbase: path.join(root, 'test'),
		outdir: outputFolder,
		bundle: true,
		metafile: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		jsx: 'automatic',
		keepNames: true,
		sourcemap: 'linked',
		sourcesContent: false,
		external: packagesOutside,
		inject: [...packageOptions.inject, path.join(import.meta.dirname, 'end-with-tests.ts')],
		banner: {
			js: 'import {createRequire as createRequireShim} from \'node:module\'; const require = createRequireShim(import.meta.url);',
		},
		// The packages as the program has them.
		plugins: [sourceAddresses, ...packageOptions.plugins],
		logLevel: 'warning',
	});
	return {
		files: files.map(file => path.join(outputFolder, file.replace(/\.tsx?$/, '.js'))),
		mayUsePostgres: 'test/helpers/postgres.ts' in metafile.inputs,
	};
};
