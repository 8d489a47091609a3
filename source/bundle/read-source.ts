import {Buffer} from 'node:buffer';
import {type BigIntStats, constants} from 'node:fs';
import {lstat, open, opendir, realpath, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {findTopFolder, pathProblem} from '../interface/ability-package/check-files.ts';
import {isJunk, isVirtualEnvironment, junkRoot, tieFileName} from '../interface/ability-package/junk.ts';
import {abilityLimits, formatBytes, oversize, quotePath, refusal} from '../interface/ability-package/limits.ts';
import {readZip} from '../interface/ability-package/read-zip.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {ifThere} from '../platform/private-files.ts';
import {fileError} from './file-errors.ts';

export type AbilitySource = {
	/** As it was given, for messages. */
	readonly path?: string;
	/** The name of the folder or zip. */
	readonly baseName: string;
	/** Paths are relative to the ability's own folder. */
	readonly files: readonly PackageFile[];
	readonly leftOut: readonly string[];
};

/** Far more than a folder of an ability has; a home folder given by mistake may have more. */
const maximumNames = abilityLimits.fileCount * 10;

type ListedFile = {
	/** Relative to the folder, its parts separated by `/`, composed (NFC) so that it is equal on another machine. */
	readonly path: string;
	/** The absolute path. */
	readonly location: string;
	readonly stats: BigIntStats;
};

type FolderListing = {
	/** In the order of their paths. */
	readonly files: readonly ListedFile[];
	/** The paths that stay out of a package; a folder's path ends with `/`. */
	readonly leftOut: readonly string[];
};

/**
Lists the files of a folder that belong in a package, and stops early if there are too many or they are too large.

@param shown - the folder as it was given, for messages.
@throws SwitchboardError `refused` for a symbolic link, a device, a name that no package may hold or a folder that cannot be read;
`too-large` above the limits.
*/
export async function listFolder(root: string, shown = root): Promise<FolderListing> {
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
			// Every pulled folder has its tie, which is not worth a mention.
			// Editors and other programs remove files at any time.
			const stats = path === tieFileName ? undefined : await ifThere(lstat(location));
			if (stats !== undefined) {
				leftOut.push(stats.isDirectory() ? `${path}/` : path);
			}

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
		const names = await readNames(location, path === '' ? shown : path);
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
}

async function readNames(location: string, shown: string): Promise<readonly string[]> {
	const names: string[] = [];
	for await (const {name} of await opendir(location)) {
		names.push(name);
		if (names.length > maximumNames) {
			throw oversize(`${quotePath(shown)} contains more than ${maximumNames} files.`, 'Use the folder of one ability.');
		}
	}

	return names.toSorted();
}

/** Neither follows a link nor waits for a pipe that has replaced the file in the meantime. Windows has neither flag. */
// eslint-disable-next-line no-bitwise -- Flags are bits.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the bytes of a file, unchanged since it was listed; a link is not followed. */
export async function readListedFile(file: ListedFile): Promise<Buffer> {
	const {path, location, stats} = file;
	try {
		await using handle = await open(location, openFlags);
		const isUnchanged = async (): Promise<boolean> => stampOf({path, stats: await handle.stat({bigint: true})}) === stampOf(file);
		const bytes = (await isUnchanged()) ? await handle.readFile() : undefined;
		if (bytes?.length !== Number(stats.size) || !(await isUnchanged())) {
			throw changed(path);
		}

		return bytes;
	} catch (error) {
		throw fileError(error, path, 'zip_file');
	}
}

/** Differs for another file, or for a file that was written since. No path holds a U+0000. */
const stampOf = ({path, stats: {ino, dev, size, mtimeNs}}: Pick<ListedFile, 'path' | 'stats'>): string =>
	`${path}\0${[ino, dev, size, mtimeNs].join(' ')}`;

const changed = (path: string): SwitchboardError =>
	new SwitchboardError('conflict', `${quotePath(path)} changed while it was read.`, {
		field: 'zip_file',
		nextStep: 'Try again when nothing is writing to the folder.',
	});

/**
Returns the files of a folder with their bytes, all from one moment.

@throws SwitchboardError `refused` naming a file that cannot be read; `conflict` if the folder has changed since it was listed.
*/
export async function readFolder(root: string, {files: listed, leftOut}: FolderListing): Promise<Omit<AbilitySource, 'baseName'>> {
	const files: PackageFile[] = [];
	for (const file of listed) {
		files.push({path: file.path, bytes: await readListedFile(file)});
	}

	// Finds a file that was added, removed or written after it was read.
	const now = await listFolder(root);
	const [different] = new Set(listed.map(file => stampOf(file))).symmetricDifference(new Set(now.files.map(file => stampOf(file))));
	if (different !== undefined) {
		throw changed(different.split('\0', 1)[0]!);
	}

	return {files, leftOut};
}

/**
Reads an ability from a folder, or from a zip that has its files in one top-level folder or at its root. Junk (`junk.ts`)
is not read.

@throws SwitchboardError `refused`, `too-large` or `conflict`, naming the field `zip_file`.
*/
export async function readSource(path: string): Promise<AbilitySource> {
	try {
		const location = await realpath(path);
		const stats = await stat(location);
		if (stats.isDirectory()) {
			return {path, baseName: basename(location), ...(await readFolder(location, await listFolder(location, path)))};
		}

		if (stats.isFile() && (/\.zip$/i.test(location) || (await startsLikeZip(location)))) {
			return {path, ...(await readZipSource(location))};
		}

		throw refusal(`${quotePath(path)} is neither a folder nor a zip.`, 'Use the folder of an ability, or a zip of it.');
	} catch (error) {
		throw fileError(error, path, 'zip_file');
	}
}

/** True for a zip; false for a file of an ability that was given by mistake. */
async function startsLikeZip(location: string): Promise<boolean> {
	await using file = await open(location);
	const {buffer} = await file.read({buffer: Buffer.alloc(2)});
	return buffer.toString() === 'PK';
}

async function readZipSource(path: string): Promise<AbilitySource> {
	const {files, leftOut} = await readZip(path);
	const folder = findTopFolder(files);
	return {
		baseName: folder ?? basename(path).replace(/\.zip$/i, ''),
		files: folder === undefined ? files : files.map(({path: inner, bytes}) => ({path: inner.slice(folder.length + 1), bytes})),
		leftOut: [...new Set(leftOut.map(inner => junkRoot(inner)))],
	};
}
