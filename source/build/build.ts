import {existsSync} from 'node:fs';
import {chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build, type BuildOptions} from 'esbuild';
import {isJunk} from '../interface/ability-package/junk.ts';
import {isMissing} from '../platform/private-files.ts';
import {writeBillOfMaterials} from './bill-of-materials.ts';
import {mergeChunks} from './merge-chunks.ts';
import {writeNotices} from './notices.ts';
import {packageOptions} from './patches.ts';

const root = path.resolve(import.meta.dirname, '../..');
const builtFolder = path.join(root, 'dist');
const stamp = '.built';

/** The time of the newest change to the files of the bundle, in milliseconds since the epoch. */
const newestChange = async (): Promise<number> => {
	const sources = await readdir(path.join(root, 'source'), {recursive: true, withFileTypes: true});
	const files = [
		...sources.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name)),
		path.join(root, 'package.json'),
		path.join(root, 'package-lock.json'),
	];
	const stats = await Promise.all(files.map(async file => stat(file)));
	return Math.max(...stats.map(({mtimeMs}) => mtimeMs));
};

const isUpToDate = async (): Promise<boolean> => {
	const stampFile = path.join(builtFolder, stamp);
	return existsSync(stampFile) && (await stat(stampFile)).mtimeMs >= (await newestChange());
};

/** The service reads these files as it starts (`source/service/sample/read-sample-home.ts`). The leftovers of Python tools are not copied. */
const copySampleHome = async (outputFolder: string): Promise<void> => {
	const home = path.join(root, 'source/service/sample/home');
	await cp(home, path.join(outputFolder, 'sample-home'), {recursive: true, filter: file => !isJunk(path.basename(file))});
};

/** Packages that are no ES modules require Node.js's own modules; everything else is in the bundle. */
const requireShim = `const require = name => {
	const found = process.getBuiltinModule(name);
	if (found === undefined) {
		throw Object.assign(new Error('Cannot find module ' + name), {code: 'MODULE_NOT_FOUND'});
	}
	return found;
};`.replaceAll(/\n\t*/g, ' ');

const output = {
	format: 'esm',
	platform: 'node',
	// `cli.ts` must parse under an older Node.js, to report that it is too old.
	target: 'node20',
	minify: true,
	legalComments: 'none',
	logLevel: 'warning',
} satisfies BuildOptions;

const bundle = async (outputFolder: string): Promise<void> => {
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
};

/** Puts the new program in the place of the one before it. Another build may be about to do the same: the last one stays. */
const replaceProgram = async (outputFolder: string, attempts = 10): Promise<void> => {
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
};

/** Two builds at once, or one that fails, leave no half of a program behind. */
const buildProgram = async (): Promise<void> => {
	const workFolder = await mkdtemp(path.join(root, '.build-'));
	try {
		const outputFolder = path.join(workFolder, 'dist');
		await bundle(outputFolder);
		await replaceProgram(outputFolder);
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
};

if (!process.argv.includes('--if-needed') || !(await isUpToDate())) {
	await buildProgram();
}
