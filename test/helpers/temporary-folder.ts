import {path, process} from './node.ts';
import {mkdirSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';

let parent: string | undefined;
let folderCount = 0;

/**
A new, empty folder. All of them are removed when the process ends, and not before: what a test has closed may still
write a little later.
*/
export function temporaryFolder(): string {
	if (parent === undefined) {
		const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
		parent = folder;
		process.once('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 50}));
	}

	const folder = path.join(parent, String(++folderCount));
	mkdirSync(folder);
	return folder;
}

/** A path for the data of a service; the service creates the folder. */
export function temporaryDataFolder(): string {
	return path.join(temporaryFolder(), 'data');
}

/** The folders of one person's settings, cached lists, bundled data and journals; two runs of the UI may share them. */
export type Folders = {
	readonly configFolder: string;
	readonly cacheFolder: string;
	readonly dataFolder: string;
	readonly stateFolder: string;
};

export function temporaryFolders(): Folders {
	const folder = temporaryFolder();
	const folders = {
		configFolder: path.join(folder, 'config'),
		cacheFolder: path.join(folder, 'cache'),
		dataFolder: path.join(folder, 'data'),
		stateFolder: path.join(folder, 'state'),
	};
	for (const each of Object.values(folders)) {
		mkdirSync(each);
	}

	return folders;
}

/** The permission bits of a file or folder, as in `ls`, in octal. */
export function modeOf(file: string): string {
	return (statSync(file).mode % 0o1000).toString(8);
}
