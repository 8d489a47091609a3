import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/*
Makes the project's own Node.js the `node` of its npm scripts. npm 11 links it by itself; npm 10 removes the link together
with the packages for other platforms. It runs on the machine's own Node.js, which may be too old for TypeScript.
*/

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = path.join(root, 'node_modules');
const isWindows = process.platform === 'win32';
const link = path.join(modules, '.bin/node');

const {optionalDependencies} = JSON.parse(readFileSync(path.join(root, 'source/build/runtime/package.json'), 'utf8'));

/** Only the package for this platform is installed. */
const program = Object.keys(optionalDependencies)
	.map(name => path.join(modules, name, isWindows ? 'bin/node.exe' : 'bin/node'))
	.find(file => existsSync(file));

if (program === undefined) {
	if (Number(process.versions.node.split('.', 1)[0]) < 24) {
		console.error(`Switchboard needs Node.js 24 or newer, and none is published as a package for ${process.platform} ${process.arch}. Install it, then run npm ci again.`);
		process.exitCode = 1;
	}
} else if (!existsSync(link)) {
	mkdirSync(path.dirname(link), {recursive: true});
	if (isWindows) {
		copyFileSync(program, `${link}.exe`);
	} else {
		symlinkSync(path.relative(path.dirname(link), program), link);
	}
}
