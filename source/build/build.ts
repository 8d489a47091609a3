import {existsSync} from 'node:fs';
import {chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build, type BuildOptions, type Metafile, type Plugin} from 'esbuild';
import {isJunk} from '../interface/ability-package/junk.ts';
import {isMissing} from '../platform/private-files.ts';
import {billOfMaterials, findPackages, noticesOf} from './notices.ts';
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
		write: false,
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
	const [{metafile, outputFiles}] = await Promise.all([bundled, writeManualFiles(outputFolder, version)]);
	const texts = outputFiles.map(({path: file, text}) => {
		// Only the bundler's own `require` calls the one of the banner.
		return [path.basename(file), text.includes('typeof require') ? text : text.replace(`${requireShim}\n`, '')] as const;
	});
	for (const [file, text] of await mergeChunks(metafile.outputs, new Map(texts))) {
		await writeFile(path.join(outputFolder, file), escapeCharacters(text));
	}

	const packages = await findPackages(metafile, root);
	await writeFile(path.join(outputFolder, 'NOTICES.txt'), noticesOf(packages));
	await writeFile(path.join(outputFolder, 'bom.cdx.json'), await billOfMaterials(packages, root));
	await copySampleHome(outputFolder);
	await chmod(path.join(outputFolder, 'cli.js'), 0o755);
	await writeFile(path.join(outputFolder, stamp), '');
}

/**
Returns the text of a file with escapes for characters beyond ASCII, also where the bundler leaves them: in regular expressions, and in
`String.raw`, which may therefore hold only patterns. One of them makes V8 keep the whole file with two bytes for each character.
*/
function escapeCharacters(text: string): string {
	return text.replaceAll(/[^\0-\u007F]/g, unit => `\\u${unit.codePointAt(0)!.toString(16).padStart(4, '0')}`);
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

/** The texts of the program's files, by their names. */
type Texts = ReadonlyMap<string, string>;

/**
Merges the many small chunks that the command line is made of: without it `installed --json` takes a third more processor time, and the
screens a tenth. The bundler splits code that several entry points share by the set of these, and every file that is imported as the program
runs is an entry point to it.
*/
async function mergeChunks(outputs: Outputs, texts: Texts): Promise<Texts> {
	const groups = groupChunks(outputs);
	const groupOf = new Map([...groups].flatMap(([group, chunks]) => chunks.map(chunk => [chunk, group] as const)));
	const exported = exportedNames(texts, groupOf);
	const merged = await Promise.all(
		[...groups].map(async ([group, chunks]) => [group, await bundleGroup(chunks, texts, exported)] as const),
	);
	const files = [...[...texts].filter(([file]) => !groupOf.has(file)), ...merged];
	return new Map(files.map(([file, text]) => [file, importFromGroups(text, groupOf, exported)]));
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

	const chunks = [...inCommands].filter(file => outputs[file]!.entryPoint === undefined).toSorted();
	const groups = Map.groupBy(chunks, file => groupOf(file));
	return new Map([...groups].map(([group, files]) => [group, files.map(file => path.basename(file))]));
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

/** An import of another chunk, as the bundler writes it: `import{a as b,c}from"./chunk-XYZ.js";`. */
const chunkImport = /import(?:\{(?<names>[^}]*)\}from)?"\.\/(?<file>[\w-]+\.js)";/g;

/** Returns the imports of other chunks in a text, with the name of each export and the local one. */
const importsOf = (text: string) =>
	[...text.matchAll(chunkImport)].map(({groups}) => {
		const names = groups!['names']?.split(',').map(each => each.split(' as ')) ?? [];
		return {file: groups!['file']!, names: names.map(([name = '', local = name]) => ({name, local}))};
	});

/** The names by which groups export what other files import, by the chunk and the name that this exports. */
type ExportedNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

function exportedNames(texts: Texts, groupOf: Texts): ExportedNames {
	const exported = new Map([...groupOf.keys()].map(chunk => [chunk, new Map<string, string>()] as const));
	let count = 0;
	for (const [importer, text] of texts) {
		for (const {file, names} of importsOf(text)) {
			if (groupOf.has(file) && groupOf.get(file) !== groupOf.get(importer)) {
				for (const {name} of names.filter(each => !exported.get(file)!.has(each.name))) {
					exported.get(file)!.set(name, `_${(count++).toString(36)}`);
				}
			}
		}
	}

	return exported;
}

async function bundleGroup(chunks: readonly string[], texts: Texts, exported: ExportedNames): Promise<string> {
	const exportsOf = (chunk: string): string =>
		[...exported.get(chunk)!].map(([name, exportedName]) => `${name} as ${exportedName}`).join(', ');
	const {outputFiles} = await build({
		...output,
		stdin: {contents: chunks.map(chunk => `export {${exportsOf(chunk)}} from "./${chunk}";`).join('\n')},
		bundle: true,
		write: false,
		// It was warned of before.
		logLevel: 'error',
		plugins: [
			{
				name: 'chunks-of-group',
				setup(bundler) {
					bundler.onResolve({filter: /./}, ({path: name}) =>
						chunks.includes(path.basename(name)) ? {path: path.basename(name), namespace: 'chunk'} : {path: name, external: true},
					);
					bundler.onLoad({filter: /./, namespace: 'chunk'}, ({path: chunk}) => ({contents: texts.get(chunk)!}));
				},
			},
		],
	});
	return outputFiles[0]!.text;
}

/** Takes what a text imports from chunks from their groups, with one import for each file. */
function importFromGroups(text: string, groupOf: Texts, exported: ExportedNames): string {
	const imports = Map.groupBy(importsOf(text), ({file}) => groupOf.get(file) ?? file);
	return text.replaceAll(chunkImport, (_import, _names, chunk: string) => {
		const target = groupOf.get(chunk) ?? chunk;
		const names = imports
			.get(target)
			?.flatMap(({file, names: each}) => each.map(({name, local}) => `${exported.get(file)?.get(name) ?? name} as ${local}`));
		// The first import has the names of all.
		imports.delete(target);
		return names === undefined ? '' : `import${names.length === 0 ? '' : `{${names.join(',')}}from`}"./${target}";`;
	});
}

if (!process.argv.includes('--if-needed') || !(await isUpToDate())) {
	await buildProgram();
}
