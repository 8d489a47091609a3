import {
	copyFileSync,
	existsSync,
	lstatSync,
	renameSync,
} from 'node:fs';
import path from 'node:path';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {
	ensurePrivateFolder,
	isMissing,
	readPrivateFile,
	tightenFile,
	tightenFolder,
} from '../platform/private-files.ts';
import {withFileLock} from './file-lock.ts';
import {checkSettings, type CheckedSettings} from './stored-settings.ts';

const fileName = 'config';

const maximumBytes = 4 * 1024 * 1024;

/** Where the settings are in a folder: the name is conf's. */
export const settingsPath = (folder: string): string => path.join(folder, `${fileName}.json`);

/** A name beside the file that nothing has yet, with the time in it. */
const asideName = (file: string): string => {
	const base = `${file}.broken-${new Date().toISOString().replaceAll(/[.:]/g, '-')}`;
	let name = base;
	for (let number = 2; existsSync(name); number++) {
		name = `${base}-${number}`;
	}

	return name;
};

const parse = (text: string): JsonObject | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

/**
The settings file as it is now, checked. What cannot be used is only said here: see `repairSettingsFile`.

@returns `undefined` where the file is there but holds no settings at all: empty, half-written or no JSON.
@throws SwitchboardError `unexpected` where it cannot be read.
*/
export const readSettingsFile = (folder: string): CheckedSettings | undefined => {
	const file = settingsPath(folder);
	let text: string | undefined;
	try {
		text = readPrivateFile(file, maximumBytes);
	} catch (error) {
		throw new SwitchboardError('unexpected', `The settings in ${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	}

	if (text === undefined && !existsSync(file)) {
		return checkSettings({});
	}

	const raw = parse(text ?? '');
	return raw && checkSettings(raw);
};

/** Makes file and folder private; gives back what to tell the person where that failed. */
export const tightenSettings = (folder: string): readonly string[] => {
	const file = settingsPath(folder);
	const isPrivate = [tightenFolder(folder), tightenFile(file)].every(tightened => tightened.isPrivate);
	return isPrivate ? [] : [`Others on this machine may be able to read ${file}, which can hold keys, and its mode cannot be changed.`];
};

/**
Changes the settings file through `conf`, alone among the processes of this program, from what the file holds now.

@throws the error of the file system where it cannot be written.
*/
export const changeSettingsFile = async (folder: string, change: (current: CheckedSettings) => JsonObject): Promise<void> => {
	// Only here: `conf` brings a schema validator along, and reading needs none of it at every start.
	const {default: Conf} = await import('conf');
	ensurePrivateFolder(folder);
	await withFileLock(`${settingsPath(folder)}.lock`, () => {
		const current = readSettingsFile(folder);
		if (current === undefined) {
			throw new SwitchboardError('unexpected', `${settingsPath(folder)} was broken by something else while it was in use.`, {
				nextStep: 'Start again: the broken file is then set aside.',
			});
		}

		const store = new Conf({
			projectName: 'switchboard',
			projectSuffix: '',
			cwd: folder,
			configName: fileName,
			configFileMode: 0o600,
			// A profile may be called “app.openhome.com”.
			accessPropertiesByDotNotation: false,
		});
		store.store = change(current);
	});
};

/**
Sets aside what is broken: the file itself where it holds no settings, a copy of it where some of its entries are
wrong, which are then taken out of it.

@returns what was done, for the person; nothing is ever replaced unsaid.
*/
export const repairSettingsFile = async (folder: string): Promise<readonly string[]> => {
	const file = settingsPath(folder);
	const found = readSettingsFile(folder);
	if (found?.complaints.length === 0) {
		return [];
	}

	const aside = asideName(file);
	try {
		if (found === undefined) {
			if (!lstatSync(file).isFile() && !lstatSync(file).isSymbolicLink()) {
				return [`${file} is no regular file, so no settings are read or stored.`];
			}

			renameSync(file, aside);
			return [`The settings file could not be understood and was set aside as ${aside}. Sign in again, or mend that file and rename it back.`];
		}

		copyFileSync(file, aside);
		await changeSettingsFile(folder, ({usable}) => usable);
		return [`Some of the settings could not be understood (${found.complaints.join('; ')}) and were left out. The whole file was set aside as ${aside}.`];
	} catch (error) {
		// Another process of this program, started at the same time, may have been faster.
		if (isMissing(error)) {
			return [];
		}

		const what = found === undefined ? 'The settings file' : `Part of the settings (${found.complaints.join('; ')})`;
		return [`${what} could not be understood, and ${file} cannot be set aside: ${reasonOf(error)}`];
	}
};
