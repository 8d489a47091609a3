import {
	copyFileSync,
	existsSync,
	lstatSync,
	renameSync,
	statSync,
} from 'node:fs';
import path from 'node:path';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {
	ensurePrivateFolder,
	isLink,
	isMissing,
	isOpenToOthers,
	readPrivateFile,
	tightenFile,
	tightenFolder,
} from '../platform/private-files.ts';
import {withFileLock} from './file-lock.ts';
import {asideName} from './set-aside.ts';
import {followSettingsLink} from './settings-link.ts';
import {checkSettings, type CheckedSettings} from './stored-settings.ts';

const maximumBytes = 4 * 1024 * 1024;

/** The settings file in a folder: the name is conf's. */
export const settingsPath = (folder: string): string => path.join(folder, 'config.json');

const parse = (text: string): JsonObject | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

/**
The text of the settings file in a folder.

@returns `undefined` if there is none, or what is there is not a file of settings.
@throws the error of the file system if it cannot be read, or a SwitchboardError about a link (`followSettingsLink`).
*/
export const readSettingsText = (folder: string): string | undefined => readPrivateFile(followSettingsLink(settingsPath(folder)), maximumBytes);

/**
The settings file as it is now, checked. `repairSettingsFile` repairs it.

@returns `undefined` if the file exists but holds no settings: it is empty, half-written or not JSON.
@throws SwitchboardError `unexpected` if it cannot be read.
*/
export const readSettingsFile = (folder: string): CheckedSettings | undefined => {
	const file = settingsPath(folder);
	let text: string | undefined;
	try {
		text = readSettingsText(folder);
	} catch (error) {
		throw error instanceof SwitchboardError ? error : new SwitchboardError('unexpected', `The settings in ${file} cannot be read: ${reasonOf(error)}`, {cause: error});
	}

	if (text === undefined && !existsSync(file)) {
		return checkSettings({});
	}

	const raw = parse(text ?? '');
	return raw && checkSettings(raw);
};

/** Changes with the settings file in a folder, or with what it links to. */
export const settingsStamp = (folder: string): string => {
	try {
		const {ino, size, mtimeMs, ctimeMs} = statSync(settingsPath(folder));
		return [ino, size, mtimeMs, ctimeMs].join(' ');
	} catch (error) {
		return reasonOf(error);
	}
};

const holdsKey = (folder: string): boolean => {
	try {
		return readSettingsFile(folder)?.profiles.some(({apiKey}) => apiKey !== undefined) ?? false;
	} catch {
		return false;
	}
};

/** Makes file and folder private; returns what to tell the person if that failed. What a link leads to keeps its mode. */
export const tightenSettings = (folder: string): readonly string[] => {
	const file = settingsPath(folder);
	const isFolderPrivate = tightenFolder(folder).isPrivate;
	if (isLink(file)) {
		return isOpenToOthers(file) && holdsKey(folder)
			? [`Other users of this machine may be able to read ${file}, which holds API keys: it is a link, and what it leads to keeps its mode. Change that with: chmod 600 ${file}`]
			: [];
	}

	return isFolderPrivate && tightenFile(file).isPrivate ? [] : [`Other users of this machine may be able to read ${file}, which can hold API keys: its mode cannot be changed.`];
};

/**
Changes the settings file through `conf`, while no other process of this program does, from what the file holds now.

@throws the error of the file system if it cannot be written.
*/
export const changeSettingsFile = async (folder: string, change: (usable: JsonObject) => JsonObject): Promise<void> => {
	// Only here: `conf` brings a schema validator along, and reading needs none of it at every start.
	const {default: Conf} = await import('conf');
	ensurePrivateFolder(folder);
	await withFileLock(`${settingsPath(folder)}.lock`, () => {
		const current = readSettingsFile(folder);
		if (current === undefined) {
			throw new SwitchboardError('unexpected', `Another program broke ${settingsPath(folder)} while it was in use.`, {
				nextStep: 'Start again: the broken file is then set aside.',
			});
		}

		const file = followSettingsLink(settingsPath(folder));
		const store = new Conf({
			projectName: 'switchboard',
			projectSuffix: '',
			cwd: path.dirname(file),
			configName: path.basename(file),
			fileExtension: '',
			// Without a mode the file keeps its own.
			...(!isLink(settingsPath(folder)) && {configFileMode: 0o600}),
			// A profile may be called “app.openhome.com”.
			accessPropertiesByDotNotation: false,
		});
		store.store = change(current.usable);
	});
};

/**
Sets aside what is broken: the file itself if it holds no settings; if some of its entries are wrong, a copy of it, and the
entries are removed.

@returns what was done, for the person; nothing is ever replaced silently.
*/
export const repairSettingsFile = async (folder: string): Promise<readonly string[]> => {
	const file = settingsPath(folder);
	const found = readSettingsFile(folder);
	if (found?.problems.length === 0) {
		return [];
	}

	const backup = asideName(file);
	try {
		if (found === undefined) {
			if (!lstatSync(file).isFile() && !lstatSync(file).isSymbolicLink()) {
				return [`${file} is not a regular file, so no settings are read or stored.`];
			}

			renameSync(file, backup);
			return [`The settings file is not valid and was set aside as ${backup}. Sign in again, or repair that file and rename it back.`];
		}

		copyFileSync(file, backup);
		tightenFile(backup);
		await changeSettingsFile(folder, usable => usable);
		return [`Some settings are not valid and were removed (${found.problems.join('; ')}). The original file was set aside as ${backup}.`];
	} catch (error) {
		// Another process of this program, started at the same time, may have been faster.
		if (isMissing(error)) {
			return [];
		}

		const what = found === undefined ? 'The settings file is not valid' : `Some settings are not valid (${found.problems.join('; ')})`;
		return [`${what}, and ${file} cannot be set aside: ${reasonOf(error)}`];
	}
};
