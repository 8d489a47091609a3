import {Buffer} from 'node:buffer';
import type {BigIntStats} from 'node:fs';
import {lstat, opendir} from 'node:fs/promises';
import path from 'node:path';
import {fileError} from '../../bundle/file-errors.ts';
import {readListedFile} from '../../bundle/read-folder.ts';
import {isJunk, isVirtualEnvironment} from '../../interface/ability-package/junk.ts';
import {abilityLimits} from '../../interface/ability-package/limits.ts';
import {parentFolders} from '../../interface/ability-package/paths.ts';
import {quotePath} from '../../interface/ability-package/refusals.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import {isMissing} from '../../platform/private-files.ts';

/** A file that a folder does not hold yet, or not with these bytes. */
export type FileToWrite = PackageFile & {
	/** The file that is there. */
	readonly before: BigIntStats | undefined;
};

/** What a folder holds, compared with the files that are to be in it. */
export type FolderSurvey = {
	readonly toWrite: readonly FileToWrite[];
	/** Files that would be overwritten, or that are none of these, as sentences. */
	readonly conflicts: readonly string[];
	/** What stands where a file or its folder has to be, as sentences. */
	readonly obstacles: readonly string[];
};

/** What is there itself, not what it leads to. */
export const lookAt = async (location: string): Promise<BigIntStats | undefined> => {
	try {
		return await lstat(location, {bigint: true});
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw error;
	}
};

const findObstacle = async (root: string, file: string): Promise<string | undefined> => {
	for (const folder of parentFolders(file)) {
		const stats = await lookAt(path.join(root, folder));
		if (stats === undefined) {
			return undefined;
		}

		if (!stats.isDirectory()) {
			return `${quotePath(folder)} is ${stats.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}.`;
		}
	}

	const stats = await lookAt(path.join(root, file));
	return stats === undefined || stats.isFile() ? undefined : `${quotePath(file)} is ${stats.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'}.`;
};

/** Far more than a folder of an ability has; a home folder given by mistake may have more. */
const maximumNames = abilityLimits.fileCount * 10;

/** The paths of all files and links in a folder, without what stays out of packages. */
const listPaths = async (root: string): Promise<readonly string[]> => {
	const found: string[] = [];
	let nameCount = 0;
	const visit = async (folder: string): Promise<void> => {
		const entries = [];
		for await (const entry of await opendir(path.join(root, folder))) {
			entries.push(entry);
			if (++nameCount > maximumNames) {
				throw new SwitchboardError('refused', `${quotePath(root)} contains more than ${maximumNames} files.`, {nextStep: 'Choose a folder of its own for the ability.'});
			}
		}

		if (folder !== '' && isVirtualEnvironment(entries.map(({name}) => name))) {
			return;
		}

		for (const entry of entries) {
			const inner = path.posix.join(folder, entry.name);
			if (isJunk(inner)) {
				continue;
			}

			if (entry.isDirectory()) {
				await visit(inner);
			} else {
				found.push(inner);
			}
		}
	};

	await visit('');
	return found.toSorted();
};

const holds = async (location: string, stats: BigIntStats, {path: file, bytes}: PackageFile): Promise<boolean> =>
	stats.size === BigInt(bytes.byteLength) && Buffer.compare(await readListedFile({path: file, location, stats}), bytes) === 0;

/**
Compares a folder, which may be missing, with the files that are to be in it. Changes nothing.

@throws SwitchboardError `refused` if it is no folder or cannot be read.
*/
export const surveyFolder = async (root: string, files: readonly PackageFile[]): Promise<FolderSurvey> => {
	const rootStats = await lookAt(root);
	if (rootStats === undefined) {
		return {toWrite: files.map(file => ({...file, before: undefined})), conflicts: [], obstacles: []};
	}

	if (!rootStats.isDirectory()) {
		throw new SwitchboardError('refused', `${quotePath(root)} is ${rootStats.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}.`, {nextStep: 'Choose another folder.'});
	}

	const toWrite: FileToWrite[] = [];
	const conflicts: string[] = [];
	const obstacles = new Set<string>();
	for (const file of files) {
		const location = path.join(root, file.path);
		try {
			const obstacle = await findObstacle(root, file.path);
			const before = obstacle === undefined ? await lookAt(location) : undefined;
			if (obstacle !== undefined) {
				obstacles.add(obstacle);
			} else if (before === undefined) {
				toWrite.push({...file, before});
			} else if (!await holds(location, before, file)) {
				toWrite.push({...file, before});
				conflicts.push(`${quotePath(file.path)} differs.`);
			}
		} catch (error) {
			throw fileError(error, file.path, 'folder');
		}
	}

	const known = new Set(files.map(file => file.path));
	const unknown = (await listPaths(root)).filter(found => !known.has(found.normalize('NFC')));
	return {
		toWrite,
		conflicts: [...conflicts, ...unknown.map(found => `${quotePath(found)} is not part of the ability.`)],
		obstacles: [...obstacles],
	};
};
