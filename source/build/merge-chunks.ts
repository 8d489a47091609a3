import {rm} from 'node:fs/promises';
import path from 'node:path';
import {build, type BuildOptions, type Metafile, type Plugin} from 'esbuild';

type Outputs = Metafile['outputs'];

/** The file that an entry point became. */
const outputOf = (outputs: Outputs, entryPoint: string): string =>
	Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)![0];

/** The files that are reached from these by such imports. */
const follow = (
	outputs: Outputs,
	files: readonly string[],
	isFollowed: (imported: Outputs[string]['imports'][number]) => boolean,
): ReadonlySet<string> => {
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
};

/** The files that are loaded with these. */
const loadedWith = (outputs: Outputs, files: readonly string[]): ReadonlySet<string> =>
	follow(outputs, files, ({kind}) => kind === 'import-statement');

/**
The chunks to merge, by the name of the file that they become. No program may load more than it did, but for a few small chunks:
the terminal UI nothing of the commands alone, and `--version` nothing at all.
*/
const groupChunks = (outputs: Outputs): ReadonlyMap<string, readonly string[]> => {
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
};

/** The name by which a group exports what a chunk exports. */
const exportName = (chunks: readonly string[], chunk: string, name: string): string => `c${chunks.indexOf(chunk)}_${name}`;

/** Puts each group in the place of its chunks. */
const inGroups = (outputs: Outputs, groups: ReadonlyMap<string, readonly string[]>, folder: string): Plugin => {
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
};

/**
Merges the many small chunks that the command line is made of: without it `installed --json` takes a third more processor time, and the
screens a tenth. The bundler splits code that several entry points share by the set of these, and every file that is imported as the program runs
is an entry point to it.

@param settings - those that made the chunks.
*/
export const mergeChunks = async ({outputs}: Metafile, folder: string, settings: BuildOptions): Promise<void> => {
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
};
