import {type Buffer} from 'node:buffer';
import {type BigIntStats, constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {quotePath} from '../interface/ability-package/refusals.ts';
import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {fileError} from './file-errors.ts';
import {type FolderListing, listFolder, type ListedFile} from './list-folder.ts';

const changed = (path: string): SwitchboardError => new SwitchboardError(
	'conflict',
	`${quotePath(path)} changed while it was read.`,
	{field: 'zip_file', nextStep: 'Try again when nothing is writing to the folder.'},
);

const isSame = (first: BigIntStats, second: BigIntStats): boolean =>
	first.ino === second.ino && first.dev === second.dev && first.size === second.size && first.mtimeNs === second.mtimeNs;

/** If a link or a pipe has replaced the file in the meantime, it is neither followed nor waited for. Windows has neither flag. */
// eslint-disable-next-line no-bitwise -- Flags are bits.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a file, unchanged since it was listed; a link is not followed. */
export const readListedFile = async ({path, location, stats}: ListedFile): Promise<Buffer> => {
	try {
		await using handle = await open(location, openFlags);
		if (!isSame(stats, await handle.stat({bigint: true}))) {
			throw changed(path);
		}

		const bytes = await handle.readFile();
		if (bytes.length !== Number(stats.size) || !isSame(stats, await handle.stat({bigint: true}))) {
			throw changed(path);
		}

		return bytes;
	} catch (error) {
		throw fileError(error, path, 'zip_file');
	}
};

const refuseDifference = (before: FolderListing, after: FolderListing): void => {
	const remaining = new Map(after.files.map(file => [file.path, file]));
	for (const {path, stats} of before.files) {
		const now = remaining.get(path);
		if (now === undefined || !isSame(stats, now.stats)) {
			throw changed(path);
		}

		remaining.delete(path);
	}

	const [added] = remaining.keys();
	if (added !== undefined) {
		throw changed(added);
	}
};

type FolderFiles = {readonly files: readonly PackageFile[]; readonly leftOut: readonly string[]};

/**
The files of a listing with their bytes, all unchanged since they were listed.

@throws SwitchboardError `refused` naming a file that cannot be read; `conflict` if the folder has changed since.
*/
export const readListing = async (root: string, listing: FolderListing): Promise<FolderFiles> => {
	const files: PackageFile[] = [];
	for (const file of listing.files) {
		files.push({path: file.path, bytes: await readListedFile(file)});
	}

	// Finds a file that was added, removed or written after it was read.
	refuseDifference(listing, await listFolder(root));
	return {files, leftOut: listing.leftOut};
};

/**
The files of a folder that belong in a package, with their bytes, all from the same moment.

@throws SwitchboardError as `listFolder` and `readListing` do.
*/
export const readFolder = async (root: string): Promise<FolderFiles> => readListing(root, await listFolder(root));
