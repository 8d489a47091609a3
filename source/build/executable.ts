import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {build} from 'esbuild';
import {startAsset} from '../platform/program.ts';
import {provideTool} from './provide-tool.ts';

const root = path.resolve(import.meta.dirname, '../..');

const bundleFolder = path.join(root, 'dist');

const noticesName = 'NOTICES.txt';

/**
Makes one executable of the built program in `dist/`, for the platform that this runs on, and writes the licences of what is in it
beside it. Strip nothing from it afterwards: the program in it would be lost. Tried on Linux alone.

@param folder - where they are put; created if it is missing.
@returns The path of the executable.
@throws Error if there is no Node.js for it (`provideExecutableNode`).
*/
export async function buildExecutable(folder: string): Promise<string> {
	const node = await provideExecutableNode();
	await mkdir(folder, {recursive: true});
	const workFolder = await mkdtemp(path.join(folder, '.work-'));
	try {
		const startFile = path.join(workFolder, startAsset);
		await bundleStart(startFile);
		const built = path.join(workFolder, 'switchboard');
		const configuration = {
			// The executable keeps it: without a folder it says nothing of where it was built.
			main: startAsset,
			output: built,
			disableExperimentalSEAWarning: true,
			// Options in NODE_OPTIONS are meant for other programs, and may end this one before it begins.
			execArgvExtension: 'none',
			assets: {...(await assetsIn(bundleFolder)), [startAsset]: startFile},
		};
		const configurationFile = path.join(workFolder, 'configuration.json');
		await writeFile(configurationFile, JSON.stringify(configuration));
		execFileSync(node.program, ['--build-sea', configurationFile], {cwd: workFolder, stdio: 'pipe'});
		if (process.platform === 'darwin') {
			// It runs nothing whose signature is broken, as that of Node.js now is.
			execFileSync('codesign', ['--force', '--sign', '-', built], {stdio: 'pipe'});
		}

		const [notices, nodeLicense] = await Promise.all(
			[path.join(bundleFolder, noticesName), node.licenseFile].map(async file => readFile(file, 'utf8')),
		);
		await writeFile(path.join(folder, noticesName), `${notices}\n${'-'.repeat(80)}\n\nNode.js\n\n${nodeLicense}`);
		const executable = path.join(folder, process.platform === 'win32' ? 'switchboard.exe' : 'switchboard');
		// A running executable can be replaced, but not written to.
		await rename(built, executable);
		return executable;
	} finally {
		await rm(workFolder, {recursive: true, force: true});
	}
}

/**
Returns the Node.js that makes the executable and is in it. It is not the one of the project: 24 cannot put anything into an executable
without a foreign tool, whose only version is an alpha.

@throws Error if npm cannot install it, or none is published for this platform.
*/
async function provideExecutableNode() {
	const modules = path.join(await provideTool('node'), 'node_modules');
	const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
	// Only the package for this platform is installed.
	const name = (await readdir(modules)).find(each => existsSync(path.join(modules, each, program)));
	if (name === undefined) {
		throw new Error(`No Node.js is published as a package for ${process.platform} ${process.arch}: the executable cannot be built here.`);
	}

	return {program: path.join(modules, name, program), licenseFile: path.join(modules, name, 'LICENSE')};
}

async function bundleStart(file: string): Promise<void> {
	await build({
		entryPoints: [path.join(import.meta.dirname, 'executable-start.ts')],
		outfile: file,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node26',
		logLevel: 'warning',
	});
}

/** Returns the files of the bundle that the program reads as it runs, by their names as assets. */
async function assetsIn(folder: string): Promise<Readonly<Record<string, string>>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
	const assets = files.toSorted().map(file => [path.relative(folder, file).replaceAll(path.sep, '/'), file] as const);
	return Object.fromEntries(assets.filter(([name]) => /^(?:[^/]+\.js$|sample-home\/)/.test(name)));
}

if (import.meta.main) {
	const executable = await buildExecutable(path.join(root, 'build'));
	console.log(`${path.relative(root, executable)} is built; it needs no Node.js.`);
}
