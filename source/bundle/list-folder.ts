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
	/** Where it lies on this machine. */
	readonly location: string;
	readonly stats: BigIntStats;
};

export type FolderListing = {
	/** In the order of their paths. */
	readonly files: readonly ListedFile[];
	/** What stays out of a package; a folder ends with `/` and stands for all that is in it. */
	readonly leftOut: readonly string[];
};

/** No folder of an ability comes near this; a home folder given by mistake may. */
const maximumNames = abilityLimits.fileCount * 10;

const readNames = async (location: string): Promise<readonly string[]> => {
	const names: string[] = [];
	for await (const {name} of await opendir(location)) {
		names.push(name);
		if (names.length > maximumNames) {
			throw oversize(`${quotePath(location)} holds more than ${maximumNames} files.`, 'Name the folder of one ability.');
		}
	}

	return names.toSorted();
};

/**
Lists the files of a folder that belong into a package, and stops early where they are too many or too large.

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
			throw oversize(`There are more than ${abilityLimits.fileCount} files in it.`);
		}

		if (totalBytes > abilityLimits.totalBytes) {
			throw oversize(`The files come to more than ${formatBytes(abilityLimits.totalBytes)}.`);
		}
	};

	const visit = async (location: string, path: string): Promise<void> => {
		if (isJunk(path)) {
			leftOut.push((await lstat(location)).isDirectory() ? `${path}/` : path);
			return;
		}

		const complaint = pathProblem(path);
		if (complaint !== undefined) {
			throw refusal(complaint, 'Rename it or take it out of the folder.');
		}

		const stats = await lstat(location, {bigint: true});
		if (stats.isDirectory()) {
			await visitFolder(location, path);
			return;
		}

		if (!stats.isFile()) {
			throw stats.isSymbolicLink()
				? refusal(`${quotePath(path)} is a symbolic link.`, 'Put the file itself in its place.')
				: refusal(`${quotePath(path)} is no plain file.`, 'Take it out of the folder.');
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
