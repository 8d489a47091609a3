import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {provideTool} from './provide-tool.ts';

type ExecutableNode = {
	readonly program: string;
	readonly licenseFile: string;
};

/**
The Node.js that makes the executable and is in it. It is not the one of the project: 24 cannot put anything into an executable
without a foreign tool, of which there is only an alpha version.

@throws Error if npm cannot install it, or none is published for this platform.
*/
export const provideExecutableNode = async (): Promise<ExecutableNode> => {
	const modules = path.join(await provideTool('node'), 'node_modules');
	const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
	// Only the package for this platform is installed.
	const name = (await readdir(modules)).find(each => existsSync(path.join(modules, each, program)));
	if (name === undefined) {
		throw new Error(`No Node.js is published as a package for ${process.platform} ${process.arch}: the executable cannot be built here.`);
	}

	return {program: path.join(modules, name, program), licenseFile: path.join(modules, name, 'LICENSE')};
};
