import {existsSync} from 'node:fs';
import {chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build, type BuildOptions, type Metafile, type Plugin} from 'esbuild';
import {isJunk} from '../interface/ability-package/junk.ts';
import {isMissing} from '../platform/private-files.ts';
import {writeBillOfMaterials, writeNotices} from './notices.ts';
import {packageOptions} from './patches.ts';

const root = path.resolve(import.meta.dirname, '../..');

const builtFolder = path.join(root, 'dist');

const stamp = '.built';

/** Returns the time of the newest change to the files of the bundle, in milliseconds since the epoch. */
async function newestChange(): Promise<number> {
	// The pages have the topics of the help.
	const folders = await Promise.all(
		['source', 'docs'].map(async folder => readdir(path.join(root, folder), {recursive: true, withFileTypes: true})),
	);
	const files = [
		...folders
			.flat()
			.filter(entry => entry.isFile())
			.map(entry => path.join(entry.parentPath, entry.name)),
		path.join(root, 'package.json'),
		path.join(root, 'package-lock.json'),
	];
	const stats = await Promise.all(files.map(async file => stat(file)));
	return Math.max(...stats.map(({mtimeMs}) => mtimeMs));
}

async function isUpToDate(): Promise<boolean> {
	const stampFile = path.join(builtFolder, stamp);
	return existsSync(stampFile) && (await stat(stampFile)).mtimeMs >= (await newestChange());
}

/**
The service reads these files as it starts (`source/service/sample/read-sample-home.ts`). The leftovers of Python tools are not copied.
*/
async function copySampleHome(outputFolder: string): Promise<void> {
	const home = path.join(root, 'source/service/sample/home');
	await cp(home, path.join(outputFolder, 'sample-home'), {recursive: true, filter: file => !isJunk(path.basename(file))});
}

/** Packages that are no ES modules require Node.js's own modules; everything else is in the bundle. */
const requireShim = `const require = name => {
	const found = process.getBuiltinModule(name);
	if (found === undefined) {
		throw Object.assign(new Error('Cannot find module ' + name), {code: 'MODULE_NOT_FOUND'});
	}
	return found;
};`.replaceAll(/\n\t*/g, ' ');

/** Takes the topics of the help from the pages once, so that the program has neither the pages nor a parser of Markdown. */
const packTopics: Plugin = {
	name: 'pack-topics',
	setup(bundler) {
		bundler.onLoad({filter: /[/\\]commands[/\\]help[/\\]topics\.ts$/}, async () => {
			const {topicTexts} = await import('../commands/help/topics.ts');
			return {contents: `export const topicTexts = ${JSON.stringify(topicTexts)};`};
		});
	},
};

const output = {
	format: 'esm',
	platform: 'node',
	// `cli.ts` must parse under an older Node.js, to report that it is too old.
	target: 'node20',
	minify: true,
	legalComments: 'none',
	logLevel: 'warning',
} satisfies BuildOptions;

async function bundle(outputFolder: string): Promise<void> {
	const {version} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {version: string};
	await mkdir(outputFolder);
	const bundled = build({
		...output,
		...packageOptions,
		entryPoints: {cli: path.join(root, 'source/cli.ts'), 'service-worker': path.join(root, 'source/service/worker.ts')},
		outdir: outputFolder,
		bundle: true,
		splitting: true,
		jsx: 'automatic',
		metafile: true,
		absWorkingDir: root,
		define: {
			...packageOptions.define,
			// Without it yoga decodes its WebAssembly at once; with it through undici, which takes 25 ms to load.
			fetch: 'undefined',
			'process.env.NODE_ENV': '"production"',
			'process.env.SWITCHBOARD_VERSION': JSON.stringify(version),
		},
		banner: {js: requireShim},
		plugins: [...packageOptions.plugins, packTopics],
	});
	// Imported here, while the bundler works: where nothing is built, the commands are not loaded.
	const {writeManualFiles} = await import('./manual.ts');
	const [{metafile}] = await Promise.all([bundled, writeManualFiles(outputFolder, version)]);
	await mergeChunks(metafile, outputFolder, output);
	await writeFile(path.join(outputFolder, 'NOTICES.txt'), await writeNotices(metafile, root));
	await writeFile(path.join(outputFolder, 'bom.cdx.json'), await writeBillOfMaterials(metafile, root));
	await copySampleHome(outputFolder);
	await chmod(path.join(outputFolder, 'cli.js'), 0o755);
	await writeFile(path.join(outputFolder, stamp), '');
}

/** Puts the new program in the place of the one before it. Another build may be about to do the same: the last one stays. */
async function replaceProgram(outputFolder: string, attempts = 10): Promise<void> {
	if (existsSync(builtFolder)) {
		try {
			await rename(builtFolder, `${outputFolder}-before-${attempts}`);
		} catch (error) {
			if (!isMissing(error)) {
				throw error;
			}
		}
	}

	try {
		await rename(outputFolder, builtFolder);
	} catch (error) {
		if (attempts === 1 || !existsSync(builtFolder)) {
			throw error;
		}

		await replaceProgram(outputFolder, attempts - 1);
	}
}

/** Two builds at once, or one that fails, leave no half of a program behind. */
async function buildProgram(): Promise<void> {
	const workFolder = await mkdtemp(path.join(root, '.build-'));
	try {
		const outputFolder = path.join(workFolder, 'dist');
		await bundle(outputFolder);
		await replaceProgram(outputFolder);
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
}

type Outputs = Metafile['outputs'];

/**
Merges the many small chunks that the command line is made of: without it `installed --json` takes a third more processor time, and the
screens a tenth. The bundler splits code that several entry points share by the set of these, and every file that is imported as the program
runs is an entry point to it.

@param settings - those that made the chunks.
*/
async function mergeChunks({outputs}: Metafile, folder: string, settings: BuildOptions): Promise<void> {
	const groups = groupChunks(outputs);
	const merged = new Set([...groups.values()].flat());
	const importers = Object.keys(outputs).filter(
		file => !merged.has(file) && outputs[file]!.imports.some(imported => merged.has(imported.path)),
	);
	await build({
		...settings,
		entryPoints: [
			...[...groups.keys()].map(group => ({in: group, out: path.basename(group, '.js')})),
			...importers.map(file => ({in: path.join(folder, path.basename(file)), out: path.basename(file, '.js')})),
		],
		outdir: folder,
		bundle: true,
		allowOverwrite: true,
		// It was warned of before.
		logLevel: 'error',
		// Names and syntax are as short as they get.
		minify: false,
		minifyWhitespace: true,
		plugins: [inGroups(outputs, groups, folder)],
	});
	await Promise.all([...merged].map(async file => rm(path.join(folder, path.basename(file)))));
}

/**
Returns the chunks to merge, by the name of the file that they become. No program may load more than it did, but for a few small chunks:
the terminal UI nothing of the commands alone, and `--version` nothing at all.
*/
function groupChunks(outputs: Outputs): ReadonlyMap<string, readonly string[]> {
	const entries = (...names: readonly string[]): readonly string[] => names.map(name => outputOf(outputs, `source/${name}`));
	const [main = ''] = entries('commands/main.ts');
	const screens = entries('commands/open-ui.ts', 'tui/main.tsx');
	const inCommands = loadedWith(outputs, [main]);
	const inScreens = loadedWith(outputs, screens);
	// Code that is loaded before Node.js keeps compiled code stays apart, so that it keeps the rest.
	const beforeCache = loadedWith(outputs, entries('settings/compile-cache.ts'));
	const first = loadedWith(outputs, entries('cli.ts'));
	// Code that the screens and the worker of the service may load at any time, unless the screens give way to a command.
	const later = [...follow(outputs, [...screens, ...entries('service/worker.ts')], ({path: file}) => file !== main)].filter(
		file => outputs[file]!.entryPoint !== undefined,
	);
	const inOthers = loadedWith(outputs, later);
	const groupOf = (file: string): string => {
		if (first.has(file)) {
			return 'first.js';
		}

		if (beforeCache.has(file)) {
			return 'before-cache.js';
		}

		if (inScreens.has(file)) {
			return 'shared.js';
		}

		return inOthers.has(file) ? 'shared-later.js' : 'commands.js';
	};

	return Map.groupBy([...inCommands].filter(file => outputs[file]!.entryPoint === undefined).toSorted(), file => groupOf(file));
}

/** The file that an entry point became. */
const outputOf = (outputs: Outputs, entryPoint: string): string =>
	Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)![0];

/** The files that are loaded with these. */
const loadedWith = (outputs: Outputs, files: readonly string[]): ReadonlySet<string> =>
	follow(outputs, files, ({kind}) => kind === 'import-statement');

/** Returns the files that are reached from these by such imports. */
function follow(
	outputs: Outputs,
	files: readonly string[],
	isFollowed: (imported: Outputs[string]['imports'][number]) => boolean,
): ReadonlySet<string> {
	const reached = new Set<string>();
	const pending = [...files];
	for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
		const output = outputs[file];
		if (output === undefined || reached.has(file)) {
			continue;
		}

		reached.add(file);
		pending.push(...output.imports.filter(imported => isFollowed(imported)).map(imported => imported.path));
	}

	return reached;
}

/** Puts each group in the place of its chunks. */
function inGroups(outputs: Outputs, groups: ReadonlyMap<string, readonly string[]>, folder: string): Plugin {
	const groupOf = new Map(
		[...groups].flatMap(([group, chunks]) => chunks.map(chunk => [path.basename(chunk), {group, chunks, chunk}] as const)),
	);
	const exportsOf = (chunks: readonly string[], chunk: string, from: string, isFromGroup: boolean): string => {
		const names = outputs[chunk]!.exports.map(name => {
			const merged = exportName(chunks, chunk, name);
			return isFromGroup ? `${merged} as ${name}` : `${name} as ${merged}`;
		});
		return `export {${names.join(', ')}} from ${JSON.stringify(from)};`;
	};

	return {
		name: 'in-groups',
		setup(bundler) {
			bundler.onResolve({filter: /./}, ({path: name, importer, kind, namespace}) => {
				const file = path.basename(name);
				if (kind === 'entry-point') {
					return groups.has(file) ? {path: file, namespace: 'group'} : undefined;
				}

				const target = namespace === 'chunk' ? undefined : groupOf.get(file);
				if (target === undefined || !name.startsWith('./')) {
					return {path: name, external: true};
				}

				const isInside = namespace === 'group' || groupOf.get(path.basename(importer))?.group === target.group;
				return isInside ? {path: path.join(folder, file)} : {path: file, namespace: 'chunk'};
			});
			bundler.onLoad({filter: /./, namespace: 'group'}, ({path: group}) => {
				const chunks = groups.get(group)!;
				return {contents: chunks.map(chunk => exportsOf(chunks, chunk, `./${path.basename(chunk)}`, false)).join('\n'), resolveDir: folder};
			});
			bundler.onLoad({filter: /./, namespace: 'chunk'}, ({path: name}) => {
				const {group, chunks, chunk} = groupOf.get(name)!;
				return {contents: exportsOf(chunks, chunk, `./${group}`, true), resolveDir: folder};
			});
		},
	};
}

/** The name by which a group exports what a chunk exports. */
const exportName = (chunks: readonly string[], chunk: string, name: string): string => `c${chunks.indexOf(chunk)}_${name}`;

if (!process.argv.includes('--if-needed') || !(await isUpToDate())) {
	await buildProgram();
}
