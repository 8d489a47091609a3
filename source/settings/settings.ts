import {normalizeBaseAddress} from '../interface/base-address.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {type JsonObject} from '../interface/json.ts';
import {isNoRoom} from '../platform/no-room.ts';
import {userFolders} from '../platform/user-folders.ts';
import {watchStamp} from '../platform/watch-stamp.ts';
import {openLastSeen} from './last-seen.ts';
import {presetAccountOfProfile} from './preset-account.ts';
import {openPresets, type Presets} from './presets.ts';
import {openPromptJournal, type PromptJournal} from './prompt-journal.ts';
import {accountNameOf, removePromptDrafts} from './prompt-drafts.ts';
import {
	findProfile,
	findRemovableProfile,
	refuseProfileName,
	refuseTakenName,
	refuseUnknownProfile,
	type Profile,
	type StoredProfiles,
} from './profile.ts';
import {
	changeSettingsFile,
	readSettingsFile,
	repairSettingsFile,
	settingsPath,
	settingsStamp,
	tightenSettings,
} from './settings-file.ts';
import {
	checkSettings,
	withoutKey,
	withoutProfile,
	withProfile,
	withRenamedProfile,
	type CheckedSettings,
} from './stored-settings.ts';

/** Why a change could not be stored. */
export type NotStored = {
	/** As the end of a sentence, without its full stop. */
	readonly reason: string;
	/** What to do about it, as a sentence without its full stop. */
	readonly remedy: string;
};

const notWritableCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']);

const withoutFullStop = (text: string): string => text.replace(/\.$/, '');

const toNotStored = (error: unknown): NotStored => {
	const isNotWritable = error instanceof Error && 'code' in error && notWritableCodes.has(error.code);
	const nextStep = error instanceof SwitchboardError ? error.nextStep : undefined;
	return {
		reason: withoutFullStop(reasonOf(error)),
		remedy: withoutFullStop(nextStep ?? (isNotWritable ? 'Make the settings folder writable' : 'Put that right')),
	};
};

export type Settings = StoredProfiles & {
	/** The settings file, whether it exists or not. */
	readonly path: string;
	/** What to tell the person about the settings so far, as whole sentences; grows. */
	readonly notices: readonly string[];
	/** True once a change could not be stored: it then applies to this run only. */
	readonly isMemoryOnly: () => boolean;
	/** True if that was for want of room on the disk. */
	readonly isDiskFull: () => boolean;
	/** Why changes are not stored, once they are not. */
	readonly whyNotStored: () => NotStored;
	/**
	Stores a profile, replacing one of the same name, and makes it the current one.
	@throws SwitchboardError `usage` if the name or the address is not valid.
	*/
	readonly saveProfile: (profile: Profile) => Promise<void>;
	/**
	Makes a stored profile, or `local`, the current one.
	@throws SwitchboardError `not-found`.
	*/
	readonly useProfile: (name: string) => Promise<void>;
	/**
	Renames a profile, which keeps its presets and the texts that its prompts had; the current one stays the current one.
	@throws SwitchboardError `not-found`, or `usage` if the new name is not valid or taken.
	*/
	readonly renameProfile: (name: string, newName: string) => Promise<void>;
	/**
	Removes the key of a profile, the lists last seen with it, and the unsaved texts of its prompts and those that they had; the
	address and the presets stay for the next key.
	@throws SwitchboardError `not-found`.
	*/
	readonly forgetKey: (name: string) => Promise<void>;
	/**
	Removes a profile with its presets, the lists last seen with it, and the unsaved texts of its prompts and those that they had.
	@throws SwitchboardError `not-found`, or `usage` for `local`, which is never stored.
	*/
	readonly removeProfile: (name: string) => Promise<void>;
};

/**
The settings as they are; nothing is repaired, tightened or reported.

@throws SwitchboardError `unexpected` if they cannot be read.
*/
export const peekSettings = ({configFolder}: {readonly configFolder?: string | undefined} = {}): StoredProfiles => {
	const found = readSettingsFile(configFolder ?? userFolders().config) ?? checkSettings({});
	return {profiles: () => found.profiles, currentProfileName: () => found.currentProfileName};
};

/**
Calls back whenever the settings were changed, also by another process.

@returns how to end that.
*/
export const watchSettings = (onChange: () => void, {configFolder}: {readonly configFolder?: string | undefined} = {}): () => void => {
	const folder = configFolder ?? userFolders().config;
	return watchStamp(() => settingsStamp(folder), onChange);
};

type SettingsOptions = {
	/** The settings; by default where `conf` puts them. */
	readonly configFolder?: string | undefined;
	/** The lists last seen. */
	readonly cacheFolder?: string | undefined;
	/** The texts that prompts had. */
	readonly stateFolder?: string | undefined;
};

/**
Opens the settings. A broken file is set aside, wrong entries are ignored, loose modes are tightened; each is reported in
`notices`. If the folder cannot be written, changes apply to this run only, which is reported too.
*/
export const openSettings = async ({configFolder, cacheFolder, stateFolder}: SettingsOptions = {}): Promise<Settings> => {
	const folder = configFolder ?? userFolders().config;
	const notices: string[] = [];
	let memory: CheckedSettings | undefined;
	let isDiskFull = false;
	let notStored: NotStored = {reason: `${settingsPath(folder)} is not writable`, remedy: 'Make the settings folder writable'};
	let lastRead = checkSettings({});

	const readNow = (): CheckedSettings => {
		// Something else may break the file during this run: its content is still known, and the next change repairs it.
		lastRead = memory ?? readSettingsFile(folder) ?? lastRead;
		return lastRead;
	};

	const change = async (makeNext: (usable: JsonObject) => JsonObject): Promise<void> => {
		if (memory === undefined) {
			try {
				const isBroken = readSettingsFile(folder) === undefined;
				notices.push(...await repairSettingsFile(folder));
				await changeSettingsFile(folder, usable => makeNext(isBroken ? lastRead.usable : usable));
				readNow();
				return;
			} catch (error) {
				if (error instanceof SwitchboardError) {
					throw error;
				}

				isDiskFull = isNoRoom(error);
				notStored = toNotStored(error);
				notices.push(`${isDiskFull ? 'The disk is full: settings' : 'Settings'} cannot be stored, so this change applies to this run only: ${reasonOf(error)}`);
			}
		}

		memory = checkSettings(makeNext(readNow().usable));
	};

	const forgetLists = ({baseAddress, apiKey}: Profile): void => {
		if (apiKey !== undefined) {
			openLastSeen({baseAddress, apiKey, cacheFolder}).forget();
		}
	};

	const forgetAccount = (profile: Profile): void => {
		forgetLists(profile);
		removePromptDrafts(accountNameOf({baseAddress: profile.baseAddress, profileName: profile.name}), folder);
	};

	/** Presets are not worth failing for after the profiles themselves were changed. */
	const changePresets = async ({name, baseAddress}: Profile, action: (presets: Presets) => Promise<void>): Promise<void> => {
		try {
			await action(openPresets(presetAccountOfProfile({baseAddress, profileName: name}), {
				configFolder: folder,
				note(notice) {
					notices.push(notice);
				},
			}));
		} catch (error) {
			notices.push(`The presets of the profile “${name}” stay as they were: ${reasonOf(error)}`);
		}
	};

	/** Where the change to the profile was not stored, its journal stays as well. */
	const changeJournal = async ({name, baseAddress}: Profile, action: (journal: PromptJournal) => Promise<void>): Promise<void> => {
		if (memory !== undefined) {
			return;
		}

		try {
			await action(openPromptJournal(presetAccountOfProfile({baseAddress, profileName: name}), {stateFolder}));
		} catch (error) {
			notices.push(`The texts that the prompts of the profile “${name}” had stay where they were: ${reasonOf(error)}`);
		}
	};

	notices.push(...tightenSettings(folder));
	try {
		const repairs = await repairSettingsFile(folder);
		notices.push(...repairs);
		const found = readSettingsFile(folder);
		lastRead = found ?? lastRead;
		memory = found === undefined ? lastRead : undefined;
		notStored = repairs.length === 0 ? notStored : toNotStored(repairs.join(' '));
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		notices.push(`${error.message} Nothing is stored in this run.`);
		notStored = toNotStored(error);
		memory = lastRead;
	}

	return {
		path: settingsPath(folder),
		notices,
		isMemoryOnly: () => memory !== undefined,
		isDiskFull: () => isDiskFull,
		whyNotStored: () => notStored,
		profiles: () => readNow().profiles,
		currentProfileName: () => readNow().currentProfileName,
		async saveProfile(profile) {
			refuseProfileName(profile.name);
			const baseAddress = normalizeBaseAddress(profile.baseAddress);
			const before = readNow().profiles.find(({name}) => name === profile.name);
			await change(usable => withProfile(usable, {...profile, baseAddress}));
			if (before !== undefined && before.apiKey !== profile.apiKey) {
				forgetLists(before);
			}
		},
		async useProfile(name) {
			refuseUnknownProfile(readNow().profiles, name);
			await change(usable => ({...usable, currentProfile: name}));
		},
		async renameProfile(name, newName) {
			const {profiles} = readNow();
			const before = findProfile(profiles, name);
			if (name === newName) {
				return;
			}

			refuseProfileName(newName);
			refuseTakenName(profiles, newName);
			const account = presetAccountOfProfile({...before, profileName: newName});
			await change(usable => withRenamedProfile(usable, name, newName));
			if (memory === undefined) {
				await changePresets(before, async presets => presets.moveTo(account));
			}

			await changeJournal(before, async journal => journal.moveTo(account));
		},
		async forgetKey(name) {
			const before = findProfile(readNow().profiles, name);
			await change(usable => withoutKey(usable, before));
			forgetAccount(before);
			await changeJournal(before, async journal => journal.remove());
		},
		async removeProfile(name) {
			const before = findRemovableProfile(readNow().profiles, name);
			await change(usable => withoutProfile(usable, name));
			forgetAccount(before);
			if (memory === undefined) {
				await changePresets(before, async presets => presets.removeAll());
			}

			await changeJournal(before, async journal => journal.remove());
		},
	};
};
