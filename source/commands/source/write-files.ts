import {randomUUID} from 'node:crypto';
import {type BigIntStats, constants} from 'node:fs';
import {
	mkdir,
	open,
	rename,
	rm,
	rmdir,
} from 'node:fs/promises';
import path from 'node:path';
import {parentFolders} from '../../interface/ability-package/paths.ts';
import {quotePath} from '../../interface/ability-package/refusals.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isNoRoom} from '../../platform/no-room.ts';
import {lookAt, type FileToWrite} from './survey-folder.ts';

const changed = (where: string): SwitchboardError => new SwitchboardError('conflict', `${quotePath(where)} changed while the files were written.`, {
	nextStep: 'Try again when nothing else is writing to the folder.',
});

const reasons: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'the disk is read-only',
	ENAMETOOLONG: 'its name is too long',
	ENOTDIR: 'part of its path is not a folder',
	ENOENT: 'nothing can be made there',
};

const toWriteError = (error: unknown, where: string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
	return isNoRoom(error)
		? new SwitchboardError('no-room', `There is no room to write ${quotePath(where)}.`, {nextStep: 'Make room on the disk, then try again.', cause: error})
		: new SwitchboardError('refused', `${quotePath(where)} cannot be written: ${reasons[code] ?? code}.`, {nextStep: 'Choose another folder.', cause: error});
};

/** The folders that files are written to: each is made where it is missing, and has to stay the folder that it was at first. */
const openFolders = (root: string) => {
	const identities = new Map<string, BigIntStats>();
	const created: string[] = [];

	/** Makes a folder and those above it, one by one: where nothing can be made, the `recursive` of Node may try for ever. */
	const createRoot = async (folder = root): Promise<void> => {
		if (await lookAt(folder) !== undefined) {
			return;
		}

		await createRoot(path.dirname(folder));
		try {
			await mkdir(folder);
		} catch (error) {
			// Another program may make the same folder.
			if (await lookAt(folder) === undefined) {
				throw error;
			}

			return;
		}

		created.push(folder);
	};

	const check = async (folder: string): Promise<void> => {
		const location = path.join(root, folder);
		const known = identities.get(location);
		let stats = await lookAt(location);
		if (stats === undefined && known === undefined) {
			await mkdir(location);
			created.push(location);
			stats = await lookAt(location);
		}

		if (stats === undefined || !stats.isDirectory() || (known !== undefined && (known.ino !== stats.ino || known.dev !== stats.dev))) {
			throw changed(folder === '' ? root : folder);
		}

		identities.set(location, stats);
	};

	return {
		createRoot,
		/** Makes and checks the folders of a file; throws if one is a link now, or another folder. */
		async enter(file: string): Promise<void> {
			for (const folder of ['', ...parentFolders(file)]) {
				await check(folder);
			}
		},
		async removeCreated(): Promise<void> {
			for (const folder of created.toReversed()) {
				try {
					await rmdir(folder);
				} catch {
					// Something is in it by now.
					return;
				}
			}
		},
	};
};

type Folders = ReturnType<typeof openFolders>;

/** A new file, which no link can stand for. Windows has no such flag. */
// eslint-disable-next-line no-bitwise -- Flags are bits.
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const permissions = 0o777n;

const writeTemporary = async (folders: Folders, temporary: string, {path: file, bytes, before}: FileToWrite): Promise<void> => {
	await folders.enter(file);
	// eslint-disable-next-line no-bitwise -- A mode is bits.
	await using handle = await open(temporary, newFile, before === undefined ? 0o666 : Number(before.mode & permissions));
	// If a link took the place of a folder before the file was opened, nothing is written through it.
	await folders.enter(file);
	await handle.writeFile(bytes);
};

const isSame = (first: BigIntStats | undefined, second: BigIntStats | undefined): boolean => first === undefined || second === undefined
	? first === second
	: first.dev === second.dev && first.ino === second.ino && first.size === second.size && first.mtimeNs === second.mtimeNs;

const putInPlace = async (folders: Folders, temporary: string, location: string, {path: file, before}: FileToWrite): Promise<void> => {
	await folders.enter(file);
	if (!isSame(before, await lookAt(location))) {
		throw changed(file);
	}

	await rename(temporary, location);
};

/**
Writes files beneath a folder, which is made if it is missing. All are written under temporary names first and renamed then, so
that each file is the old one or the whole new one, and none is touched if one cannot be written. No link is followed.

@throws SwitchboardError `conflict` if something changed since `surveyFolder`; `no-room` or `refused` if a file cannot be written.
*/
export const writeFiles = async (root: string, files: readonly FileToWrite[]): Promise<void> => {
	const folders = openFolders(root);
	const staged = files.map(file => {
		const location = path.join(root, file.path);
		// The ending keeps what a killed program leaves behind out of packages.
		return {file, location, temporary: path.join(path.dirname(location), `.switchboard-${randomUUID()}.tmp`)};
	});
	let current = root;
	let doneCount = 0;
	try {
		await folders.createRoot();
		for (const {file, temporary} of staged) {
			current = file.path;
			await writeTemporary(folders, temporary, file);
		}

		for (const {file, temporary, location} of staged) {
			current = file.path;
			await putInPlace(folders, temporary, location, file);
			doneCount++;
		}
	} catch (error_) {
		await Promise.allSettled(staged.slice(doneCount).map(async ({temporary}) => rm(temporary, {force: true})));
		await folders.removeCreated();
		const {kind, message, nextStep, cause} = toWriteError(error_, current);
		const consequence = doneCount === 0 ? 'Nothing was written.' : `${doneCount} of ${files.length} files were written.`;
		throw new SwitchboardError(kind, `${message} ${consequence}`, {nextStep, cause});
	}
};
