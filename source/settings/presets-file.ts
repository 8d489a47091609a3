import {Buffer} from 'node:buffer';
import {
	copyFileSync,
	lstatSync,
	renameSync,
} from 'node:fs';
import path from 'node:path';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isNoRoom} from '../platform/no-room.ts';
import {
	ensurePrivateFolder,
	isMissing,
	readPrivateFile,
	tightenFile,
	writePrivateFile,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {withFileLock} from './file-lock.ts';
import {asideName} from './set-aside.ts';
import {
	checkPresets,
	presetsText,
	type CheckedPresets,
	type StoredPreset,
} from './stored-presets.ts';

/** Some 50 presets of 10,000 abilities. */
const maximumBytes = 16 * 1024 * 1024;

export type PresetsFile = {
	/**
	The presets of all accounts. What is no preset is set aside first.
	@throws SwitchboardError `unexpected` if the file cannot be read.
	*/
	readonly read: () => Promise<readonly StoredPreset[]>;
	/** The same, but the file stays as it is, and nothing is said about it. */
	readonly peek: () => readonly StoredPreset[];
	/**
	Changes the file while no other process of this program does, from what it holds now. Nothing is written if the change returns
	what it was given.
	@throws what `change` throws; SwitchboardError `too-large`, `no-room` or `unexpected` if the file cannot be written.
	*/
	readonly change: (change: (presets: readonly StoredPreset[]) => readonly StoredPreset[]) => Promise<void>;
};

export type PresetsFileOptions = {
	/** The settings; by default where `conf` puts them. */
	readonly configFolder?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
	/** Called with what the person must know about the file, as whole sentences: it was set aside. */
	readonly note: (notice: string) => void;
};

/** The messages of the file system name paths as well. */
const reasonWithoutPath = (error: unknown): string => error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';

const fileError = (error: unknown, problem: string, reason: (error: unknown) => string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	return isNoRoom(error)
		? new SwitchboardError('no-room', `${problem}: the disk is full.`, {nextStep: 'Make room on it, then try again.', cause: error})
		: new SwitchboardError('unexpected', `${problem}: ${reason(error)}`, {cause: error});
};

/** The presets of all accounts, in a file of its own beside the settings. */
export const openPresetsFile = ({configFolder, arePathsShown = true, note}: PresetsFileOptions): PresetsFile => {
	const folder = configFolder ?? userFolders().config;
	const file = path.join(folder, 'presets.json');
	const shownFile = arePathsShown ? ` in ${file}` : '';
	const shownAside = (aside: string): string => arePathsShown ? ` as ${aside}` : '';
	const reason = arePathsShown ? reasonOf : reasonWithoutPath;

	const readNow = (): CheckedPresets => {
		try {
			const text = readPrivateFile(file, maximumBytes);
			if (text !== undefined) {
				return checkPresets(text);
			}

			const found = lstatSync(file, {throwIfNoEntry: false});
			if (found !== undefined && !found.isFile()) {
				throw new Error('it is not a regular file');
			}

			return {presets: [], isBroken: found !== undefined};
		} catch (error) {
			if (isMissing(error)) {
				return {presets: [], isBroken: false};
			}

			throw fileError(error, `The presets${shownFile} cannot be read`, reason);
		}
	};

	/** The file stays in place if some of it is good: it is replaced by that. */
	const setAside = ({presets}: CheckedPresets): void => {
		const aside = asideName(file);
		if (presets.length === 0) {
			renameSync(file, aside);
			note(`The presets file is not valid and was set aside${shownAside(aside)}.`);
			return;
		}

		copyFileSync(file, aside);
		tightenFile(aside);
		writePrivateFile(file, presetsText(presets));
		note(`Some presets are not valid and were removed. The original file was set aside${shownAside(aside)}.`);
	};

	/** Runs the action with what the file holds, whole. */
	const withFile = async (action: (presets: readonly StoredPreset[]) => void): Promise<void> => {
		ensurePrivateFolder(folder);
		await withFileLock(`${file}.lock`, () => {
			const found = readNow();
			if (found.isBroken) {
				setAside(found);
			}

			action(found.presets);
		});
	};

	return {
		async read() {
			const {presets, isBroken} = readNow();
			if (!isBroken) {
				return presets;
			}

			try {
				let repaired = presets;
				await withFile(found => {
					repaired = found;
				});
				return repaired;
			} catch (error) {
				note(`The presets${shownFile} are not valid, and the file cannot be set aside: ${reason(error)}`);
				return presets;
			}
		},
		peek: () => readNow().presets,
		async change(change) {
			try {
				await withFile(presets => {
					const next = change(presets);
					if (next === presets) {
						return;
					}

					const text = presetsText(next);
					if (Buffer.byteLength(text) > maximumBytes) {
						throw new SwitchboardError('too-large', `All presets together would take more than ${maximumBytes / 1024 / 1024} MB.`, {nextStep: 'Delete one that is no longer needed.'});
					}

					writePrivateFile(file, text);
				});
			} catch (error) {
				throw fileError(error, arePathsShown ? `${file} cannot be written` : 'The presets cannot be written', reason);
			}
		},
	};
};
