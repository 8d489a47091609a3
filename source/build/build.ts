import {existsSync} from 'node:fs';
import {
	chmod,
	cp,
	mkdir,
	readdir,
	readFile,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build, type BuildOptions} from 'esbuild';
import {isJunk} from '../interface/ability-package/junk.ts';
import {inkPatches, withoutDeveloperTools} from './ink-patches.ts';
import {mergeChunks} from './merge-chunks.ts';
import {writeNotices} from './notices.ts';
import {sshPatches, sshServerAlone} from './ssh-patches.ts';
import {startPatches} from './start-patches.ts';
import {withoutSdkValidator} from './without-sdk-validator.ts';

const root = path.resolve(import.meta.dirname, '../..');
const outputFolder = path.join(root, 'dist');
const stampFile = path.join(outputFolder, '.built');

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

const isUpToDate = async (): Promise<boolean> =>
	existsSync(stampFile) && (await stat(stampFile)).mtimeMs >= await newestChange();

/** The service reads these files as it starts (`source/service/sample/read-sample-home.ts`). The leftovers of Python tools are not copied. */
const copySampleHome = async (): Promise<void> => {
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

const bundle = async (): Promise<void> => {
	const {version} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {version: string};
	await rm(outputFolder, {recursive: true, force: true});
	await mkdir(outputFolder, {recursive: true});
	const bundled = build({
		...output,
		...startPatches,
		entryPoints: {
			cli: path.join(root, 'source/cli.ts'),
			'service-worker': path.join(root, 'source/service/worker.ts'),
		},
		outdir: outputFolder,
		bundle: true,
		splitting: true,
		jsx: 'automatic',
		metafile: true,
		absWorkingDir: root,
		define: {
			...startPatches.define,
			'process.env.NODE_ENV': '"production"',
			'process.env.SWITCHBOARD_VERSION': JSON.stringify(version),
		},
		banner: {js: requireShim},
		plugins: [withoutDeveloperTools, sshServerAlone, withoutSdkValidator, inkPatches, sshPatches, ...startPatches.plugins],
	});
	// Imported here, while the bundler works: where nothing is built, the commands are not loaded.
	const {writeManualFiles} = await import('./manual/write-manual-files.ts');
	const [{metafile}] = await Promise.all([bundled, writeManualFiles(outputFolder, version)]);
	await mergeChunks(metafile, outputFolder, output);
	await writeFile(path.join(outputFolder, 'NOTICES.txt'), await writeNotices(metafile, root));
	await copySampleHome();
	await chmod(path.join(outputFolder, 'cli.js'), 0o755);
	await writeFile(stampFile, '');
};

if (!process.argv.includes('--if-needed') || !await isUpToDate()) {
	await bundle();
}
