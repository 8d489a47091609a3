import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/*
What npm runs after an installation in a checkout, and in the clone that it makes of a git address. It runs on the machine's
own Node.js, which may be too old for TypeScript.
*/

const root = fileURLToPath(new URL('../..', import.meta.url));
const commandFile = path.join(root, 'node_modules/.bin/switchboard');

const isWindows = process.platform === 'win32';

/**
Makes the project's own Node.js the `node` of its npm scripts. npm 11 links it by itself; npm 10 removes the link together
with the packages for other platforms.

@returns {string | undefined} Its file; `undefined` if there is none for this platform.
*/
const linkRuntime = () => {
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

/** With `node_modules/.bin` on the path, `switchboard` starts at once: npx first reads the whole tree of packages. */
const linkCommand = () => {
	if (isWindows || lstatSync(commandFile, {throwIfNoEntry: false}) !== undefined) {
		return;
	}

	mkdirSync(path.dirname(commandFile), {recursive: true});
	symlinkSync('../../dist/cli.js', commandFile);
};

/** Before version 12 npm leaves the development dependencies out where it installs a git address globally. */
const wayOut =
	process.env.npm_config_global === 'true'
		? 'Pack it first: npm pack ADDRESS, then npm install --global ./switchboard-tui-*.tgz.'
		: 'Run npm ci without --omit=dev, or install the package that npm pack makes in a built checkout: it has no dependencies.';

const isNodeTooOld = Number(process.versions.node.split('.', 1)[0]) < 24;

const tooOld = `Switchboard needs Node.js 24 or newer; this is ${process.versions.node}.`;

/** Builds the program if needed. Returns the exit code. */
const prepare = () => {
	if (!existsSync(path.join(root, 'node_modules/esbuild'))) {
		if (existsSync(path.join(root, 'dist/cli.js'))) {
			if (!isNodeTooOld) {
				return 0;
			}

			console.error(
				`${tooOld} Its own was left out with the development dependencies. Install Node.js 24, or run npm ci without --omit=dev.`,
			);
			return 1;
		}

		console.error(`Switchboard is not built: that takes its development dependencies, which were left out. ${wayOut}`);
		return 1;
	}

	const runtime = linkRuntime();
	if (runtime === undefined && isNodeTooOld) {
		console.error(`${tooOld} npm installed none for ${process.platform} ${process.arch}. Install it, then run npm ci again.`);
		return 1;
	}

	linkCommand();
	const {status, error} = spawnSync(runtime ?? process.execPath, ['source/build/build.ts', '--if-needed'], {cwd: root, stdio: 'inherit'});
	if (error !== undefined) {
		console.error(`Switchboard was not built: ${error.message}`);
	}

	return status ?? 1;
};

const exitCode = prepare();
// If a script fails, npx leaves its own installation of the checkout half made, and fails with it ever after.
process.exitCode = process.env.npm_command === 'exec' ? 0 : exitCode;
