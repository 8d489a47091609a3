import {execFileSync} from 'node:child_process';
import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build} from 'esbuild';
import {startAsset} from '../platform/executable.ts';
import {installRuntime} from './executable-runtime.ts';

const root = path.resolve(import.meta.dirname, '../..');

const bundleFolder = path.join(root, 'dist');

const noticesName = 'NOTICES.txt';

/** The files that the program needs as it runs, by their names as assets. */
const assetsOf = async (folder: string): Promise<Readonly<Record<string, string>>> => {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries
		.filter(entry => entry.isFile() && !entry.name.startsWith('.') && entry.name !== noticesName)
		.map(entry => path.join(entry.parentPath, entry.name))
		.toSorted();
	return Object.fromEntries(files.map(file => [path.relative(folder, file).replaceAll(path.sep, '/'), file]));
};

const bundleStart = async (file: string): Promise<void> => {
	await build({
		entryPoints: [path.join(import.meta.dirname, 'executable-start.ts')],
		outfile: file,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node26',
		logLevel: 'warning',
	});
};

/**
Makes one executable of the built program in `dist/`, for the platform that this runs on, and writes the licences of what is in it
beside it. Strip nothing from it afterwards: the program in it would be lost. Tried on Linux alone.

@param folder - where they are put; created if it is missing.
@returns The path of the executable.
@throws Error if the Node.js for it cannot be had (`installRuntime`).
*/
export const buildExecutable = async (folder: string): Promise<string> => {
	const runtime = await installRuntime();
	await mkdir(folder, {recursive: true});
	const workFolder = await mkdtemp(path.join(folder, '.work-'));
	try {
		const startFile = path.join(workFolder, startAsset);
		await bundleStart(startFile);
		const built = path.join(workFolder, 'switchboard');
		const configuration = {
			main: startFile,
			output: built,
			disableExperimentalSEAWarning: true,
			// What somebody sets in NODE_OPTIONS is meant for other programs, and may end this one before it begins.
			execArgvExtension: 'none',
			assets: {...await assetsOf(bundleFolder), [startAsset]: startFile},
		};
		const configurationFile = path.join(workFolder, 'configuration.json');
		await writeFile(configurationFile, JSON.stringify(configuration));
		execFileSync(runtime.program, ['--build-sea', configurationFile], {stdio: 'pipe'});
		if (process.platform === 'darwin') {
			// It runs nothing whose signature is broken, as that of Node.js now is.
			execFileSync('codesign', ['--force', '--sign', '-', built], {stdio: 'pipe'});
		}

		const [notices, nodeLicense] = await Promise.all([path.join(bundleFolder, noticesName), runtime.licenseFile].map(async file => readFile(file, 'utf8')));
		await writeFile(path.join(folder, noticesName), `${notices}\n${'-'.repeat(80)}\n\nNode.js\n\n${nodeLicense}`);
		const executable = path.join(folder, process.platform === 'win32' ? 'switchboard.exe' : 'switchboard');
		// One that runs can be replaced, but not written to.
		await rename(built, executable);
		return executable;
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
};
