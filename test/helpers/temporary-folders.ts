import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Where one person's settings, lists last seen and bundled data are; two runs of the UI may share them. */
export type Folders = {
	readonly configFolder: string;
	readonly cacheFolder: string;
	readonly dataFolder: string;
};

let everything: string | undefined;

/** Gone when the process ends, and not before: lists are stored a little after they were shown. */
export const temporaryFolders = (): Folders => {
	if (everything === undefined) {
		const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-ui-'));
		everything = folder;
		process.once('exit', () => {
			rmSync(folder, {recursive: true, force: true});
		});
	}

	const folder = mkdtempSync(path.join(everything, 'run-'));
	const folders = {
		configFolder: path.join(folder, 'config'),
		cacheFolder: path.join(folder, 'cache'),
		dataFolder: path.join(folder, 'data'),
	};
	for (const each of Object.values(folders)) {
		mkdirSync(each);
	}

	return folders;
};
