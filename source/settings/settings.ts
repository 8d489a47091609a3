import {normalizeBaseAddress} from '../interface/base-address.ts';
import {reasonOf, SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {openLastSeen} from './last-seen.ts';
import {
	localProfileName,
	refuseProfileName,
	refuseTakenName,
	type Profile,
} from './profile.ts';
import {
	changeSettingsFile,
	readSettingsFile,
	repairSettingsFile,
	settingsPath,
	tightenSettings,
} from './settings-file.ts';
import {checkSettings, type CheckedSettings} from './stored-settings.ts';

export type Settings = {
	/** The settings file, whether it exists or not. */
	readonly path: string;
	/** What the person should be told about the settings so far, as whole sentences; grows. */
	readonly notices: readonly string[];
	/** True once a change could not be stored: it then holds for this run alone. */
	readonly isMemoryOnly: () => boolean;
	/** The stored profiles as they are now, in the order in which they were first stored. `local` is not among them. */
	readonly profiles: () => readonly Profile[];
	/** The name of a stored profile, or `local`. */
	readonly currentProfileName: () => string | undefined;
	/**
	Stores a profile, in place of one of the same name, and makes it the current one.
	@throws SwitchboardError `usage` where the name or the address cannot be one.
	*/
	readonly saveProfile: (profile: Profile) => Promise<void>;
	/**
	Makes a stored profile, or `local`, the current one.
	@throws SwitchboardError `not-found`.
	*/
	readonly useProfile: (name: string) => Promise<void>;
	/**
	Calls a profile otherwise; the current one stays the current one.
	@throws SwitchboardError `not-found`, or `usage` where no profile may be called that or another one is.
	*/
	readonly renameProfile: (name: string, newName: string) => Promise<void>;
	/**
	Forgets the key of a profile and the lists last seen with it; its address stays.
	@throws SwitchboardError `not-found`.
	*/
	readonly forgetKey: (name: string) => Promise<void>;
	/**
	Forgets the whole profile.
	@throws SwitchboardError `not-found`, or `usage` for `local`, which is never stored.
	*/
	readonly removeProfile: (name: string) => Promise<void>;
};

const profileEntries = (usable: JsonObject): Readonly<Record<string, JsonValue>> => {
	const {profiles} = usable;
	return isJsonObject(profiles) ? profiles : {};
};

/**
@param variableName - the variable that names the profile, where one does: the error then says so.
@throws SwitchboardError `not-found` where no such profile is stored.
*/
export const findProfile = (profiles: readonly Profile[], name: string, variableName?: string): Profile => {
	const found = profiles.find(profile => profile.name === name);
	if (found === undefined) {
		const names = [...profiles.map(profile => profile.name), localProfileName];
		throw new SwitchboardError('not-found', `There is no profile “${name}”${variableName === undefined ? '' : `, which ${variableName} names`}.`, {
			nextStep: `Known: ${names.join(', ')}. To make a new one: switchboard login --profile ${name}`,
			field: 'profile',
		});
	}

	return found;
};

/**
The settings as they are, without mending, tightening or telling anything: for who only offers names.

@throws SwitchboardError `unexpected` where they cannot be read.
*/
export const peekSettings = ({configFolder}: {readonly configFolder?: string | undefined} = {}): Pick<Settings, 'profiles' | 'currentProfileName'> => {
	const found = readSettingsFile(configFolder ?? userFolders().config) ?? checkSettings({});
	return {profiles: () => found.profiles, currentProfileName: () => found.currentProfileName};
};

export type SettingsOptions = {
	/** Where `conf` puts them by default. */
	readonly configFolder?: string | undefined;
	/** Where the lists last seen are. */
	readonly cacheFolder?: string | undefined;
};

/**
Opens the settings. A broken file is set aside, wrong entries are left out, looser modes are tightened; each is told in
`notices`. Where the folder cannot be written, changes hold for this run and that is told as well.
*/
export const openSettings = async ({configFolder, cacheFolder}: SettingsOptions = {}): Promise<Settings> => {
	const folder = configFolder ?? userFolders().config;
	const notices: string[] = [];
	let memory: CheckedSettings | undefined;
	let lastRead = checkSettings({});

	const readNow = (): CheckedSettings => {
		// Something else may break the file while we run: what it held stays known, and the next change mends it.
		lastRead = memory ?? readSettingsFile(folder) ?? lastRead;
		return lastRead;
	};

	const change = async (makeNext: (current: CheckedSettings) => JsonObject): Promise<void> => {
		if (memory === undefined) {
			try {
				// Something else broke the file while we run: what it held is known.
				const isBroken = readSettingsFile(folder) === undefined;
				notices.push(...await repairSettingsFile(folder));
				await changeSettingsFile(folder, current => makeNext(isBroken ? lastRead : current));
				readNow();
				return;
			} catch (error) {
				if (error instanceof SwitchboardError) {
					throw error;
				}

				notices.push(`Settings cannot be stored, so this change holds for this run only: ${reasonOf(error)}`);
			}
		}

		memory = checkSettings(makeNext(readNow()));
	};

	const forgetLists = ({baseAddress, apiKey}: Profile): void => {
		if (apiKey !== undefined) {
			openLastSeen({baseAddress, apiKey, cacheFolder}).forget();
		}
	};

	const changeProfile = async (name: string, makeEntry: (entry: JsonObject) => JsonObject | undefined): Promise<void> => {
		const before = findProfile(readNow().profiles, name);
		await change(({usable}) => {
			const {[name]: entry, ...others} = profileEntries(usable);
			const changed = makeEntry(isJsonObject(entry) ? entry : {baseAddress: before.baseAddress});
			const isCurrentLost = changed === undefined && usable['currentProfile'] === name;
			const {currentProfile, ...rest} = usable;
			return {
				...rest,
				...(currentProfile !== undefined && !isCurrentLost && {currentProfile}),
				profiles: changed === undefined ? others : {...profileEntries(usable), [name]: changed},
			};
		});
		forgetLists(before);
	};

	notices.push(...tightenSettings(folder));
	try {
		notices.push(...await repairSettingsFile(folder));
		const found = readSettingsFile(folder);
		lastRead = found ?? lastRead;
		memory = found === undefined ? lastRead : undefined;
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		notices.push(`${error.message} Nothing is stored in this run.`);
		memory = lastRead;
	}

	return {
		path: settingsPath(folder),
		notices,
		isMemoryOnly: () => memory !== undefined,
		profiles: () => readNow().profiles,
		currentProfileName: () => readNow().currentProfileName,
		async saveProfile({name, baseAddress, apiKey}) {
			refuseProfileName(name);
			const address = normalizeBaseAddress(baseAddress);
			const before = readNow().profiles.find(profile => profile.name === name);
			await change(({usable}) => ({
				...usable,
				profiles: {...profileEntries(usable), [name]: {baseAddress: address, ...(apiKey !== undefined && {apiKey})}},
				currentProfile: name,
			}));
			if (before !== undefined && before.apiKey !== apiKey) {
				forgetLists(before);
			}
		},
		async useProfile(name) {
			if (name !== localProfileName) {
				findProfile(readNow().profiles, name);
			}

			await change(({usable}) => ({...usable, currentProfile: name}));
		},
		async renameProfile(name, newName) {
			findProfile(readNow().profiles, name);
			if (name === newName) {
				return;
			}

			refuseProfileName(newName);
			refuseTakenName(readNow().profiles, newName);
			await change(({usable}) => ({
				...usable,
				// In the place that it had.
				profiles: Object.fromEntries(Object.entries(profileEntries(usable)).map(([each, entry]) => [each === name ? newName : each, entry])),
				...(usable['currentProfile'] === name && {currentProfile: newName}),
			}));
		},
		async forgetKey(name) {
			await changeProfile(name, ({apiKey, ...entry}) => entry);
		},
		async removeProfile(name) {
			if (name === localProfileName) {
				throw new SwitchboardError('usage', 'The profile “local” is the bundled service: it is always there, and its data stays.', {
					nextStep: 'To make another profile the current one: switchboard profiles use NAME',
				});
			}

			await changeProfile(name, () => undefined);
		},
	};
};
