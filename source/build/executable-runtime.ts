import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {
	copyFile,
	mkdir,
	readFile,
	rm,
} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '../..');

const cacheFolder = path.join(root, 'node_modules/.cache/switchboard-executable');

/** Copied when everything is there. */
const stampFile = path.join(cacheFolder, '.installed');

/** What npm is to install. */
const wishFolder = path.join(import.meta.dirname, 'executable-node');

const lockFile = path.join(wishFolder, 'package-lock.json');

const isInstalled = async (): Promise<boolean> =>
	existsSync(stampFile) && await readFile(stampFile, 'utf8') === await readFile(lockFile, 'utf8');

const install = async (): Promise<void> => {
	await rm(cacheFolder, {recursive: true, force: true});
	await mkdir(cacheFolder, {recursive: true});
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(wishFolder, name), path.join(cacheFolder, name));
	}

	execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', cacheFolder], {
		cwd: cacheFolder,
		stdio: 'pipe',
		shell: process.platform === 'win32',
	});
	await copyFile(lockFile, stampFile);
};

type Runtime = {
	/** The program of Node.js. */
	readonly program: string;
	readonly licenseFile: string;
};

/**
Installs the Node.js that the executable is made with and consists of, unless it is there. It is not the one of the project:
only from version 25.5 on can Node.js build an executable without a foreign tool, and few who work on the project do.

@throws Error if npm cannot install it, with what npm said; or if none is published for this platform.
*/
export const installRuntime = async (): Promise<Runtime> => {
	if (!await isInstalled()) {
		await install();
	}

	const {optionalDependencies} = JSON.parse(await readFile(path.join(cacheFolder, 'package.json'), 'utf8')) as {readonly optionalDependencies: object};
	const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
	// Only the package for this platform is installed.
	const folder = Object.keys(optionalDependencies)
		.map(name => path.join(cacheFolder, 'node_modules', name))
		.find(each => existsSync(path.join(each, program)));
	if (folder === undefined) {
		throw new Error(`No Node.js is published as a package for ${process.platform} ${process.arch}: the executable cannot be built here.`);
	}

	return {program: path.join(folder, program), licenseFile: path.join(folder, 'LICENSE')};
};
