import {Buffer} from 'node:buffer';
import {
	copyFileSync,
	lstatSync,
	renameSync,
} from 'node:fs';
import path from 'node:path';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {foldName} from '../interface/fold-name.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {isNoRoom} from '../platform/no-room.ts';
import {
	ensurePrivateFolder,
	isMissing,
	readPrivateFile,
	tightenFile,
	writePrivateFile,
} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {presetNameProblem, type Preset} from '../state/preset.ts';
import {withFileLock} from './file-lock.ts';
import {asideName} from './set-aside.ts';

const version = 1;

/** Some 50 presets of 10,000 abilities. */
const maximumBytes = 16 * 1024 * 1024;

/** A preset with the account that it belongs to. */
export type StoredPreset = Preset & {readonly account: string};

type Found = {
	readonly presets: readonly StoredPreset[];
	/** True if the file, or some of what is in it, is no preset. */
	readonly isBroken: boolean;
};

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
	/** Called with what the person must know about the file, as whole sentences: it was set aside. */
	readonly note: (notice: string) => void;
};

const readNames = (value: JsonValue | undefined): readonly string[] | undefined =>
	Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '') ? value as readonly string[] : undefined;

const readPreset = (value: unknown): StoredPreset | undefined => {
	if (!isJsonObject(value) || typeof value['account'] !== 'string' || typeof value['name'] !== 'string' || presetNameProblem(value['name']) !== undefined) {
		return undefined;
	}

	const {account, name} = value;
	const [on, off] = [readNames(value['on']), readNames(value['off'])];
	if (on === undefined || off === undefined) {
		return undefined;
	}

	// A name that stands in it twice would be switched twice.
	const areNamesDifferent = new Set([...on, ...off].map(each => foldName(each))).size === on.length + off.length;
	const preset = {
		account, name, on, off,
	};
	return areNamesDifferent ? preset : undefined;
};

const decode = (text: string): Found => {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {}

	if (!isJsonObject(value) || value['version'] !== version || !Array.isArray(value['presets'])) {
		return {presets: [], isBroken: true};
	}

	const entries: readonly unknown[] = value['presets'];
	const presets = entries.map(entry => readPreset(entry)).filter(preset => preset !== undefined);
	// The last of one name counts.
	const byName = new Map(presets.map(preset => [`${preset.account} ${foldName(preset.name)}`, preset]));
	return {presets: [...byName.values()], isBroken: byName.size < entries.length};
};

const encode = (presets: readonly StoredPreset[]): string => JSON.stringify({version, presets}, undefined, '\t') + '\n';

const fileError = (error: unknown, problem: string): SwitchboardError => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	return isNoRoom(error)
		? new SwitchboardError('no-room', `${problem}: the disk is full.`, {nextStep: 'Make room on it, then try again.', cause: error})
		: new SwitchboardError('unexpected', `${problem}: ${reasonOf(error)}`, {cause: error});
};

/** The presets of all accounts, in a file of its own beside the settings. */
export const openPresetsFile = ({configFolder, note}: PresetsFileOptions): PresetsFile => {
	const folder = configFolder ?? userFolders().config;
	const file = path.join(folder, 'presets.json');

	const readNow = (): Found => {
		try {
			const text = readPrivateFile(file, maximumBytes);
			if (text !== undefined) {
				return decode(text);
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

			throw fileError(error, `The presets in ${file} cannot be read`);
		}
	};

	/** The file stays in place if some of it is good: it is replaced by that. */
	const setAside = ({presets}: Found): void => {
		const aside = asideName(file);
		if (presets.length === 0) {
			renameSync(file, aside);
			note(`The presets file is not valid and was set aside as ${aside}.`);
			return;
		}

		copyFileSync(file, aside);
		tightenFile(aside);
		writePrivateFile(file, encode(presets));
		note(`Some presets are not valid and were removed. The original file was set aside as ${aside}.`);
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
				note(`The presets in ${file} are not valid, and the file cannot be set aside: ${reasonOf(error)}`);
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

					const text = encode(next);
					if (Buffer.byteLength(text) > maximumBytes) {
						throw new SwitchboardError('too-large', `All presets together would take more than ${maximumBytes / 1024 / 1024} MB.`, {nextStep: 'Delete one that is no longer needed.'});
					}

					writePrivateFile(file, text);
				});
			} catch (error) {
				throw fileError(error, `${file} cannot be written`);
			}
		},
	};
};
