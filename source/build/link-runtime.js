import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const isWindows = process.platform === 'win32';

/**
Makes the project's own Node.js the `node` of its npm scripts. npm 11 links it by itself; npm 10 removes the link together
with the packages for other platforms.

@param {string} root - the folder of the project.
@returns {string | undefined} Its file; `undefined` if there is none for this platform.
*/
export const linkRuntime = root => {
	const modules = path.join(root, 'node_modules');
	const {optionalDependencies} = JSON.parse(readFileSync(path.join(root, 'source/build/runtime/package.json'), 'utf8'));
	// Only the package for this platform is installed.
	const program = Object.keys(optionalDependencies)
		.map(name => path.join(modules, name, isWindows ? 'bin/node.exe' : 'bin/node'))
		.find(file => existsSync(file));
	const link = path.join(modules, '.bin/node');
	if (program !== undefined && !existsSync(link)) {
		mkdirSync(path.dirname(link), {recursive: true});
		if (isWindows) {
			copyFileSync(program, `${link}.exe`);
		} else {
			symlinkSync(path.relative(path.dirname(link), program), link);
		}
	}

	return program;
};
