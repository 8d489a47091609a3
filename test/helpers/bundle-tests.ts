import {createHash} from 'node:crypto';
import {mkdir, readdir, readFile, rm, stat, utimes, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type Metafile, type Plugin} from 'esbuild';
import {packageOptions} from '../../source/build/patches.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Below `node_modules`, so that the packages that stay outside of the bundle are found from there. */
const outputFolder = path.join(root, 'node_modules/.cache/switchboard-tests');

const fileScopeModule = path.join(import.meta.dirname, 'file-scope.ts');

const endWithTests = path.join(import.meta.dirname, 'end-with-tests.ts');

/** The number of bundles that are kept: those of the last runs, each of other files. */
const keptBundles = 6;

/** Starts the worker that lies beside it: the built one starts in a fifth of the time that the modules take one by one. */
const workerStarter = path.join(root, 'source/service/local.ts');

const builtProgram = path.join(root, 'dist/cli.js');

/** The files of the project that go into each test, by the test. */
export type Contents = Readonly<Record<string, readonly string[]>>;

/** What finds its own files on the disk, or is compiled for one machine. */
const packagesOutside = ['@lydell/node-pty', '@seriousme/openapi-schema-validator', 'esbuild', 'ssh2', 'tsx', 'typescript-6'];

/** Export again what tests of a room, or of all, import from helpers. */
const kits: readonly string[] = ['test/helpers/node.ts', 'test/commands/kit.ts', 'test/service/kit.ts', 'test/tui/helpers/kit.ts'];

/** Reads the project's modules: they know themselves by where their source is, as there are the files and the programs that they start. */
const readModules: Plugin = {
	name: 'read-modules',
	async setup(bundler) {
		const kitNames = new Map(await Promise.all(kits.map(async kit => [kit, await readKit(kit)] as const)));
		bundler.onLoad({filter: /\/(?:source|test)\/.*\.tsx?$/}, async ({path: file}) => {
			const text = await readFile(file, 'utf8');
			const addresses: Readonly<Record<string, string | boolean>> = {
				dirname: path.dirname(file),
				url: pathToFileURL(file === workerStarter ? builtProgram : file).href,
				main: false,
			};
			const contents = importPastKits(file, text, kitNames).replaceAll(/\bimport\.meta\.(?<name>dirname|url|main)\b/g, (_, name: string) =>
				JSON.stringify(addresses[name]),
			);
			return {contents, loader: file.endsWith('x') ? 'tsx' : 'ts'};
		});
	},
};

/** Tests declare through a module that knows which file is being loaded. */
const fileScope: Plugin = {
	name: 'file-scope',
	setup(bundler) {
		bundler.onResolve({filter: /^node:test$/}, ({importer}) =>
			[fileScopeModule, endWithTests].includes(importer) ? undefined : {path: fileScopeModule},
		);
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

/**
Bundles tests with what they import, which loads in a third of the time that the modules take one by one. What tests share is shared here too, and
stack traces name the TypeScript lines where source maps are enabled. Where nothing has changed since such a bundle was made, that one is used.

@param files - such as `test/client/lists.test.ts`.
*/
export async function bundleTests(files: readonly string[]) {
	const folder = path.join(outputFolder, await hashOfSources(files));
	const contentsFile = path.join(folder, 'contents.json');
	let contents: Contents;
	try {
		contents = JSON.parse(await readFile(contentsFile, 'utf8')) as Contents;
		await utimes(folder, new Date(), new Date());
	} catch {
		await mkdir(folder, {recursive: true});
		await removeOldBundles();
		contents = await bundle(files, folder);
		await writeFile(contentsFile, JSON.stringify(contents));
	}

	return {
		folder,
		bundled: new Map(files.map(file => [file, path.join(folder, file.replace(/^test\//, '').replace(/\.tsx?$/, '.mjs'))])),
		contents,
	};
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

/** Bundles the tests, and lists the files of the project that go into each. */
async function bundle(files: readonly string[], folder: string): Promise<Contents> {
	const {metafile} = await build({
		...packageOptions,
		absWorkingDir: root,
		entryPoints: [...files.map(file => path.join(root, file)), fileScopeModule],
		outbase: path.join(root, 'test'),
		outdir: folder,
		// Node.js need not read such a file twice to know that it is a module.
		outExtension: {'.js': '.mjs'},
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
		inject: [...packageOptions.inject, endWithTests],
		banner: {js: "import {createRequire as createRequireShim} from 'node:module'; const require = createRequireShim(import.meta.url);"},
		// The packages as the program has them.
		plugins: [fileScope, readModules, ...packageOptions.plugins],
		logLevel: 'warning',
	});
	return contentsOf(metafile);
}

function contentsOf({outputs}: Metafile): Contents {
	const entries = Object.entries(outputs).flatMap(([output, {entryPoint}]) =>
		entryPoint?.startsWith('test/') ? [{output, entryPoint}] : [],
	);
	return Object.fromEntries(
		entries.map(({output, entryPoint}) => {
			const reached = new Set([output]);
			// A set is read on while it grows.
			for (const name of reached) {
				for (const {path: chunk, external} of outputs[name]?.imports ?? []) {
					if (external !== true) {
						reached.add(chunk);
					}
				}
			}

			const inputs = [...reached].flatMap(name => Object.keys(outputs[name]?.inputs ?? {}));
			return [entryPoint, [...new Set(inputs)].filter(name => !name.startsWith('node_modules/'))];
		}),
	);
}

export type Bundle = Awaited<ReturnType<typeof bundleTests>>;

type Taken = {readonly exported: string; readonly file: string};

/** Lists where each name comes from that a kit exports again. */
async function readKit(kit: string): Promise<ReadonlyMap<string, Taken>> {
	const text = await readFile(path.join(root, kit), 'utf8');
	return new Map(
		[...text.matchAll(/^export \{(?<names>[^}]+)\} from '(?<file>[^']+)';$/gm)].flatMap(({groups}) =>
			namesIn(groups!['names']!).map(name => {
				const [exported, local = exported] = name.split(' as ');
				const file = groups!['file']!;
				return [local!, {exported: exported!, file: file.startsWith('.') ? path.resolve(root, path.dirname(kit), file) : file}] as const;
			}),
		),
	);
}

function namesIn(list: string): readonly string[] {
	return list
		.split(',')
		.map(name => name.trim())
		.filter(name => name !== '' && !name.startsWith('type '));
}

/** Imports from where they are the names that a test takes from a kit: with the kit it would have everything that any test takes. */
function importPastKits(file: string, text: string, kitNames: ReadonlyMap<string, ReadonlyMap<string, Taken>>): string {
	return text.replaceAll(/^import \{(?<names>[^}]+)\} from '(?<kit>\.[^']+)';$/gm, (statement: string, names: string, name: string) => {
		const taken = kitNames.get(path.relative(root, path.resolve(path.dirname(file), name)));
		if (taken === undefined) {
			return statement;
		}

		const imports = namesIn(names).map(local => {
			const {exported, file: from} = taken.get(local)!;
			return `import {${exported} as ${local}} from ${JSON.stringify(from)};`;
		});
		// The lines keep their numbers.
		return `${imports.join(' ')}${'\n'.repeat(statement.split('\n').length - 1)}`;
	});
}
