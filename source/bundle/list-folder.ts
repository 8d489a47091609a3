import {type BigIntStats} from 'node:fs';
import {lstat, opendir} from 'node:fs/promises';
import {join} from 'node:path';
import {isJunk, isVirtualEnvironment} from '../interface/ability-package/junk.ts';
import {abilityLimits, formatBytes} from '../interface/ability-package/limits.ts';
import {pathProblem} from '../interface/ability-package/paths.ts';
import {oversize, quotePath, refusal} from '../interface/ability-package/refusals.ts';
import {fileError} from './file-errors.ts';

export type ListedFile = {
	/** Relative to the folder, its parts separated by `/`, composed (NFC) as another machine would have it. */
	readonly path: string;
	/** Its path on this machine. */
	readonly location: string;
	readonly stats: BigIntStats;
};

export type FolderListing = {
	/** In the order of their paths. */
	readonly files: readonly ListedFile[];
	/** What stays out of a package; a folder ends with `/` and stands for everything in it. */
	readonly leftOut: readonly string[];
};

/** Far more than a folder of an ability has; a home folder given by mistake may have more. */
const maximumNames = abilityLimits.fileCount * 10;

const readNames = async (location: string): Promise<readonly string[]> => {
	const names: string[] = [];
	for await (const {name} of await opendir(location)) {
		names.push(name);
		if (names.length > maximumNames) {
			throw oversize(`${quotePath(location)} contains more than ${maximumNames} files.`, 'Use the folder of one ability.');
		}
	}

	return names.toSorted();
};

/**
Lists the files of a folder that belong in a package, and stops early if there are too many or they are too large.

@throws SwitchboardError `refused` for a symbolic link, a device, a name that no package may hold or a folder that cannot
be read; `too-large`.
*/
export const listFolder = async (root: string): Promise<FolderListing> => {
	const files: ListedFile[] = [];
	const leftOut: string[] = [];
	let totalBytes = 0;

	const addFile = (file: ListedFile): void => {
		files.push(file);
		totalBytes += Number(file.stats.size);
		if (files.length > abilityLimits.fileCount) {
			throw oversize(`It contains more than ${abilityLimits.fileCount} files.`);
		}

		if (totalBytes > abilityLimits.totalBytes) {
			throw oversize(`The files are more than ${formatBytes(abilityLimits.totalBytes)} in all.`);
		}
	};

	const visit = async (location: string, path: string): Promise<void> => {
		if (isJunk(path)) {
			leftOut.push((await lstat(location)).isDirectory() ? `${path}/` : path);
			return;
		}

		const problem = pathProblem(path);
		if (problem !== undefined) {
			throw refusal(problem, 'Rename it, or remove it from the folder.');
		}

		const stats = await lstat(location, {bigint: true});
		if (stats.isDirectory()) {
			await visitFolder(location, path);
			return;
		}

		if (!stats.isFile()) {
			throw stats.isSymbolicLink()
				? refusal(`${quotePath(path)} is a symbolic link.`, 'Replace it with the file itself.')
				: refusal(`${quotePath(path)} is not a regular file.`, 'Remove it from the folder.');
		}

		addFile({path: path.normalize('NFC'), location, stats});
	};

	const visitFolder = async (location: string, path: string): Promise<void> => {
		const names = await readNames(location);
		if (path !== '' && isVirtualEnvironment(names)) {
			leftOut.push(`${path}/`);
			return;
		}

		for (const name of names) {
			const child = path === '' ? name : `${path}/${name}`;
			try {
				await visit(join(location, name), child);
			} catch (error) {
				throw fileError(error, child, 'zip_file');
			}
		}
	};

	await visitFolder(root, '');
	return {files, leftOut};
};
