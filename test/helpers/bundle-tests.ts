import {createHash} from 'node:crypto';
import {mkdir, readdir, readFile, rm, stat, utimes, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type Metafile, type Plugin} from 'esbuild';
import {packageOptions} from '../../source/build/patches.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Below `node_modules`, so that the packages that stay outside of the bundle are found from there. */
const outputFolder = path.join(root, 'node_modules/.cache/switchboard-tests');
/** The number of bundles that are kept: those of the last runs, each of other files. */
const keptBundles = 6;

/** What finds its own files on the disk, or is compiled for one machine. */
const packagesOutside = ['@lydell/node-pty', '@seriousme/openapi-schema-validator', 'esbuild', 'ssh2', 'tsx', 'typescript-6'];

/** Modules know themselves by where their source is: there are the files and the programs that they start. */
const sourceAddresses: Plugin = {
	name: 'source-addresses',
	setup(bundler) {
		bundler.onLoad({filter: /\/(?:source|test)\/.*\.tsx?$/}, async ({path: file}) => {
			const text = await readFile(file, 'utf8');
			const addresses: Readonly<Record<string, string | boolean>> = {
				dirname: path.dirname(file),
				url: pathToFileURL(file).href,
				main: false,
			};
			const contents = text.replaceAll(/\bimport\.meta\.(?<name>dirname|url|main)\b/g, (_, name: string) =>
				JSON.stringify(addresses[name]),
			);
			return {contents, loader: file.endsWith('x') ? 'tsx' : 'ts'};
		});
	},
};

/** Lists the files of tests, such as `test/client/lists.test.ts`, in order. */
export async function listTests(): Promise<readonly string[]> {
	const names = await readdir(path.join(root, 'test'), {recursive: true});
	return names
		.filter(name => /\.test\.tsx?$/.test(name))
		.map(name => `test/${name}`)
		.toSorted();
}

/** Returns a hash of everything that goes into a bundle. */
async function hashOfSources(files: readonly string[]): Promise<string> {
	const entries = await Promise.all(
		['source', 'test'].map(async folder => readdir(path.join(root, folder), {recursive: true, withFileTypes: true})),
	);
	const sources = entries
		.flat()
		.filter(entry => entry.isFile())
		.map(entry => path.join(entry.parentPath, entry.name))
		.toSorted();
	const texts = await Promise.all(
		[...sources, path.join(root, 'package-lock.json'), path.join(root, 'tsconfig.json')].map(
			async file => [file, await readFile(file)] as const,
		),
	);
	const hash = createHash('sha256').update(files.join('\n'));
	for (const [file, text] of texts) {
		hash.update(`\n${file} ${text.length}\n`).update(text);
	}

	return hash.digest('hex').slice(0, 16);
}

async function removeOldBundles(): Promise<void> {
	const names = await readdir(outputFolder);
	const folders = await Promise.all(names.map(async name => ({name, time: (await stat(path.join(outputFolder, name))).mtimeMs})));
	const old = folders.toSorted((first, second) => second.time - first.time).slice(keptBundles);
	await Promise.all(old.map(async ({name}) => rm(path.join(outputFolder, name), {recursive: true, force: true})));
}

async function bundle(files: readonly string[], folder: string): Promise<Metafile> {
	const {metafile} = await build({
		...packageOptions,
		absWorkingDir: root,
		entryPoints: files.map(file => path.join(root, file)),
		outbase: path.join(root, 'test'),
		outdir: folder,
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
		banner: {js: "import {createRequire as createRequireShim} from 'node:module'; const require = createRequireShim(import.meta.url);"},
		// The packages as the program has them.
		plugins: [sourceAddresses, ...packageOptions.plugins],
		logLevel: 'warning',
	});
	return metafile;
}

/**
Bundles tests with what they import, which loads in a third of the time that the modules take one by one. What tests share is shared here too, and
stack traces name the TypeScript lines where source maps are enabled. Where nothing has changed since such a bundle was made, that one is used.

@param files - such as `test/client/lists.test.ts`.
@returns The test of each bundled file, the imports between the files of the project, and a folder for compiled code that goes with the bundle.
*/
export async function bundleTests(
	files: readonly string[],
): Promise<{readonly bundled: ReadonlyMap<string, string>; readonly imports: Metafile['inputs']; readonly compiledFolder: string}> {
	const folder = path.join(outputFolder, await hashOfSources(files));
	const metafile = path.join(folder, 'imports.json');
	let imports: Metafile['inputs'];
	try {
		imports = JSON.parse(await readFile(metafile, 'utf8')) as Metafile['inputs'];
		await utimes(folder, new Date(), new Date());
	} catch {
		await mkdir(folder, {recursive: true});
		await removeOldBundles();
		({inputs: imports} = await bundle(files, folder));
		await writeFile(metafile, JSON.stringify(imports));
	}

	return {
		bundled: new Map(files.map(file => [path.join(folder, file.replace(/^test\//, '').replace(/\.tsx?$/, '.js')), file])),
		imports,
		compiledFolder: path.join(folder, 'compiled'),
	};
}

/** Finds the tests that import one of the changed files, themselves or through others. */
export function testsThatImport(changed: readonly string[], tests: readonly string[], imports: Metafile['inputs']): readonly string[] {
	const importers = new Map<string, string[]>();
	for (const [file, {imports: imported}] of Object.entries(imports)) {
		for (const {path: name} of imported) {
			importers.set(name, [...(importers.get(name) ?? []), file]);
		}
	}

	const reached = new Set(changed);
	// A set is read on while it grows.
	for (const file of reached) {
		for (const importer of importers.get(file) ?? []) {
			reached.add(importer);
		}
	}

	return tests.filter(test => reached.has(test));
}
