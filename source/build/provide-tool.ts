import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readFile, rename, rm} from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** All that decides what is installed: the lock file pins each package with its hash. */
const pins = ['package.json', 'package-lock.json'] as const;

/**
Provides what one check or one test alone needs, so that nobody else has to install it. npm installs the packages that the
lock file beside the tool's `package.json` pins, on first use and whenever that changes; none of them may run a script.

@returns The folder whose `node_modules` has the packages.
@throws If npm cannot install them, with what it said.
*/
export async function provideTool(
	name: string,
	{toolsFolder = path.join(import.meta.dirname, 'tools'), cacheFolder = path.join(root, 'node_modules/.cache/tools')} = {},
): Promise<string> {
	const contents = await Promise.all(pins.map(async pin => readFile(path.join(toolsFolder, name, pin), 'utf8')));
	const hash = createHash('sha256').update(contents.join('\0')).digest('hex').slice(0, 16);
	const folder = path.join(cacheFolder, `${name}-${hash}`);
	if (existsSync(folder)) {
		return folder;
	}

	await mkdir(cacheFolder, {recursive: true});
	// It gets its name when it is whole: a run that was cut short leaves nothing that another takes for a tool.
	const draft = await mkdtemp(`${folder}.`);
	try {
		await Promise.all(pins.map(async pin => cp(path.join(toolsFolder, name, pin), path.join(draft, pin))));
		await install(draft);
		await rename(draft, folder);
	} catch (error) {
		// Another run may have been quicker.
		if (!existsSync(folder)) {
			throw new Error(`npm could not install the tool “${name}”. ${(error as Error).message}`, {cause: error});
		}
	} finally {
		await rm(draft, {recursive: true, force: true});
	}

	return folder;
}

async function install(folder: string): Promise<void> {
	const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
	await new Promise<void>((resolve, reject) => {
		execFile('npm', words, {cwd: folder}, (error, stdout, stderr) => {
			if (error === null) {
				resolve();
			} else {
				reject(new Error(stderr.trim() || stdout.trim() || error.message, {cause: error}));
			}
		});
	});
}
