import {Buffer} from 'node:buffer';
import {createHash, randomUUID} from 'node:crypto';
import {constants, type BigIntStats} from 'node:fs';
import {lstat, mkdir, open, opendir, rename, rm, rmdir, unlink} from 'node:fs/promises';
import path from 'node:path';
import {fileError, writeProblem} from '../bundle/file-errors.ts';
import {readListedFile} from '../bundle/read-source.ts';
import {forbiddenReason, isJunk, isVirtualEnvironment, junkRoot} from '../interface/ability-package/junk.ts';
import {abilityLimits, quotePath} from '../interface/ability-package/limits.ts';
import {parentFolders} from '../interface/ability-package/check-files.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {isMissing, isNoRoom, ifThere} from '../platform/private-files.ts';

/** A file that is missing from a folder, or has other bytes there. */
type FileToWrite = PackageFile & {
	/** The file that exists already. */
	readonly before: BigIntStats | undefined;
};

type FileToRemove = {readonly path: string; readonly before: BigIntStats};

/** The comparison of a folder with the files that it should have. */
export type FolderSurvey = {
	readonly toWrite: readonly FileToWrite[];
	/** Files that were written earlier and should be removed. */
	readonly toRemove: readonly FileToRemove[];
	/** Files that would be overwritten, or that do not belong here, as sentences. */
	readonly conflicts: readonly string[];
	/** Obstacles in the place of a file or its folder, as sentences. */
	readonly obstacles: readonly string[];
};

/** Far more than a folder of an ability has; a home folder given by mistake may have more. */
const maximumNames = abilityLimits.fileCount * 10;

/** Returns the length and the hash of a file, which identify a file that was written earlier. */
export function folderFingerprint(bytes: Uint8Array): string {
	return `${bytes.byteLength}:${createHash('sha256').update(bytes).digest('hex')}`;
}

export type WrittenFiles = ReadonlyMap<string, readonly string[]>;

/**
Compares a folder, which may be missing, with the files that it should have. Changes nothing.

@param written - the files that were written earlier: they may be replaced and removed if they are unchanged, and all other files are left
as they are. By default every other file is a conflict.
@throws SwitchboardError `refused` if it is not a folder or cannot be read.
*/
export async function surveyFolder(root: string, files: readonly PackageFile[], written?: WrittenFiles): Promise<FolderSurvey> {
	const rootStats = await lookAt(root);
	if (rootStats === undefined) {
		return {toWrite: files.map(file => ({...file, before: undefined})), toRemove: [], conflicts: [], obstacles: []};
	}

	if (!rootStats.isDirectory()) {
		throw new SwitchboardError('refused', `${quotePath(root)} is ${rootStats.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}.`, {
			nextStep: 'Choose another folder.',
		});
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
			} else if (!(await holds(location, before, file))) {
				toWrite.push({...file, before});
				if (written === undefined || !(await isAsWritten(location, file.path, before, written))) {
					conflicts.push(`${quotePath(file.path)} differs.`);
				}
			}
		} catch (error) {
			throw fileError(error, file.path, 'folder');
		}
	}

	if (written !== undefined) {
		const leftovers = await surveyLeftovers(root, files, written);
		return {toWrite, ...leftovers, conflicts: [...conflicts, ...leftovers.conflicts], obstacles: [...obstacles]};
	}

	const known = new Set(files.map(file => file.path));
	const unknown = (await listPaths(root)).filter(found => !known.has(found.normalize('NFC')));
	return {
		toWrite,
		toRemove: [],
		conflicts: [...conflicts, ...unknown.map(found => `${quotePath(found)} is not part of the ability.`)],
		obstacles: [...obstacles],
	};
}

/** Returns a line for each file that a folder should have, with what is done to it, for scripts. */
export function fileLines(files: ReadonlyArray<Pick<PackageFile, 'path'>>, {toWrite}: Pick<FolderSurvey, 'toWrite'>): readonly string[] {
	const written = new Map(toWrite.map(({path: file, before}) => [file, before === undefined ? 'added' : 'changed']));
	return files.map(({path: file}) => `${cleanText(file)}\t${written.get(file) ?? 'unchanged'}`);
}

/** Returns the entry itself, without following links. */
const lookAt = async (location: string): Promise<BigIntStats | undefined> => ifThere(lstat(location, {bigint: true}));

async function findObstacle(root: string, file: string): Promise<string | undefined> {
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
	return stats === undefined || stats.isFile()
		? undefined
		: `${quotePath(file)} is ${stats.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'}.`;
}

const holds = async (location: string, stats: BigIntStats, {path: file, bytes}: PackageFile): Promise<boolean> =>
	stats.size === BigInt(bytes.byteLength) && Buffer.compare(await readListedFile({path: file, location, stats}), bytes) === 0;

/** Tells whether a file is unchanged since it was written. */
async function isAsWritten(location: string, file: string, stats: BigIntStats, written: WrittenFiles): Promise<boolean> {
	const prints = written.get(file)?.filter(print => print.startsWith(`${stats.size}:`)) ?? [];
	return prints.length > 0 && prints.includes(folderFingerprint(await readListedFile({path: file, location, stats})));
}

/** Returns the files that were written earlier and are not needed any more. Files that were changed since are conflicts, too. */
async function surveyLeftovers(
	root: string,
	files: readonly PackageFile[],
	written: WrittenFiles,
): Promise<Pick<FolderSurvey, 'toRemove' | 'conflicts'>> {
	const kept = new Set(files.map(file => file.path));
	const toRemove: FileToRemove[] = [];
	const conflicts: string[] = [];
	for (const file of written.keys()) {
		const location = path.join(root, file);
		const before = kept.has(file) || (await findObstacle(root, file)) !== undefined ? undefined : await lookAt(location);
		if (before === undefined) {
			continue;
		}

		toRemove.push({path: file, before});
		if (!(await isAsWritten(location, file, before, written))) {
			conflicts.push(`${quotePath(file)} would be removed, but was changed.`);
		}
	}

	return {toRemove, conflicts};
}

/** Returns the paths of all files and links in a folder, without the files that stay out of packages. */
async function listPaths(root: string): Promise<readonly string[]> {
	const found: string[] = [];
	let nameCount = 0;
	const visit = async (folder: string): Promise<void> => {
		const entries = [];
		for await (const entry of await opendir(path.join(root, folder))) {
			entries.push(entry);
			if (++nameCount > maximumNames) {
				throw new SwitchboardError('refused', `${quotePath(root)} contains more than ${maximumNames} files.`, {
					nextStep: 'Choose a separate folder for the ability.',
				});
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
}

const maximumLines = 20;

/** Throws one error for all problems, one a line. */
export function refuseFiles(kind: 'conflict' | 'refused', title: string, problems: readonly string[], nextStep: string): SwitchboardError {
	const left = problems.length - maximumLines;
	const lines = [...problems.slice(0, maximumLines), ...(left > 0 ? [`And ${left} more.`] : [])];
	return new SwitchboardError(kind, [`${title} Nothing was written.`, ...lines].join('\n'), {nextStep});
}

/** Returns a note about the files of a service that are never written to a folder, such as keys. */
export function leftOutNote({name}: {readonly name: string}, paths: readonly string[]): string {
	const [first, ...others] = new Set(paths.map(place => junkRoot(place)));
	const reason = forbiddenReason(first!) ?? 'belongs to a virtual environment';
	return `Left out of the source of ${name}: ${quotePath(first!)}, which ${reason}${others.length === 0 ? '' : `, and ${others.length} more`}.`;
}

/** @throws SwitchboardError `refused` if an obstacle is in the way; `conflict` if files would be lost, unless `--force` was given. */
export function refuseConflicts(
	{conflicts, obstacles}: Pick<FolderSurvey, 'conflicts' | 'obstacles'>,
	folder: string,
	isForced: boolean,
): void {
	if (obstacles.length > 0) {
		throw refuseFiles(
			'refused',
			`Something is in the way in ${quotePath(folder)}.`,
			[...obstacles, ...(isForced ? [] : conflicts)],
			'Move it elsewhere, or choose another folder.',
		);
	}

	if (conflicts.length > 0 && !isForced) {
		throw refuseFiles(
			'conflict',
			`${quotePath(folder)} holds other files.`,
			conflicts,
			'Use --force to overwrite the files that differ; all others stay.',
		);
	}
}

/** Creates a new file and never follows a link. Windows has no such flag. */
// eslint-disable-next-line no-bitwise -- Flags are bits.
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const permissions = 0o777n;

/**
Writes files into a folder, which is created if it is missing. All are first written under temporary names and then renamed, so that each
file is either the old or the whole new one, and no file is touched if any cannot be written. No link is followed.

@throws SwitchboardError `conflict` if the folder changed since `surveyFolder`; `no-room` or `refused` if a file cannot be written.
*/
export async function writeFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
	const made: string[] = [];
	const staged = files.map(file => {
		const location = path.join(root, file.path);
		// The ending keeps the leftovers of a killed program out of packages.
		return {...file, location, temporary: path.join(path.dirname(location), `.switchboard-${randomUUID()}.tmp`)};
	});
	let current = root;
	let doneCount = 0;
	try {
		await makeFolder(root, made);
		for (const {path: file, bytes, before, temporary} of staged) {
			current = file;
			await enterFolders(root, file, made);
			// eslint-disable-next-line no-bitwise -- A mode is bits.
			await using handle = await open(temporary, newFile, before === undefined ? 0o666 : Number(before.mode & permissions));
			// If a link replaced a folder before the file was opened, nothing is written through it.
			await enterFolders(root, file, made);
			await handle.writeFile(bytes);
		}

		for (const {path: file, before, location, temporary} of staged) {
			current = file;
			await enterFolders(root, file, made);
			if (!isSame(before, await lookAt(location))) {
				throw changed(file);
			}

			try {
				await rename(temporary, location);
			} catch (error) {
				// The file itself was written there a moment ago.
				throw isMissing(error) ? changed(file) : error;
			}

			doneCount++;
		}
	} catch (error_) {
		await Promise.allSettled(staged.slice(doneCount).map(async ({temporary}) => rm(temporary, {force: true})));
		for (const folder of made.toReversed()) {
			// A folder that is not empty any more stays.
			await Promise.allSettled([rmdir(folder)]);
		}

		const {kind, message, nextStep, cause} = toWriteError(error_, current);
		const consequence = doneCount === 0 ? 'Nothing was written.' : `${doneCount} of ${files.length} files were written.`;
		throw new SwitchboardError(kind, `${message} ${consequence}`, {nextStep, cause});
	}
}

/** Makes a folder and its parents, one by one: Node's own `recursive` may try for ever where no folder can be made. */
async function makeFolder(folder: string, made: string[]): Promise<void> {
	if ((await lookAt(folder)) !== undefined) {
		return;
	}

	await makeFolder(path.dirname(folder), made);
	try {
		await mkdir(folder);
		made.push(folder);
	} catch (error) {
		// Another program may create the folder at the same time.
		if ((await lookAt(folder)) === undefined) {
			throw error;
		}
	}
}

/** Makes the missing folders of a file; throws if one has become a link. */
async function enterFolders(root: string, file: string, made: string[]): Promise<void> {
	for (const folder of ['', ...parentFolders(file)]) {
		const location = path.join(root, folder);
		await makeFolder(location, made);
		if (!(await lookAt(location))?.isDirectory()) {
			throw changed(folder === '' ? root : folder);
		}
	}
}

const changed = (where: string): SwitchboardError =>
	new SwitchboardError('conflict', `${quotePath(where)} changed while the files were written.`, {
		nextStep: 'Try again when nothing else is writing to the folder.',
	});

const isSame = (first: BigIntStats | undefined, second: BigIntStats | undefined): boolean =>
	first === undefined || second === undefined
		? first === second
		: first.dev === second.dev && first.ino === second.ino && first.size === second.size && first.mtimeNs === second.mtimeNs;

function toWriteError(error: unknown, where: string): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (isNoRoom(error)) {
		return new SwitchboardError('no-room', `There is no room to write ${quotePath(where)}.`, {
			nextStep: 'Make room on the disk, then try again.',
			cause: error,
		});
	}

	const problem = isMissing(error) ? 'cannot be written: nothing can be made there' : writeProblem(error);
	return new SwitchboardError('refused', `${quotePath(where)} ${problem}.`, {nextStep: 'Choose another folder.', cause: error});
}

/**
Removes files from a folder, and the folders that are then empty. No link is followed.

@throws SwitchboardError `conflict` if a file changed since `surveyFolder`; `refused` if it cannot be removed.
*/
export async function removeFiles(root: string, files: readonly FileToRemove[]): Promise<void> {
	for (const {path: file, before} of files) {
		const location = path.join(root, file);
		try {
			await enterFolders(root, file, []);
			if (!isSame(before, await lookAt(location))) {
				throw changed(file);
			}

			await unlink(location);
		} catch (error) {
			throw toWriteError(error, file);
		}

		for (const folder of parentFolders(file).toReversed()) {
			// A folder that is not empty stays.
			await Promise.allSettled([rmdir(path.join(root, folder))]);
		}
	}
}
